import Analysis
import Model
import TestSupport
import Testing

/// Compares what the program knows of `evidence` with the files. `SLUICE_RECORD=1` rewrites the tables. Such a run fails
/// on purpose.
@Suite struct EvidenceTableTests {
  /// The statements in the files, in the order of their names.
  private static func statements() throws -> [Statement] {
    try ["evidence", "evidence-open"].flatMap { folder in
      try Evidence.files(in: folder).map { try Evidence($0).statement }
    }
  }

  @Test func `the program's table has the statements of all files`() throws {
    let text = Self.table(of: try Self.statements())
    try Self.check("Sources/Tools/Analysis/Evidence/StatementTable.swift", quotes: "#\"\"\"", text)
  }

  @Test func `the standings of rules follow from their rows and the statements`() throws {
    let statements = try Self.statements()
    let lines = Rule.allCases.compactMap { rule -> String? in
      let standing = Standing(of: rule, by: statements)
      guard standing != Standing(rule.row.source) else { return nil }
      return "\(rule.rawValue) \(standing.level.rawValue) \(standing.observations)"
    }
    try Self.check(
      "Sources/Model/Model/StandingTable.swift", quotes: "\"\"\"", lines.joined(separator: "\n"))
  }

  /// Compares the multiline literal in a source file with the text.
  private static func check(_ file: String, quotes: String, _ text: String) throws {
    let indented = text.split(separator: "\n").map { "    \($0)\n" }.joined()
    try Document.check(file) { source in
      let start = try #require(source.firstRange(of: quotes + "\n")).upperBound
      let end = try #require(source[start...].firstRange(of: "    \"\"\"")).lowerBound
      return source[..<start] + indented + source[end...]
    }
  }

  /// A rule with a public source is not marked as assumed: its row names the source.
  @Test func `no assumed rule has a statement that supports it`() throws {
    let statements = try Self.statements()
    for rule in Rule.allCases where rule.isAssumed {
      let level = Standing(of: rule, by: statements).level
      #expect(level == .assumed || level == .contested, "\(rule.rawValue) is \(level.rawValue)")
    }
  }

  @Test func `the program reads its tables back`() throws {
    #expect(Set(Statement.all) == Set(try Self.statements()))
    for rule in Rule.allCases {
      #expect(rule.standing == Standing(of: rule, by: Statement.all), "\(rule.rawValue)")
    }
  }

  // MARK: Writing

  /// Returns the lines of the table: each source is followed by its statements.
  private static func table(of statements: [Statement]) -> String {
    var lines: [Statement.Source: [String]] = [:]
    for statement in statements { lines[statement.source, default: []].append(line(statement)) }
    var seen: Set<Statement.Source> = []
    return statements.map(\.source).filter { seen.insert($0).inserted }.flatMap { source in
      [
        [source.kind.rawValue, source.date ?? "", source.address, source.title]
          .joined(separator: "|")
      ] + (lines[source] ?? [])
    }.joined(separator: "\n")
  }

  private static func line(_ statement: Statement) -> String {
    var fields = [
      statement.file, statement.text,
      statement.rules.map(\.rawValue).joined(separator: " "),
      statement.settings.map(\.rawValue).joined(separator: " "),
      statement.channels.map(\.rawValue).joined(separator: " "),
      statement.statuses.joined(separator: " "), statement.sdk ?? "", statement.ios ?? "",
      statement.contested ?? "", statement.program ?? "", statement.expected?.rawValue ?? "",
    ]
    while fields.last == "" { fields.removeLast() }
    return "- " + fields.joined(separator: "|")
  }
}
