internal import Policy
internal import Model
internal import Wire

/// For whom a guest acts: in its process, and in each of its windows.
final class ActingIdentities {
  /// Whom the process acts for: files, and all that no window says otherwise of.
  var processIdentity: ActingIdentity { didSet { bringForward(keyWindow) } }
  /// The UI identities of windows that have one, by name; `""` is the main one.
  private(set) var windows: [String: ActingIdentity] = [:]
  /// The window in front.
  private(set) var keyWindow = ""
  /// Whom the guest acts for where a request does not say otherwise: that of the window in front.
  private(set) var actingIdentity: ActingIdentity
  /// Identities that the guest may not act for now; the latest last.
  var locks: [AccountBlock] = []
  /// The last verdict on whether it may act for its account; nil: nobody has asked.
  var admission: Verdict?

  init(_ actingIdentity: ActingIdentity) {
    self.actingIdentity = actingIdentity
    processIdentity = actingIdentity
  }

  /// Every identity that the process or a window acts as, the one in front first.
  var actingIdentities: [ActingIdentity] {
    let others = windows.sorted { $0.key < $1.key }.map(\.value).filter { $0 !== actingIdentity }
    return [actingIdentity] + others + (actingIdentity === processIdentity ? [] : [processIdentity])
  }

  // MARK: windows

  /// Whether an identity may be set there, where no more than `limit` windows may have one.
  func canName(_ level: IdentityLevel, _ limit: Int) -> Bool {
    guard case .window(let name) = level else { return true }
    return windows[name] != nil || windows.count < limit
  }

  /// Gives a window its identity, and brings it to the front; nil takes the identity away.
  func setActingIdentity(_ actingIdentity: ActingIdentity?, ofWindow window: String) {
    windows[window] = actingIdentity
    bringForward(window)
  }

  /// The same where the window in front stays in front.
  func replaceActingIdentity(_ actingIdentity: ActingIdentity?, ofWindow window: String) {
    windows[window] = actingIdentity
    bringForward(keyWindow)
  }

  func forgetWindows() {
    windows = [:]
    bringForward("")
  }

  private func bringForward(_ window: String) {
    keyWindow = window
    actingIdentity = windows[window] ?? processIdentity
  }

  // MARK: locks

  /// What keeps the guest from acting for it; nil where nothing does.
  func lock(of actingIdentity: ActingIdentity) -> AccountBlock? {
    guard !locks.isEmpty else { return nil }
    return actingIdentity.everybody.lazy.compactMap { self.lock(of: $0) }.first
  }

  /// What keeps the guest from acting for `identity`; nil where nothing does.
  func lock(of identity: Identity) -> AccountBlock? {
    guard !locks.isEmpty, let account = identity.account else { return nil }
    return locks.last { $0.identity.account?.isSame(as: account) ?? false }
  }

  func unlock(_ identity: Identity) {
    guard !locks.isEmpty else { return }
    locks.removeAll { $0.identity.isSame(as: identity) }
  }
}

/// An identity that may not be acted for until its policy has what it asks for.
struct AccountBlock {
  /// The guest's own, or one that it wanted to switch to.
  var identity: Identity
  /// What was wanted that needs it; nil: nothing is any longer.
  var pendingSwitch: PendingSwitch?
  /// What was asked, for whoever wants it explained; nil: no policy was.
  var request: LaunchRequest?
  var verdict: Verdict

  var explained: ExplainedVerdict {
    request.map { Explainer.explain($0, verdict) } ?? Explainer.explain(verdict)
  }
}

/// A view that waits for its accounts to open.
struct PendingSwitch {
  var level: IdentityLevel
  /// Everybody whose data it shows.
  var identities: [Identity]
}
