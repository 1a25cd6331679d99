package import Model

/// A public statement, with a run that shows whether Sluice behaves as stated. Each statement is a file in `evidence`
/// or `evidence-open`.
package struct Statement: Sendable, Hashable {
  /// The place where statements were published.
  package struct Source: Sendable, Hashable {
    package var kind: Kind
    /// The date of publication, such as `2024-05-01`; nil if unknown.
    package var date: String?
    package var address: String
    package var title: String

    package init(kind: Kind, date: String?, address: String, title: String) {
      self.kind = kind
      self.date = date
      self.address = address
      self.title = title
    }
  }

  package enum Kind: String, Sendable, CaseIterable {
    case documentation
    case header
    case releaseNote = "release-note"
    /// An answer from one of the product's engineers.
    case maintainer
    case deviceLog = "device-log"
    case report

    /// The level of a rule's standing if a source of this kind supports the rule.
    package var level: Standing.Level {
      switch self {
      case .documentation, .header, .releaseNote: .documented
      case .maintainer: .maintainer
      case .deviceLog, .report: .reported
      }
    }

    /// Whether the source reports an observation of a device.
    package var isObservation: Bool { level == .reported }
  }

  package var source: Source
  /// The file without its extension, relative to the repository.
  package var file: String
  /// The statement as one sentence.
  package var text: String
  package var rules: [Rule]
  package var settings: [Setting]
  /// The channels that the statement's run uses.
  package var channels: [Channel]
  /// The names of the enrollment and compliance statuses in the statement's run.
  package var statuses: [String]
  /// The SDK releases that the statement is about; nil for all releases.
  package var sdk: String?
  package var ios: String?
  /// The statement that contradicts this one, with its source; nil if there is none.
  package var contested: String?
  /// The answer that Sluice gives instead of the stated one; nil if the statement holds.
  package var program: String?
  /// The outcome that the statement claims, if it differs from Sluice's outcome; otherwise nil.
  package var expected: Outcome?

  /// Whether Sluice behaves as stated.
  package var holds: Bool { program == nil }

  /// The rules that the statement is about. If the statement does not hold, includes the rule that decided instead.
  package var allRules: [Rule] {
    let words = (program ?? "").split(separator: " ")
    guard words.count == 3, words[1] == "by", let rule = Rule(rawValue: String(words[2])),
      !rules.contains(rule)
    else { return rules }
    return rules + [rule]
  }

  /// Returns whether another public statement contradicts this one about `rule`, which makes the rule contested. A
  /// statement about particular SDK releases contests no rule, because a rule covers all releases.
  package func contests(_ rule: Rule) -> Bool {
    guard contested != nil, sdk == nil, allRules.contains(rule) else { return false }
    return holds || expected.map { $0 != rule.effect } == true
  }

  package static let statusNames =
    EnrollmentStatus.allCases.map(\.name) + ComplianceStatus.allCases.map(\.name)
}

// MARK: - The table

extension Statement {
  /// All statements, grouped by source.
  package static let all: [Statement] = {
    var source: Source?
    return table.split(separator: "\n").compactMap { line -> Statement? in
      guard line.hasPrefix("- ") else {
        source = Source(fields(of: line))
        return nil
      }
      guard let source else { preconditionFailure("the statement `\(line)` has no source") }
      return Statement(fields(of: line.dropFirst(2)), from: source)
    }
  }()

  private static func fields(of line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  private init(_ fields: [String], from source: Source) {
    func text(_ index: Int) -> String? {
      fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
    }
    func words(_ index: Int) -> [String] {
      (text(index) ?? "").split(separator: " ").map(String.init)
    }
    self.init(
      source: source, file: fields[0], text: text(1) ?? "",
      rules: words(2).map { Self.known(Rule(rawValue: $0), $0) },
      settings: words(3).map { Self.known(Setting(rawValue: $0), $0) },
      channels: words(4).map { Self.known(Channel(rawValue: $0), $0) }, statuses: words(5),
      sdk: text(6), ios: text(7), contested: text(8), program: text(9),
      expected: text(10).map { Self.known(Outcome(rawValue: $0), $0) })
  }

  fileprivate static func known<Value>(_ value: Value?, _ name: String) -> Value {
    guard let value else {
      preconditionFailure("the table of statements names `\(name)`, which does not exist")
    }
    return value
  }
}

extension Statement.Source {
  fileprivate init(_ fields: [String]) {
    precondition(fields.count == 4, "a source has a kind, a date, an address and a title")
    self.init(
      kind: Statement.known(Statement.Kind(rawValue: fields[0]), fields[0]),
      date: fields[1].isEmpty ? nil : fields[1], address: fields[2], title: fields[3])
  }
}

// MARK: - Standings

extension Standing {
  /// Derives a rule's standing from the rule's declaration and from the statements about it.
  ///
  /// A contradicted statement makes the rule contested only if the statement's source observed a device or is at least
  /// as good as the rule's best source.
  package init(of rule: Rule, by statements: [Statement]) {
    let agreeing = statements.filter { $0.holds && $0.rules.contains(rule) }
    let stated = agreeing.map(\.source.kind.level).max()
    var standing = Standing(rule.row.source)
    if let stated, standing.level == .device || stated > standing.level { standing.level = stated }
    let level = standing.level
    let isContested = statements.contains { statement in
      let kind = statement.source.kind
      return statement.contests(rule) && (kind.isObservation || kind.level >= level)
    }
    if isContested { standing.level = .contested }
    standing.observations = agreeing.count { $0.source.kind.isObservation }
    self = standing
  }
}
