public import JSON

/// One event of a case, and its expected outcome.
public struct Step: Sendable, Equatable {
  public var position: Position
  public var action: Action
  /// The number of times that the step is carried out, one after the other: 1 to 1,000,000. The expectation applies to
  /// each time.
  public var count: Int
  /// The expected outcome; nil where the scenario expects nothing.
  public var expectation: Expectation?
  /// The position of the expectation; nil where there is none.
  public var expectationPosition: Position?
  /// The name of the device that carries the step out; nil: the only one, or each of them.
  public var device: String?
  /// The task that makes the request; nil: the guest's own identity applies.
  public var task: TaskReference?

  /// The most times that a step can be carried out.
  package static let mostTimes = 1_000_000

  /// Creates a step.
  public init(
    position: Position, action: Action, count: Int = 1, expectation: Expectation? = nil,
    at expectationPosition: Position? = nil, task: TaskReference? = nil
  ) {
    self.expectationPosition = expectationPosition
    self.task = task
    self.position = position
    self.action = action
    self.count = count
    self.expectation = expectation
  }

  /// The step in one line, as reports show it: ``mail shares `Quarterly figures` with notes``.
  public var text: String {
    let who = task?.thread.map { ", as \($0.text)" } ?? ""
    let place = task?.window.map { ", in window `\($0)`" } ?? ""
    let often = count == 1 ? "" : ", \(count) times"
    return action.detail.text + who + place + often
  }
}
