internal import Encodings
package import Model
internal import Output
internal import Policy

/// A rule, setting, channel, status or statement that `sluice evidence` reports on.
package enum EvidenceTopic: Sendable, Hashable {
  case rule(Rule)
  case setting(Setting)
  case channel(Channel)
  case status(String)
  case statement(Statement)

  /// Creates the topic that `name` identifies; nil if there is none. A setting is identified by its key or its label in
  /// the admin centre. A statement is identified by its file, with or without leading folders and extension.
  package init?(named name: String) {
    if let rule = Rule(rawValue: name) {
      self = .rule(rule)
    } else if let setting = Setting(rawValue: name) ?? Self.settingsByLabel[name.lowercased()] {
      self = .setting(setting)
    } else if let channel = Channel(named: name) {
      self = .channel(channel)
    } else if Statement.statusNames.contains(name) {
      self = .status(name)
    } else if let statement = Self.statement(in: name) {
      self = .statement(statement)
    } else {
      return nil
    }
  }

  private static let settingsByLabel = Dictionary(
    Setting.allCases.map { ($0.label.lowercased(), $0) }
  ) { first, _ in first }

  private static func statement(in file: String) -> Statement? {
    let path = "/" + (file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file)
    return Statement.all.first { path.hasSuffix("/" + $0.file) }
      ?? Statement.all.first { ("/" + $0.file).hasSuffix(path) }
  }

  /// The names of all topics except statements. Suggestions for a misspelled name are taken from them.
  package static let names =
    Rule.allCases.map(\.rawValue) + Setting.allCases.flatMap { [$0.rawValue, $0.label] }
    + Channel.names + Statement.statusNames

  /// The statements about the topic. Statements that hold come first.
  package var statements: [Statement] {
    let all = Statement.all.filter { statement in
      switch self {
      case .rule(let rule): statement.allRules.contains(rule)
      case .setting(let setting): statement.settings.contains(setting)
      case .channel(let channel): statement.channels.contains(channel)
      case .status(let name): statement.statuses.contains(name)
      case .statement(let one): statement == one
      }
    }
    return all.filter(\.holds) + all.filter { !$0.holds }
  }

  private var title: (kind: String, name: String) {
    switch self {
    case .rule(let rule): ("rule", rule.rawValue)
    case .setting(let setting): ("setting", setting.rawValue)
    case .channel(let channel): ("channel", channel.rawValue)
    case .status(let name): ("status", name)
    case .statement(let statement): ("statement", statement.file)
    }
  }
}

// MARK: - Text

extension EvidenceTopic {
  /// The topic as text: the standings of its rules, then the statements about it, with their sources. Ends with a line
  /// break.
  package var text: String {
    let statements = statements
    var lines = heading(of: statements)
    for (title, holds) in [("Statements that hold", true), ("Statements that do not hold", false)] {
      let some = statements.filter { $0.holds == holds }
      guard !some.isEmpty else { continue }
      lines += ["", "\(title): \(some.count)"] + some.flatMap(\.lines)
    }
    if statements.isEmpty { lines += ["", "No public statement is known."] }
    return lines.joinedLines
  }

  private func heading(of statements: [Statement]) -> [String] {
    switch self {
    case .rule(let rule):
      return ["\(rule.rawValue): \(rule.standing.text)"]
        + rule.row.text.replacing("the {side}'s policy", with: "the policy").lines
        + rule.source.lines
    case .setting(let setting):
      let rules = Set(statements.flatMap(\.allRules))
      let name = setting.label == setting.rawValue ? "" : " (\(setting.rawValue))"
      return ["\(setting.label)\(name): \(statements.count.counting("statement"))"]
        + Rule.allCases.filter(rules.contains).map { "  \($0.rawValue): \($0.standing.text)" }
    case .channel(let channel):
      return [
        "\(channel.row.title) (\(channel.rawValue)): \(statements.count.counting("statement"))"
      ]
    case .status(let name):
      return ["\(name): \(statements.count.counting("statement"))"]
    case .statement(let statement):
      return [statement.file + ".yaml"]
        + statement.allRules.map { "  \($0.rawValue): \($0.standing.text)" }
    }
  }
}

extension String {
  /// The text as indented lines of at most 118 columns.
  fileprivate var lines: [String] { "  \(self)".wrapped(to: 118, indentedBy: "  ") }
}

extension Statement {
  fileprivate var lines: [String] {
    let versions = [sdk.map { "SDK \($0)" }, ios.map { "iOS \($0)" }].compactMap(\.self)
    let facts = [source.kind.rawValue, source.date].compactMap(\.self) + versions
    var lines = text.lines
    lines += "\(facts.joined(separator: ", ")): \(source.title)".details
    lines += ["    \(source.address)", "    \(file).yaml"]
    if let program { lines += "here: \(program)".details }
    if let contested { lines += "contested: \(contested)".details }
    return lines
  }
}

extension String {
  fileprivate var details: [String] { "    \(self)".wrapped(to: 118, indentedBy: "    ") }
}

// MARK: - JSON

extension EvidenceTopic {
  /// The topic and its statements as one JSON object with a final line break.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("kind", title.kind)
      writer.member("name", title.name)
      switch self {
      case .rule(let rule):
        rule.standing.writeMembers(to: &writer)
        writer.member("source", rule.source)
      case .setting(let setting): writer.member("label", setting.label)
      case .channel, .status, .statement: break
      }
      writer.objects("statements", of: statements) { $1.writeMembers(to: &$0) }
    }
  }
}

extension Statement {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("file", file + ".yaml")
    writer.member("statement", text)
    writer.member("holds", holds)
    writer.object("source") { writer in
      writer.member("kind", source.kind.rawValue)
      writer.member("date", source.date)
      writer.member("at", source.address)
      writer.member("title", source.title)
    }
    writer.member("sdk", sdk)
    writer.member("ios", ios)
    writer.strings("rules", rules.map(\.rawValue))
    writer.strings("settings", settings.map(\.rawValue))
    writer.strings("channels", channels.map(\.rawValue))
    writer.strings("statuses", statuses)
    writer.member("program", program)
    writer.member("contested", contested)
  }
}
