internal import Model
internal import Wire

/// Whom an app, a window or a thread acts for.
enum WalkIdentity: Equatable {
  case unset
  case unknown
  case account(WalkAccount)

  static let all: [WalkIdentity] = [.account(.work), .account(.personal), .unknown, .unset]

  var account: WalkAccount? {
    if case .account(let account) = self { account } else { nil }
  }

  /// As the SDK's calls take it.
  var accountID: String? {
    switch self {
    case .unset: nil
    case .unknown: ""
    case .account(let account): account.account.upn
    }
  }

  var text: String {
    switch self {
    case .unset: "no identity"
    case .unknown: "unknown"
    case .account(let account): "\(account)"
    }
  }

  /// Whether the device's identity is this one.
  func isSame(as identity: Identity) -> Bool {
    switch (self, identity) {
    case (.unset, .unset), (.unknown, .unknown): true
    case (.account(let mine), .account(let theirs)): mine.account.isSame(as: theirs)
    default: false
    }
  }
}

/// The windows of the app under test.
enum WalkWindow: String, CaseIterable {
  case main = ""
  case second
  case third

  var text: String { self == .main ? "main" : rawValue }
}

/// For whom one task asks: its thread's identity where it is set, else that of its window.
struct WalkTask: Equatable {
  /// nil: not set.
  var thread: WalkIdentity?
  /// nil: the window in front.
  var window: WalkWindow?

  /// nil: nothing that the app does not say by itself.
  var context: TaskContext? {
    guard thread != nil || window != nil else { return nil }
    return TaskContext(thread: thread?.accountID, window: window?.rawValue ?? "")
  }

  var text: String {
    let thread = thread.map { " as \($0.text)" } ?? ""
    return thread + (window.map { " in the \($0.text) window" } ?? "")
  }
}
