internal import Scenario

/// How far the steps of a case have been begun.
struct StepCursor {
  private let steps: [Step]
  /// The place of the step that is begun next.
  private var index = 0
  /// How often it has been begun.
  private var repetition = 0

  init(_ steps: [Step]) { self.steps = steps }

  /// The step to be begun, with its number in the case, from 1 on; nil: there is none left.
  mutating func next() -> (step: Step, number: Int)? {
    while index < steps.count, repetition >= steps[index].count {
      index += 1
      repetition = 0
    }
    guard index < steps.count else { return nil }
    repetition += 1
    return (steps[index], index + 1)
  }
}
