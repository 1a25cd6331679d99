internal import Model
internal import Wire

/// A question to a guest's process that the process has not answered.
enum PendingCall {
  case item((Item?) -> Void)
  case representation(Provision)
  case identitySwitch((Bool) -> Void)
  case delegate((Bool) -> Void)
  /// A call to wipe an account; the answer is nil where the guest ended before it had answered.
  case wipe((Bool?) -> Void)
  case perform((Performance) -> Void)
  /// What the user does with what the app shows.
  case act((Performance) -> Void)
  /// The app leaves the screen, or comes back to it.
  case scene((Performance) -> Void)
  /// What was answered in the guest's place, which may still answer.
  case abandoned

  /// Whether the guest has to answer by itself, within a deadline.
  var hasDeadline: Bool {
    switch self {
    case .item, .representation, .identitySwitch, .delegate, .scene: true
    // Wiping may take its time, and has a deadline of its own.
    case .perform, .act, .wipe, .abandoned: false
    }
  }

  /// Makes the answer count for nothing.
  func abandon() {
    if case .representation(let provision) = self { provision.abandon() }
  }

  /// Answers in place of a guest that is gone.
  func fail() {
    switch self {
    case .item(let answer): answer(nil)
    case .representation(let provision): provision.answer(nil)
    case .identitySwitch(let answer), .delegate(let answer): answer(false)
    case .wipe(let answer): answer(nil)
    case .abandoned: break
    case .perform(let answer), .act(let answer), .scene(let answer):
      answer(Performance(failure: "the guest ended before it was done"))
    }
  }
}

/// The receiver of a representation that an app has promised.
final class Provision {
  private(set) var progress: (Double) -> Void
  private(set) var answer: (Item?) -> Void

  init(progress: @escaping (Double) -> Void, answer: @escaping (Item?) -> Void) {
    self.progress = progress
    self.answer = answer
  }

  /// Makes the progress and the answer count for nothing.
  func abandon() {
    progress = { _ in }
    answer = { _ in }
  }
}
