/// A piece of work that a run does in one go, on devices of its own, such as a case.
public struct Piece: Sendable, Hashable {
  /// The file that the piece is from, as the user named it; empty where it is from none.
  public var file: String
  /// The name of the piece, which the same file may have twice.
  public var name: String
  /// The number of its steps, by which the time is guessed that it will take.
  public var steps: Int

  /// A piece of `steps` steps.
  public init(file: String, name: String, steps: Int) {
    self.file = file
    self.name = name
    self.steps = steps
  }
}
