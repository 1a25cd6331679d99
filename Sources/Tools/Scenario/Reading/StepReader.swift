internal import Diagnostics
package import JSON

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
