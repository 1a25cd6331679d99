internal import Model
internal import Wire

/// The identity that an app, a window or a thread acts for.
enum WalkIdentity: Equatable {
  case unset
  case unknown
  case account(WalkAccount)

  static let all: [WalkIdentity] = [.account(.work), .account(.personal), .unknown, .unset]

  var account: WalkAccount? {
    if case .account(let account) = self { account } else { nil }
  }

  /// The identity in the form of the SDK's calls: nil for none, `""` for an unknown account, else the UPN.
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
    case (.unset, _), (.unknown, _), (.account, _): false
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

/// The identity that one task acts for: that of its thread where it is set, else that of its window.
struct WalkTask: Equatable {
  /// The identity of the thread; nil: not set.
  var thread: WalkIdentity?
  /// The window of the task; nil: the window in front.
  var window: WalkWindow?

  /// The context that the task states; nil: none beside the app's own.
  var context: TaskContext? {
    guard thread != nil || window != nil else { return nil }
    return TaskContext(thread: thread?.accountID, window: window?.rawValue ?? "")
  }

  var text: String {
    let thread = thread.map { " as \($0.text)" } ?? ""
    return thread + (window.map { " in the \($0.text) window" } ?? "")
  }
}
