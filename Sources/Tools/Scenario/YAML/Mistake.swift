import JSON

/// A mistake in the file that is being read, with its position.
struct Mistake: Error {
  var position: Position
  var code: ScenarioError.Code
  var message: String

  init(_ code: ScenarioError.Code, at position: Position, _ message: String) {
    self.position = position
    self.code = code
    self.message = message
  }
}
