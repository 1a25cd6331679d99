internal import Analysis
internal import Encodings
package import Model
package import Output
internal import Policy
internal import Scenario

package struct CompletedForm: Sendable {
  /// One experiment that was carried out.
  package struct Entry: Sendable {
    package let experiment: Experiment
    package let observed: Outcome
    fileprivate let note: String?

    /// Whether the observation on the phone equals the outcome of Sluice's verdict.
    package var agrees: Bool { observed == experiment.verdict.outcome }
  }

  private let address: String
  private let title: String
  private let date: String
  private let ios: String?
  /// The experiments that were carried out, in the form's order. There is at least one.
  package let entries: [Entry]
  /// The experiments' policies that the logs show to be in force; empty if no logs were given.
  private let loggedPolicies: [LoggedPolicy]

  /// Reads a form. Experiments without an observation are left out.
  ///
  /// - Parameter logs: The device's diagnostic logs. They must show that each experiment's policy was in force. Without
  ///   logs, the form is trusted.
  /// - Throws: ``FormErrors`` with all errors in the form or, if the form has none, in the logs.
  package init(
    _ text: String, file: String, logs: [DiagnosticLog] = []
  ) throws(FormErrors) {
    var reader = FormReader(file: file)
    let root: JSONValue
    do throws(ScenarioErrors) {
      root = try YAMLFile.json(text, file: file)
    } catch {
      throw FormErrors(diagnostics: error.diagnostics)
    }
    let fields = reader.members(
      of: root, "the form", known: ["at", "title", "date", "ios", "observations"])
    guard root.members != nil else { throw FormErrors(diagnostics: reader.diagnostics) }
    address = reader.text(
      "at", in: fields, of: root, like: /https:\/\/\S+/, "an address that begins with `https://`")
    title = reader.text("title", in: fields, of: root, like: /[^|\n]+/, "one line without `|`")
    date = reader.text(
      "date", in: fields, of: root, like: /\d{4}-\d\d-\d\d/, "a date such as `2026-12-01`")
    let version = reader.text(
      "ios", in: fields, of: root, like: /\d+(\.\d+)*/, "a version such as `26.1`",
      isRequired: false)
    ios = version.isEmpty ? nil : version
    entries = reader.entries(in: fields["observations"], of: root)
    guard reader.diagnostics.isEmpty else { throw FormErrors(diagnostics: reader.diagnostics) }
    let used = Set(entries.map(\.experiment.policy.name))
    loggedPolicies =
      logs.isEmpty
      ? [] : try LoggedPolicy.find(KitPolicy.all.filter { used.contains($0.name) }, in: logs)
  }
}

/// The errors in a form or in the logs given with it. There is at least one.
package struct FormErrors: Error, Sendable {
  package let diagnostics: [Diagnostic]
}

/// Reads the parts of a form, and collects their errors.
private struct FormReader {
  let file: String
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String) { self.file = file }

  private mutating func report(
    _ code: ScenarioError.Code, at position: Position, _ message: String
  ) {
    diagnostics.append(Diagnostic(.file(file, position), message, rule: code.rawValue))
  }

  /// Returns the members of a mapping by name, and reports unknown names. For any other value, reports an error and
  /// returns an empty dictionary.
  mutating func members(
    of value: JSONValue, _ subject: String, known: [String]
  ) -> [String: JSONValue] {
    guard let members = value.members else {
      report(.wrongType, at: value.position, "\(subject) must be a mapping")
      return [:]
    }
    for member in members where !known.contains(member.name) {
      report(
        .unknownKey, at: member.position,
        "\(subject) has no key `\(member.name)`"
          + Suggestion.nearest(to: member.name, among: known))
    }
    return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// Returns the text of the field `key`. If it is invalid, or required but missing, reports an error. The result is
  /// then empty, as for an optional field without a value.
  mutating func text(
    _ key: String, in fields: [String: JSONValue], of owner: JSONValue, like form: Regex<some Any>,
    _ expected: String, isRequired: Bool = true
  ) -> String {
    guard let value = fields[key], !value.isNull else {
      if isRequired {
        report(
          .missingKey, at: fields[key]?.position ?? owner.position, "the form needs `\(key)`")
      }
      return ""
    }
    guard let text = value.string, (try? form.wholeMatch(in: text)) != nil else {
      report(.invalidValue, at: value.position, "`\(key)` must be \(expected)")
      return ""
    }
    return text
  }

  /// Returns the experiments with an observation.
  mutating func entries(in list: JSONValue?, of form: JSONValue) -> [CompletedForm.Entry] {
    guard let values = list?.array else {
      report(
        .missingKey, at: list?.position ?? form.position, "the form needs a list `observations`")
      return []
    }
    var entries: [CompletedForm.Entry] = []
    for value in values {
      guard let entry = entry(value) else { continue }
      let name = entry.experiment.name
      if entries.contains(where: { $0.experiment.name == name }) {
        report(.duplicateName, at: value.position, "the form has two observations of `\(name)`")
      }
      entries.append(entry)
    }
    if entries.isEmpty, diagnostics.isEmpty {
      report(
        .missingKey, at: form.position, "the form has no value of `observed`; fill in at least one")
    }
    return entries
  }

  /// Returns the entry that `value` describes; nil if it has no observation. If it has an error, reports the error and
  /// returns nil.
  private mutating func entry(_ value: JSONValue) -> CompletedForm.Entry? {
    let fields = members(
      of: value, "an observation", known: ["experiment", "observed", "note"])
    guard let name = fields["experiment"], let text = name.string else {
      report(
        .missingKey, at: fields["experiment"]?.position ?? value.position,
        "an observation needs the name of its `experiment`")
      return nil
    }
    guard let experiment = Experiment.all.first(where: { $0.name == text }) else {
      report(
        .unknownName, at: name.position,
        "`sluice field-kit` has no experiment `\(text)`"
          + Suggestion.nearest(to: text, among: Experiment.all.map(\.name)))
      return nil
    }
    guard let observed = fields["observed"], !observed.isNull else { return nil }
    let outcomes = experiment.observations.map(\.outcome)
    guard let outcome = outcomes.first(where: { $0.rawValue == observed.string }) else {
      let words = ListFormat.any(of: outcomes.map { "`\($0.rawValue)`" })
      report(.invalidValue, at: observed.position, "`observed` must be \(words), or empty")
      return nil
    }
    return CompletedForm.Entry(
      experiment: experiment, observed: outcome, note: fields["note"]?.string)
  }
}

// MARK: - Conclusions

extension CompletedForm {
  /// The rules that the experiments settle and that no observation refutes.
  package var confirmedRules: [Rule] {
    let refuted = refutedRules
    return rules(of: entries).filter { !refuted.contains($0) }
  }

  /// The rules that are settled by an experiment in which the observation contradicts Sluice's verdict.
  package var refutedRules: [Rule] { rules(of: entries.filter { !$0.agrees }) }

  /// The alternatives that the observations support: an alternative's predictions differ from Sluice's verdicts in at
  /// least one experiment, and each of these predictions was observed. An alternative is left out if another
  /// alternative explains the same experiments and more.
  package var supportedAlternatives: [Alternative] {
    let explanations = FieldKit().alternatives.compactMap { alternative in
      let telling = entries.filter {
        alternative.outcome(of: $0.experiment.question) != $0.experiment.verdict.outcome
      }
      let isRight = telling.allSatisfy {
        alternative.outcome(of: $0.experiment.question) == $0.observed
      }
      return telling.isEmpty || !isRight
        ? nil : (alternative: alternative, entries: Set(telling.map(\.experiment.name)))
    }
    return explanations.filter { explanation in
      !explanations.contains { $0.entries.isStrictSuperset(of: explanation.entries) }
    }.map(\.alternative)
  }

  private func rules(of entries: [Entry]) -> [Rule] {
    let rules = Set(entries.flatMap(\.experiment.subjects))
    return Rule.allCases.filter(rules.contains)
  }

  /// The conclusions as text with a final line break.
  package var text: String {
    var lines = entries.map { entry in
      let outcome = entry.experiment.verdict.outcome
      return "\(entry.experiment.name): \(entry.observed.rawValue), "
        + (entry.agrees ? "as Sluice decides" : "but Sluice decides: \(outcome.rawValue)")
    }
    func list(_ title: String, _ items: [String]) {
      guard !items.isEmpty else { return }
      lines += ["", title]
      for item in items { lines += "  \(item)".wrapped(to: 118, indentedBy: "    ") }
    }
    list("In force by the log", loggedPolicies.map(\.policy.name))
    list("Confirmed", confirmedRules.map { "\($0.rawValue) (\($0.standing.text))" })
    list("Refuted", refutedRules.map { "\($0.rawValue) (\($0.standing.text))" })
    let supported = supportedAlternatives
    list(
      "Supported instead",
      supported.map { alternative in
        let file = alternative.statement.map { " (\($0).yaml)" } ?? ""
        return alternative.text + file
      })
    let explained = Set(supported.flatMap(\.rules))
    list(
      "Not explained by a known alternative",
      entries.filter { !$0.agrees && explained.isDisjoint(with: $0.experiment.subjects) }
        .map(\.experiment.name))
    return lines.joinedLines
  }
}

// MARK: - Statements

extension CompletedForm {
  /// The files to add to `evidence` and `evidence-open`, with their paths. They state the observations.
  package var statements: [(path: String, text: String)] {
    entries.map { entry in
      let folder = entry.agrees ? "evidence" : "evidence-open"
      return ("\(folder)/field/\(entry.experiment.name)-\(date).yaml", text(of: entry))
    }
      + loggedPolicies.map { logged in
        (
          "evidence/field/log-\(logged.policy.name)-\(date).yaml",
          logged.statement(source: source(.deviceLog))
        )
      }
  }

  /// Returns the lines of YAML that state the source of an observation.
  private func source(_ kind: Statement.Kind) -> [String] {
    [
      "source:", "  kind: \(kind.rawValue)", "  at: \(YAMLScalar.text(address))",
      "  title: \(YAMLScalar.text(title))", "  date: \(YAMLScalar.text(date))",
    ] + (ios.map { ["versions: {ios: \(YAMLScalar.text($0))}"] } ?? [])
  }

  private func text(of entry: Entry) -> String {
    let experiment = entry.experiment
    let seen = experiment.observations.first { $0.outcome == entry.observed }?.text ?? ""
    let rules = experiment.subjects
    let settings = experiment.verdict.reasons.filter { rules.contains($0.rule) }
      .compactMap { $0.setting?.rawValue }.unique
    var lines: [String] = []
    if let note = entry.note {
      lines.append("# " + note.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
    lines.append(
      "statement: " + YAMLScalar.text("\(experiment.title): \(seen).".replacing("`", with: "")))
    lines += source(experiment.kind)
    if !rules.isEmpty { lines.append("rules: [\(rules.map(\.rawValue).joined(separator: ", "))]") }
    if !settings.isEmpty { lines.append("settings: [\(settings.joined(separator: ", "))]") }
    lines += ["run:"] + run(of: entry)
    if !entry.agrees { lines.append("program: \(answer(to: entry))") }
    return lines.joinedLines
  }

  private func run(of entry: Entry) -> [String] {
    let experiment = entry.experiment
    let rule = entry.agrees ? experiment.subjects.first : nil
    guard let request = experiment.question.request else {
      let scenario = experiment.rehearsal?.text(
        titled: experiment.name, under: experiment.policy, expecting: entry.observed, by: rule)
      return ["  scenario: |"] + (scenario ?? "").split(separator: "\n").map { "    \($0)" }
    }
    return [
      "  policies:", "  - \(experiment.policy.line)", "  decide: \(request)",
      "  verdict: \(entry.observed.rawValue)",
    ] + (rule.map { ["  reason: \($0.rawValue)"] } ?? [])
  }

  /// Returns Sluice's verdict as text for the `program` field of an open statement.
  private func answer(to entry: Entry) -> String {
    let verdict = entry.experiment.verdict
    return entry.experiment.question.request == nil
      ? "expected verdict \(entry.observed.rawValue), found verdict \(verdict.outcome.rawValue)"
      : "\(verdict.outcome.rawValue) by \(verdict.deciding.rule.rawValue)"
  }
}

extension Question {
  /// The question as a request of `sluice decide`, in one line of JSON; nil if `sluice decide` does not support it.
  fileprivate var request: String? {
    switch self {
    case .transfer(let request):
      JSONWriter.objectText { request.writeFacts(to: &$0, policies: .managed) }
    case .launch(let request):
      JSONWriter.objectText { writer in
        writer.object("launch") { writer in
          writer.member("app", request.app.bundleID)
          writer.member("account", KitUser.anna.account.upn)
          writer.member("managed", request.policy != nil)
          writer.member("currentPIN", request.access.current?.pin.text)
          let offline = request.now - (request.account.lastCheckIn ?? request.now)
          if offline > 0 { writer.member("offlineFor", "PT\(offline)S") }
        }
      }
    case .pinChange, .signIn, .file, .device: nil
    }
  }
}
