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

  /// Whether all steps have begun.
  var isAtEnd: Bool {
    steps[min(index, steps.count)...].dropFirst().allSatisfy { $0.count < 1 }
      && (index >= steps.count || repetition >= steps[index].count)
  }

  /// Passes over the steps up to that with a number, which has begun so many times.
  mutating func skip(to number: Int, begun count: Int) {
    index = number - 1
    repetition = count
  }
}
