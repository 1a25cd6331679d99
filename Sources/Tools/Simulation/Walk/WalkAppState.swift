/// One app, as the model of a walk sees it.
struct WalkAppState {
  let app: WalkApp
  var isRunning = false
  var isSuspended = false
  /// The accounts that are signed in, in the order of signing in.
  private(set) var accounts: [WalkAccount]
  private var process = WalkIdentity.unset
  private var windows: [WalkWindow: WalkIdentity] = [:]
  private var key = WalkWindow.main
  var acceptsSwitches = true
  /// The item that came last, which the app can hand on; nil: none since the app was started.
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

  /// Whether the app can be asked for something.
  var isReady: Bool { isRunning && !isSuspended }

  /// The identity that the app acts for in the window in front.
  var front: WalkIdentity { windows[key] ?? process }

  func isManaged(_ identity: WalkIdentity) -> Bool {
    app.usesSDK && identity == .account(.work) && accounts.contains(.work)
  }

  /// The identity of a task that users see: that of its thread, else of its window, else of the process.
  func identity(of task: WalkTask) -> WalkIdentity {
    guard app.isMultiIdentity else { return process }
    return task.thread ?? task.window.map { windows[$0] ?? process } ?? front
  }

  /// The identity of a task that works on files: windows do not count.
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

  /// Switches to an unknown account, by which the app takes items that its managed account may not have.
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

  /// Ends the app's process.
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
