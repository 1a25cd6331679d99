/// One app, as the model of a walk sees it.
struct WalkAppState {
  let app: WalkApp
  var isRunning = false
  var isSuspended = false
  /// In the order of signing in.
  private(set) var accounts: [WalkAccount]
  private var process = WalkIdentity.unset
  private var windows: [WalkWindow: WalkIdentity] = [:]
  private var key = WalkWindow.main
  var acceptsSwitches = true
  /// What came last, which the app can hand on; nil: nothing, or it was started since.
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

  /// Whether it can be asked for something.
  var isReady: Bool { isRunning && !isSuspended }

  /// Whom the app acts for in the window in front.
  var front: WalkIdentity { windows[key] ?? process }

  func isManaged(_ identity: WalkIdentity) -> Bool {
    app.usesSDK && identity == .account(.work) && accounts.contains(.work)
  }

  /// Whom a task acts for that users see: its thread's identity, else its window's, else the
  /// process's.
  func identity(of task: WalkTask) -> WalkIdentity {
    guard app.isMultiIdentity else { return process }
    return task.thread ?? task.window.map { windows[$0] ?? process } ?? front
  }

  /// Whom a task acts for that works on files: windows have no say.
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

  /// The app takes what comes for an unmanaged account.
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

  /// Its process ends.
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
