internal import Host
internal import Model
internal import Wire

enum WalkApp: Int, CaseIterable {
  /// The app under test, which uses the SDK and several identities.
  case notes
  /// A peer that uses the SDK and one identity, under the same policy.
  case mail
  /// A peer that does not use the SDK, so no policy applies in it.
  case photos

  var name: String { "\(self)" }

  var usesSDK: Bool { self != .photos }

  var isMultiIdentity: Bool { self == .notes }

  var bundleID: String { usesSDK ? "com.contoso.\(name)" : "org.example.\(name)" }

  /// The bundle ids of the apps to which the policy is assigned.
  static let protectedBundles = allCases.filter(\.usesSDK).map(\.bundleID)

  static let group = "group.com.contoso.walk"

  /// The keychain group that the apps of one team share.
  static let sharedKeychain = "CONTOSO123.com.contoso.shared"

  /// The keychain group that only this app can access.
  var ownKeychain: String { "\(team).\(bundleID)" }

  private var team: String { usesSDK ? "CONTOSO123" : "EXAMPLE456" }

  /// The accounts that are signed in when the walk begins.
  var firstAccounts: [WalkAccount] {
    switch self {
    case .notes: [.work, .personal]
    case .mail: [.work]
    case .photos: []
    }
  }

  var description: AppDescription {
    AppDescription(
      name: name, bundleID: bundleID, team: team, integratesSDK: usesSDK,
      isMultiIdentity: isMultiIdentity, keychainAccessGroups: usesSDK ? [Self.sharedKeychain] : [],
      appGroups: [Self.group], behaviour: Behaviour(wipe: .failed))
  }
}

enum WalkAccount: CaseIterable {
  /// The organisation's account, which a policy protects in the apps with the SDK.
  case work
  case personal

  var account: Account {
    switch self {
    case .work:
      Account(
        upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
        tenantID: "contoso.com")
    case .personal: Account(upn: "anna@example.org")
    }
  }
}

// MARK: - Identities

/// The identity that an app, a window or a thread acts for.
enum WalkIdentity: Equatable {
  case unset
  case unknown
  case account(WalkAccount)

  static let all: [WalkIdentity] = [.account(.work), .account(.personal), .unknown, .unset]

  var account: WalkAccount? {
    if case .account(let account) = self { account } else { nil }
  }

  /// The identity as SDK calls represent it: nil for none, `""` for an unknown account, and otherwise the UPN.
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

  /// Returns whether `identity`, which the device reports, belongs to the same user as this identity.
  func isSameUser(as identity: Identity) -> Bool {
    switch (self, identity) {
    case (.unset, .unset), (.unknown, .unknown): true
    case (.account(let mine), .account(let theirs)): mine.account.isSameUser(as: theirs)
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

/// A task in an app. It acts for its thread's identity or, without one, for its window's identity.
struct WalkTask: Equatable {
  /// The thread's identity; nil if it is not set.
  var thread: WalkIdentity?
  /// The task's window; nil for the window in front.
  var window: WalkWindow?

  /// The context that the task sends with requests; nil to use the app's own context.
  var context: TaskContext? {
    guard thread != nil || window != nil else { return nil }
    return TaskContext(thread: thread?.accountID, window: window?.rawValue ?? "")
  }

  var text: String {
    let thread = thread.map { " as \($0.text)" } ?? ""
    return thread + (window.map { " in the \($0.text) window" } ?? "")
  }
}

// MARK: - State

struct WalkAppState {
  let app: WalkApp
  var isRunning = false
  var isSuspended = false
  /// The signed-in accounts, in the order of their sign-in.
  private(set) var accounts: [WalkAccount]
  private var process = WalkIdentity.unset
  private var windows: [WalkWindow: WalkIdentity] = [:]
  private var key = WalkWindow.main
  var acceptsSwitches = true
  /// The latest received item, which the app can pass on; nil if the app has received none since its start.
  var received: Received?

  struct Received {
    var content: WalkContent
    var from: WalkApp
  }

  init(_ app: WalkApp) {
    self.app = app
    accounts = app.firstAccounts
    actForDefault()
  }

  var isReady: Bool { isRunning && !isSuspended }

  /// The identity of the window in front.
  var front: WalkIdentity { windows[key] ?? process }

  func isManaged(_ identity: WalkIdentity) -> Bool {
    app.usesSDK && identity == .account(.work) && accounts.contains(.work)
  }

  /// Returns the identity of a user-visible task: the thread's identity or, if it is not set, the window's. If neither
  /// is set, the process's.
  func identity(of task: WalkTask) -> WalkIdentity {
    guard app.isMultiIdentity else { return process }
    return task.thread ?? task.window.map { windows[$0] ?? process } ?? front
  }

  /// Returns the identity of a task on files, which does not depend on windows.
  func fileIdentity(of task: WalkTask) -> WalkIdentity {
    app.isMultiIdentity ? task.thread ?? process : process
  }

  mutating func act(for identity: WalkIdentity, _ level: WalkStep.SwitchLevel) {
    switch level {
    case .process: process = identity
    case .window(let window):
      windows[window] = identity == .unset ? nil : identity
      key = window
    }
  }

  /// Switches to an unknown account. For that account, the app accepts items that its managed account must not receive.
  mutating func actForUnknown() { act(for: .unknown, .window(key)) }

  mutating func signIn(_ account: WalkAccount) {
    accounts.append(account)
    if !app.isMultiIdentity { actForDefault() }
  }

  mutating func signOut(_ account: WalkAccount) {
    accounts.removeAll { $0 == account }
    guard app.isMultiIdentity else { return actForDefault() }
    if process == .account(account) { process = .unset }
    windows = windows.filter { $0.value != .account(account) }
  }

  mutating func exit() {
    isRunning = false
    isSuspended = false
    windows = [:]
    key = .main
    acceptsSwitches = true
    received = nil
    actForDefault()
  }

  private mutating func actForDefault() {
    let account = accounts.first { isManaged(.account($0)) } ?? accounts.first
    process = app.isMultiIdentity ? .unset : account.map { .account($0) } ?? .unset
  }
}
