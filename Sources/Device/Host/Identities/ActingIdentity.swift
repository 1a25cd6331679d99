internal import Model
internal import Policy
internal import Wire

/// An identity that a guest acts for, in the forms that rules, tags and the journal need. It is immutable.
final class ActingIdentity {
  let identity: Identity
  let party: Party
  let ownership: Ownership
  let participant: Participant
  /// The identities whose data the guest shows in one view; empty if the guest acts for only one identity.
  private let viewed: [Identity]

  init(
    _ identity: Identity, party: Party, ownership: Ownership, participant: Participant,
    viewed: [Identity] = []
  ) {
    self.identity = identity
    self.viewed = viewed
    self.party = party
    self.ownership = ownership
    self.participant = participant
  }

  /// All identities that the guest acts for: the several identities of a view, or the single identity.
  var everybody: [Identity] { viewed.isEmpty ? [identity] : viewed }

  /// Returns whether the account is among the identities in ``everybody``.
  func concerns(_ account: Account) -> Bool {
    everybody.contains { $0.account?.isSameUser(as: account) ?? false }
  }
}

// MARK: - Identities of a guest

/// The acting identities of a guest: of its process, and of each of its windows.
final class ActingIdentities {
  /// The acting identity of the process. It applies to files, and to windows without an identity of their own.
  var processIdentity: ActingIdentity { didSet { bringForward(keyWindow) } }
  /// The windows' own identities, keyed by window name; `""` is the main window.
  private(set) var windows: [String: ActingIdentity] = [:]
  /// The name of the frontmost window.
  private(set) var keyWindow = ""
  /// The acting identity of the key window, used for requests that name no other identity.
  private(set) var actingIdentity: ActingIdentity
  /// Locks on identities, the most recent last.
  var locks: [IdentityLock] = []
  /// The last conditional-launch verdict on the guest's current account. Nil if no verdict has been made since the
  /// guest changed to the account.
  var admission: Admission?

  /// A conditional-launch verdict: whether a guest may act for an identity.
  struct Admission {
    var identity: Identity
    var verdict: Verdict
  }

  init(_ actingIdentity: ActingIdentity) {
    self.actingIdentity = actingIdentity
    processIdentity = actingIdentity
  }

  /// All acting identities of the windows and the process, beginning with the key window's.
  var actingIdentities: [ActingIdentity] {
    let others = windows.sorted { $0.key < $1.key }.map(\.value).filter { $0 !== actingIdentity }
    return [actingIdentity] + others + (actingIdentity === processIdentity ? [] : [processIdentity])
  }

  // MARK: Windows

  /// Returns whether an identity may be set at `level`. This is always allowed for the process, and for a window that
  /// already has an identity. For another window, it is allowed if fewer than `limit` windows have an identity.
  ///
  /// - Parameter limit: The maximum number of windows with an identity.
  func canName(_ level: IdentityLevel, _ limit: Int) -> Bool {
    guard case .window(let name) = level else { return true }
    return windows[name] != nil || windows.count < limit
  }

  /// Sets the identity of a window and brings it to the front; nil removes the identity.
  func setActingIdentity(_ actingIdentity: ActingIdentity?, ofWindow window: String) {
    windows[window] = actingIdentity
    bringForward(window)
  }

  /// Sets the identity of a window without bringing it to the front; nil removes the identity.
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

  // MARK: Locks

  /// Returns the first lock on an identity of `actingIdentity`; nil if none of its identities is locked.
  func lock(of actingIdentity: ActingIdentity) -> IdentityLock? {
    guard !locks.isEmpty else { return nil }
    return actingIdentity.everybody.lazy.compactMap { self.lock(of: $0) }.first
  }

  func lock(of identity: Identity) -> IdentityLock? {
    guard !locks.isEmpty, let account = identity.account else { return nil }
    return locks.last { $0.identity.account?.isSameUser(as: account) ?? false }
  }

  func unlock(_ identity: Identity) {
    guard !locks.isEmpty else { return }
    locks.removeAll { $0.identity.isSameUser(as: identity) }
  }
}

/// A lock on an identity. The guest may not act for the identity until the lock is removed.
struct IdentityLock {
  /// The locked identity: the guest's current identity, or the target of a switch.
  var identity: Identity
  var pendingSwitch: PendingSwitch?
  /// The evaluated launch request, for explanations; nil if no policy was evaluated.
  var request: LaunchRequest?
  var verdict: Verdict

  var explained: ExplainedVerdict {
    request.map { Explainer.explain($0, verdict) } ?? Explainer.explain(verdict)
  }
}

/// A switch of identity that waits until the lock is removed.
struct PendingSwitch {
  var level: IdentityLevel
  /// The identities to switch to: one, or several if one view shows the data of several identities.
  var identities: [Identity]
}
