package import Encodings
package import Model
internal import Output
package import Policy

/// Counts of the public statements about each rule, setting, channel and status.
package struct EvidenceCoverage: Sendable {
  /// The number of statements about a subject that hold, and the number of open statements, which do not hold.
  package struct Count<Subject: Sendable>: Sendable {
    package var subject: Subject
    package var holding: Int
    package var open: Int

    fileprivate init(_ subject: Subject, _ statements: [Statement]) {
      self.subject = subject
      holding = statements.count(where: \.holds)
      open = statements.count - holding
    }

    package var total: Int { holding + open }
  }

  package let rules: [Count<Rule>]
  package let settings: [Count<Setting>]
  package let channels: [Count<Channel>]
  package let statuses: [Count<String>]
  package let statements: [Statement]

  package init(of statements: [Statement] = Statement.all) {
    func counts<Subject: Hashable & Sendable>(
      _ subjects: [Subject], _ named: (Statement) -> [Subject]
    ) -> [Count<Subject>] {
      var found: [Subject: [Statement]] = [:]
      for statement in statements {
        for subject in Set(named(statement)) { found[subject, default: []].append(statement) }
      }
      return subjects.map { Count($0, found[$0] ?? []) }
    }
    rules = counts(Rule.allCases, \.allRules)
    settings = counts(Setting.allCases, \.settings)
    channels = counts(Channel.allCases, \.channels)
    statuses = counts(Statement.statusNames, \.statuses)
    self.statements = statements
  }

  /// Returns the counts of the rules whose standing has this level, in the order of ``Rule``.
  private func rules(_ level: Standing.Level) -> [Count<Rule>] {
    rules.filter { $0.subject.standing.level == level }
  }
}

// MARK: - Text

extension EvidenceCoverage {
  /// The counts as text with a final line break.
  package var text: String {
    let open = statements.count { !$0.holds }
    let sources = Set(statements.map(\.source.address)).count
    var lines = [
      "\(statements.count.counting("statement")) from \(sources.counting("source")): "
        + "\(statements.count - open) hold, \(open) do not", "",
      "Rules by standing, each with the number of its statements",
    ]
    for level in Standing.Level.allCases {
      let rules = rules(level)
      lines += Self.entry("\(level.rawValue) (\(rules.count))", rules.map(Self.words))
    }
    lines += ["", "Without a statement"]
    lines += Self.missing("settings", settings, \.rawValue)
    lines += Self.missing("channels", channels, \.rawValue)
    lines += Self.missing("statuses", statuses, \.self)
    return lines.joinedLines
  }

  private static func words(_ rule: Count<Rule>) -> String {
    let observed = rule.subject.standing.observations
    return "\(rule.subject.rawValue) \(rule.total)"
      + (observed > 0 ? " (observed \(observed)×)" : "")
  }

  private static func missing<Subject>(
    _ title: String, _ counts: [Count<Subject>], _ name: (Subject) -> String
  ) -> [String] {
    let missing = counts.filter { $0.total == 0 }
    return entry(
      "\(title) (\(missing.count) of \(counts.count))", missing.map { name($0.subject) })
  }

  private static func entry(_ title: String, _ names: [String]) -> [String] {
    let list = names.isEmpty ? "none" : names.joined(separator: ", ")
    return "  \(title): \(list)".wrapped(to: 118, indentedBy: "    ")
  }
}

// MARK: - Policies

extension EvidenceCoverage {
  /// Returns a text that lists each setting in the policy's file with its number of statements.
  package func text(of policy: PolicyDocument) -> String {
    let stated = settings.filter { policy.origins[$0.subject] != nil }
    let rows = stated.map { count in
      [
        count.subject.rawValue, count.total.counting("statement"),
        count.open > 0 ? "\(count.open) \(count.open == 1 ? "does" : "do") not hold" : "",
      ]
    }
    let known = stated.count { $0.total > 0 }
    return
      ([
        "\(policy.displayName) (\(policy.file)): \(known) of \(stated.count.counting("setting")) have statements"
      ]
      + TextColumns.lines(rows, indent: 2)).joinedLines
  }

  /// Writes the policy's name, its file, and the counts for each setting in the file. They become members of the object
  /// that is open in `writer`.
  package func writeMembers(of policy: PolicyDocument, to writer: inout JSONWriter) {
    writer.member("policy", policy.displayName)
    writer.member("file", policy.file)
    let stated = settings.filter { policy.origins[$0.subject] != nil }
    writer.objects("settings", of: stated) { $1.write("setting", \.rawValue, to: &$0) }
  }
}

// MARK: - JSON

extension EvidenceCoverage {
  /// The counts as one JSON object with a final line break.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.objects("rules", of: rules) { writer, count in
        count.write("rule", \.rawValue, to: &writer)
        count.subject.standing.writeMembers(to: &writer)
      }
      writer.objects("settings", of: settings) { $1.write("setting", \.rawValue, to: &$0) }
      writer.objects("channels", of: channels) { $1.write("channel", \.rawValue, to: &$0) }
      writer.objects("statuses", of: statuses) { $1.write("status", \.self, to: &$0) }
    }
  }
}

extension EvidenceCoverage.Count {
  fileprivate func write(
    _ kind: StaticString, _ name: (Subject) -> String, to writer: inout JSONWriter
  ) {
    writer.member(kind, name(subject))
    writer.member("holding", holding)
    writer.member("open", open)
  }
}
