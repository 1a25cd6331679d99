package import JSON
import Model
internal import Output

/// Reads single steps for a device that a scenario has brought up: as YAML, as JSON, or as the words of a command line.
package struct StepReader: Sendable {
  private let names: Names

  /// The name of the text of a step in messages.
  private static let file = "step"

  /// Creates a reader of steps that refer to the accounts, apps and policies of a scenario.
  package init(_ scenario: Scenario) {
    names = Names(scenario)
  }

  /// The words that begin a step, in alphabetical order.
  package static let words = Action.Word.allCases.map(\.rawValue).sorted()

  /// The known word that `word` is probably meant to be; nil where none is near.
  package static func nearest(to word: String, among known: [String]) -> String? {
    NearestWord.to(word, among: known, within: max(1, word.count / 3))
  }

  /// Reads the only step of a YAML text: a mapping, or a list of one.
  ///
  /// - Throws: ``ScenarioError`` with the first mistake.
  package func step(yaml text: String) throws(ScenarioError) -> StepEntry {
    // Escapes of JSON are not all YAML's.
    if text.first == "{", let value = try? JSONReader.read(text) { return try step(json: value) }
    return try reading { () throws(Mistake) in
      let value = try YAMLReader.read(text, atMost: .step)
      guard case .sequence(let elements) = value.kind else { return try StepEntry(value, names) }
      guard elements.count == 1, let only = elements.first else {
        throw value.mistake(.invalidValue, "one step at a time, found \(elements.count)")
      }
      return try StepEntry(only, names)
    }
  }

  /// Reads a step from JSON.
  ///
  /// - Throws: ``ScenarioError`` with the first mistake.
  package func step(json value: JSONValue) throws(ScenarioError) -> StepEntry {
    try reading { () throws(Mistake) in
      try StepEntry(YAMLValue(value, name: "step", atMost: .step), names)
    }
  }

  /// Reads the step that begins with a word, from the word's value.
  ///
  /// - Throws: ``ScenarioError`` with the first mistake.
  package func step(
    _ word: String, json value: JSONValue
  ) throws(ScenarioError) -> StepEntry {
    try reading { () throws(Mistake) in
      let member = YAMLValue.Member(
        key: word, position: value.position,
        value: try YAMLValue(value, name: word, atMost: .step))
      return try StepEntry(
        YAMLValue(kind: .mapping([member]), position: value.position, name: "step"), names)
    }
  }

  private func reading(
    _ body: () throws(Mistake) -> StepEntry
  ) throws(ScenarioError) -> StepEntry {
    do throws(Mistake) {
      return try body()
    } catch {
      throw ScenarioError(
        file: Self.file, position: error.position, code: error.code, message: error.message)
    }
  }
}

// MARK: - Step as written

/// A step as somebody wrote it, to be written anew.
package struct StepEntry {
  package let step: Step
  private let word: Action.Word
  /// The word with its value, then the keys `as` and `window` where they are there.
  private var members: [YAMLValue.Member]

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let list = YAMLValue(kind: .sequence([value]), position: value.position, name: "steps")
    let members = try value.mapping()
    guard let step = try Step.readAll(list, names).first,
      let word = members.lazy.compactMap({ Action.Word(rawValue: $0.key) }).first
    else {
      throw value.mistake(.missingKey, "a step needs an action, such as `launch` or `share`")
    }
    self.step = step
    self.word = word
    self.members = Self.withoutOutcome(members)
  }

  /// The members without what was expected and how often, also of steps that are carried out at once.
  private static func withoutOutcome(_ members: [YAMLValue.Member]) -> [YAMLValue.Member] {
    let outcome = [Step.Qualifier.expect, .repeat].map(\.rawValue)
    return members.filter { !outcome.contains($0.key) }.map { $0.mapSteps(withoutOutcome) }
  }

  /// The step as an element of a scenario's `steps`, which is carried out `count` times.
  ///
  /// - Parameter expectation: what each time must come to, as ``expectation(of:)`` says it; nil: nothing is expected.
  package func text(repeated count: Int = 1, expecting expectation: String? = nil) -> String {
    var lines = members.map(\.flowText)
    if count > 1 { lines.append("\(Step.Qualifier.repeat.rawValue): \(count)") }
    if let expectation { lines.append("\(Step.Qualifier.expect.rawValue): \(expectation)") }
    return "      - " + lines.joined(separator: "\n        ") + "\n"
  }

  /// How many values the step has, with what it may be expected to come to.
  package var size: Int { members.reduce(8) { $0 + $1.value.count } }

  /// The decision on the step and its end, and those on what extensions handed back, in one line of YAML; nil where
  /// nothing was decided.
  ///
  /// - Parameter observations: what came of the step, for each guest that acted; what they do not share is left out.
  package func expectation(of observations: [Observation]) -> String? {
    var members = Self.members(observations, word.row.expects)
    if observations.count == 1, let returned = observations.first?.returned, !returned.isEmpty {
      let items = returned.map { Self.flowText(Self.members([$0], word.row.expects)) }
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

  /// The step with other paths where it names a folder of declarations or a file of a policy.
  package func relocated(_ path: (String) -> String) -> StepEntry {
    var entry = self
    entry.members = members.map { Self.relocated($0, path) }
    return entry
  }

  private static func relocated(
    _ member: YAMLValue.Member, _ path: (String) -> String
  ) -> YAMLValue.Member {
    var member = member.mapSteps { $0.map { relocated($0, path) } }
    switch Action.Word(rawValue: member.key) {
    case .declarations:
      guard case .scalar(let text, _) = member.value.kind, text != "none" else { break }
      member.value.kind = .scalar(path(text), isPlain: false)
    case .savePolicy:
      guard case .mapping(var parts) = member.value.kind else { break }
      for index in parts.indices where parts[index].key == Action.PolicySaving.Key.file.rawValue {
        guard case .scalar(let text, _) = parts[index].value.kind else { continue }
        parts[index].value.kind = .scalar(path(text), isPlain: false)
      }
      member.value.kind = .mapping(parts)
    case .launch, .suspend, .resume, .kill, .relaunch, .stop, .signIn, .signOut, .switchIdentity,
      .shareSheet, .share, .import, .drop, .copy, .paste, .openURL, .saveTo, .openFrom, .use,
      .readContacts, .airDrop, .openReceived, .keychainAdd, .keychainQuery, .keychainDelete,
      .writeFile, .appendFile, .readFile, .fileInfo, .protectFile, .moveFile, .removeFile,
      .protectData, .unprotectData, .unlock, .device, .accountStatus, .wipe, .configure, .assign,
      .rename, .restart, .fault, .askApp, .residue, .register, .login, .unenroll, .checkIn,
      .remediate, .acquireToken, .enrollmentState, .service, .conditionalAccess,
      .assignConfiguration, .configuration, .managedApp, .administratorEvents, .served, .log,
      .callExtension, .tap, .chooseActivity, .pickDocument, .cancel, .wait, .advance, .concurrently,
      nil:
      break
    }
    return member
  }
}

extension YAMLValue.Member {
  /// The member with other keys in each of the steps that are carried out at once; others stay as they are.
  fileprivate func mapSteps(
    _ change: ([YAMLValue.Member]) -> [YAMLValue.Member]
  ) -> YAMLValue.Member {
    guard Action.Word(rawValue: key) == .concurrently, case .sequence(let steps) = value.kind else {
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
