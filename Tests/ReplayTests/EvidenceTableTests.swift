import Analysis
import Encodings
import Model
import TestSupport
import Testing

/// Compares the program's tables about `evidence` with the files. `SLUICE_RECORD=1` rewrites the tables. Such a run
/// fails on purpose.
@Suite struct EvidenceTableTests {
  /// The statements in the files, in the order of their names.
  private static func statements() throws -> [Statement] {
    try ["evidence", "evidence-open"].flatMap { folder in
      try Evidence.files(in: folder).map { try Evidence($0).statement }
    }
  }

  @Test func `the generated StatementTable.swift has the statements of all evidence files`() throws
  {
    let text = Self.table(of: try Self.statements())
    try Self.check("Sources/Tools/Analysis/Evidence/StatementTable.swift", quotes: "#\"\"\"", text)
  }

  @Test func `StandingTable.swift lists rules whose standing differs from that of their source`()
    throws
  {
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

  @Test
  func `docs/evidence.md lists rules by standing, and subjects without statements`() throws {
    let statements = try Self.statements()
    let standings = Rule.allCases.map { (rule: $0, standing: Standing(of: $0, by: statements)) }
    var items = Standing.Level.allCases.map { level in
      let rules = standings.filter { $0.standing.level == level }
      let count = rules.count.counting("\(level.rawValue) rule")
      return switch level {
      case .documented:
        "\(count), \(rules.count { $0.standing.observations > 0 }) of them observed"
      case .device: count
      case .contested, .assumed, .reported, .maintainer:
        rules.isEmpty ? count : "\(count): \(Self.code(rules.map(\.rule.rawValue)))"
      }
    }
    let coverage = EvidenceCoverage(of: statements)
    items.append(Self.missing("settings", coverage.settings, \.rawValue))
    items.append(Self.missing("channels", coverage.channels, \.rawValue))
    items.append(Self.missing("statuses", coverage.statuses, \.self))
    try Document.check("docs/evidence.md") { text in
      try Document.replacing(items.flatMap(Document.item), madeOf: "evidence", in: text)
    }
  }

  private static func missing<Subject>(
    _ title: String, _ counts: [EvidenceCoverage.Count<Subject>], _ name: (Subject) -> String
  ) -> String {
    let missing = counts.filter { $0.total == 0 }.map { name($0.subject) }
    let end = missing.isEmpty ? "" : ": \(code(missing))"
    return "\(missing.count) of \(counts.count) \(title) without a statement\(end)"
  }

  private static func code(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Square brackets in `docs/ASSUMPTIONS.md` list rules.
  @Test func `each assumed rule is in its section of docs/ASSUMPTIONS.md`() throws {
    var sections: [String: Set<String>] = [:]
    for section in try Repository.read("docs/ASSUMPTIONS.md").split(separator: "\n## ").dropFirst()
    {
      let title = section.prefix { $0 != "\n" }.lowercased()
      let names = section.matches(of: /\[([^\]\[]*)\](?!\()/).flatMap { brackets in
        brackets.1.matches(of: /`(\w+)`/).map { String($0.1) }
      }
      sections[title] = Set(names)
    }
    for rule in Rule.allCases {
      guard case .assumed(let section) = rule.row.source else { continue }
      let names = try #require(sections[section.lowercased()], "\(section)")
      #expect(names.contains(rule.rawValue), "\(rule.rawValue) is not in \(section)")
    }
    // Visibility in share sheets has findings of its own.
    let unknown = Set(sections.filter { $0.key != "share sheet" }.values.joined())
      .filter { Rule(rawValue: $0) == nil }
    #expect(unknown.isEmpty)
  }

  /// A rule with a public source is not marked as assumed: its row names the source.
  @Test func `a rule that evidence supports is not marked as assumed`() throws {
    let statements = try Self.statements()
    for rule in Rule.allCases where rule.isAssumed {
      let level = Standing(of: rule, by: statements).level
      #expect(level == .assumed || level == .contested, "\(rule.rawValue) is \(level.rawValue)")
    }
  }

  @Test
  func `the program's evidence tables match the statements and standings in the evidence files`()
    throws
  {
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
