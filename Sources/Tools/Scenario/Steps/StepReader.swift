package import Encodings
import Model
internal import Output

/// Reads single steps for the device of a running scenario, from YAML, JSON or command-line words.
package struct StepReader: Sendable {
  private let names: Names

  /// The file name that messages use for the text of a step.
  private static let file = "step"

  /// Creates a reader of steps that can refer to the accounts, apps and policies of `scenario`.
  package init(_ scenario: Scenario) {
    names = Names(scenario)
  }

  /// The words that begin a step, sorted.
  package static let words = Action.rows.map(\.word).sorted()

  /// Returns the known word that is most similar to `word`; nil if none is similar.
  package static func nearest(to word: String, among known: [String]) -> String? {
    Suggestion.word(for: word, among: known, within: max(1, word.count / 3))
  }

  /// Reads the single step in a YAML text: a mapping, or a list with one element.
  package func step(yaml text: String) throws(ScenarioErrors) -> StepEntry {
    // JSON is read as JSON, because some of its escapes are not valid in YAML.
    if text.first == "{", let value = try? JSONReader.read(text) { return try step(json: value) }
    return try reading { () throws(InputError) in
      let value = try YAMLReader.read(text, atMost: .step)
      guard case .sequence(let elements) = value.kind else { return try StepEntry(value, names) }
      guard elements.count == 1, let only = elements.first else {
        throw value.mistake(.invalidValue, "expected one step, found \(elements.count)")
      }
      return try StepEntry(only, names)
    }
  }

  package func step(json value: JSONValue) throws(ScenarioErrors) -> StepEntry {
    try reading { () throws(InputError) in
      try StepEntry(YAMLValue(value, name: "step", atMost: .step), names)
    }
  }

  package func step(
    _ word: String, json value: JSONValue
  ) throws(ScenarioErrors) -> StepEntry {
    try reading { () throws(InputError) in
      let member = YAMLValue.Member(
        key: word, position: value.position,
        value: try YAMLValue(value, name: word, atMost: .step))
      return try StepEntry(
        YAMLValue(kind: .mapping([member]), position: value.position, name: "step"), names)
    }
  }

  private func reading(
    _ body: () throws(InputError) -> StepEntry
  ) throws(ScenarioErrors) -> StepEntry {
    do throws(InputError) {
      return try body()
    } catch {
      throw ScenarioErrors(error, file: Self.file)
    }
  }
}

// MARK: - Step source

/// A step with its source members, so it can be written back as YAML.
package struct StepEntry {
  package let step: Step
  private let row: StepRow
  /// The step's members in source order, without expectations and repetitions.
  private var members: [YAMLValue.Member]

  init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let list = YAMLValue(kind: .sequence([value]), position: value.position, name: "steps")
    let members = try value.mapping()
    guard let step = try Step.readAll(list, names).first,
      let row = members.lazy.compactMap({ Action.row(of: $0.key) }).first
    else {
      throw value.mistake(.missingKey, "a step needs an action, such as `launch` or `share`")
    }
    self.step = step
    self.row = row
    self.members = Self.withoutOutcome(members)
  }

  /// Removes the expectations and repetitions of a step, and of the steps inside `concurrently`.
  private static func withoutOutcome(_ members: [YAMLValue.Member]) -> [YAMLValue.Member] {
    let outcome = [Step.Qualifier.expect, .repeat].map(\.rawValue)
    return members.filter { !outcome.contains($0.key) }.map { $0.mapSteps(withoutOutcome) }
  }

  /// Returns the step as an element of a scenario's `steps`, repeated `count` times.
  ///
  /// - Parameter expectation: The expected outcome of each repetition, as returned by
  ///   ``expectation(of:)``; nil for no expectation.
  package func text(repeated count: Int = 1, expecting expectation: String? = nil) -> String {
    var lines = members.map(\.flowText)
    if count > 1 { lines.append("\(Step.Qualifier.repeat.rawValue): \(count)") }
    if let expectation { lines.append("\(Step.Qualifier.expect.rawValue): \(expectation)") }
    return "      - " + lines.joined(separator: "\n        ") + "\n"
  }

  /// The approximate number of YAML values in the recorded step: the values of the action, plus 8 for the step itself
  /// and its expectation.
  package var size: Int { members.reduce(8) { $0 + $1.value.count } }

  /// Returns the observed verdict, rule, end and exit as an expectation, in one line of YAML. If extensions returned
  /// items, the line also expects the observed outcomes of these items. Returns nil if nothing was observed.
  ///
  /// - Parameter observations: The outcome for each acting guest. Properties that differ between guests are omitted.
  package func expectation(of observations: [Observation]) -> String? {
    var members = Self.members(observations, row.expects)
    if observations.count == 1, let returned = observations.first?.returned, !returned.isEmpty {
      let items = returned.map { Self.flowText(Self.members([$0], row.expects)) }
      members.append("\(Expectation.Key.returned.rawValue): [\(items.joined(separator: ", "))]")
    }
    return members.isEmpty ? nil : Self.flowText(members)
  }

  private static func members(
    _ observations: [Observation], _ known: Set<Expectation.Key>
  ) -> [String] {
    let values: [(key: Expectation.Key, value: (Observation) -> String?)] = [
      (.verdict, { $0.verdict?.outcome.rawValue }),
      (.decidedBy, { $0.verdict?.deciding.rawValue }),
      (.end, { $0.end?.rawValue }),
      (.exit, \.exit),
    ]
    return values.filter { known.contains($0.key) }.compactMap { key, value in
      let found = Set(observations.map(value))
      guard found.count == 1, let only = found.first?.flatMap(\.self) else { return nil }
      return "\(key.rawValue): \(YAMLScalar.text(only))"
    }
  }

  private static func flowText(_ members: [String]) -> String {
    "{ \(members.joined(separator: ", ")) }"
  }

  /// Returns the step with its paths of files and folders mapped by `path`.
  package func relocated(_ path: (String) -> String) -> StepEntry {
    var entry = self
    entry.members = members.map { Self.relocated($0, path) }
    return entry
  }

  private static func relocated(
    _ member: YAMLValue.Member, _ path: (String) -> String
  ) -> YAMLValue.Member {
    var member = member.mapSteps { $0.map { relocated($0, path) } }
    switch Action.row(of: member.key)?.path {
    case .value:
      guard case .scalar(let text, _) = member.value.kind, text != "none" else { break }
      member.value.kind = .scalar(path(text), isPlain: false)
    case .key(let name):
      guard case .mapping(var parts) = member.value.kind else { break }
      for index in parts.indices where parts[index].key == name {
        guard case .scalar(let text, _) = parts[index].value.kind else { continue }
        parts[index].value.kind = .scalar(path(text), isPlain: false)
      }
      member.value.kind = .mapping(parts)
    case nil: break
    }
    return member
  }
}

extension YAMLValue.Member {
  /// Returns the member with `change` applied to each step of `concurrently`. Other members are unchanged.
  fileprivate func mapSteps(
    _ change: ([YAMLValue.Member]) -> [YAMLValue.Member]
  ) -> YAMLValue.Member {
    guard key == Action.Concurrency.step.word, case .sequence(let steps) = value.kind else {
      return self
    }
    var member = self
    member.value.kind = .sequence(
      steps.map { step in
        guard case .mapping(let members) = step.kind else { return step }
        var step = step
        step.kind = .mapping(change(members))
        return step
      })
    return member
  }
}
