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
  /// The same of an extension, which may show it later.
  case prepared((Performance) -> Void)
  /// The app leaves the screen, or comes back to it.
  case scene((Performance) -> Void)
  /// A call of which nobody awaits the answer, which may still come: it needs none, or was answered in the guest's place.
  case abandoned

  var isAwaited: Bool { if case .abandoned = self { false } else { true } }

  /// Whether the guest has to answer by itself, within a deadline.
  var hasDeadline: Bool {
    switch self {
    case .item, .representation, .identitySwitch, .delegate, .scene: true
    // Wiping may take its time, and has a deadline of its own.
    case .perform, .act, .prepared, .wipe, .abandoned: false
    }
  }

  /// Makes the answer count for nothing.
  func abandon() {
    if case .representation(let provision) = self { provision.abandon() }
  }

  /// Answers in place of a guest that is gone, or was never asked, for that reason.
  func fail(_ why: String) {
    switch self {
    case .item(let answer): answer(nil)
    case .representation(let provision): provision.answer(nil)
    case .identitySwitch(let answer), .delegate(let answer): answer(false)
    case .wipe(let answer): answer(nil)
    case .abandoned: break
    case .prepared(let answer):
      answer(Performance(failure: "\(why), and has shown no alert for it"))
    case .perform(let answer), .act(let answer), .scene(let answer):
      answer(Performance(failure: why))
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
