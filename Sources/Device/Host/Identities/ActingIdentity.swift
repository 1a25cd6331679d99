internal import Model
internal import Policy
internal import Wire

/// An identity that a guest acts for, as rules, tags and the journal see it. It never changes.
final class ActingIdentity {
  let identity: Identity
  let party: Party
  let ownership: Ownership
  let participant: Participant
  /// The identities whose data is shown, where that is more than one; else empty.
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
}

extension ActingIdentity {
  /// All identities that are acted for, or whose data is shown.
  var everybody: [Identity] { viewed.isEmpty ? [identity] : viewed }

  /// Whether the guest acts for the account, or shows its data.
  func concerns(_ account: Account) -> Bool {
    everybody.contains { $0.account?.isSame(as: account) ?? false }
  }
}

/// The kind of a task, which decides whose identity counts.
enum TaskKind {
  /// Sharing, cut, copy and paste, and everything else that a user sees.
  case interface
  /// Files, for which the identities of windows do not count.
  case file
}

// MARK: - The identities of a guest

/// The identities that a guest acts for: in its process, and in each of its windows.
final class ActingIdentities {
  /// The acting identity of the process, for files and for everything that no window has its own for.
  var processIdentity: ActingIdentity { didSet { bringForward(keyWindow) } }
  /// The UI identities of the windows that have one, by the window's name; `""` is the main window.
  private(set) var windows: [String: ActingIdentity] = [:]
  /// Name of the window in front.
  private(set) var keyWindow = ""
  /// The acting identity of requests that do not state another: that of the window in front.
  private(set) var actingIdentity: ActingIdentity
  /// Locks on identities that the guest may not act for now; the latest last.
  var locks: [AccountBlock] = []
  /// The last verdict on whether the guest may act for its account; nil: nobody has asked.
  var admission: Verdict?

  init(_ actingIdentity: ActingIdentity) {
    self.actingIdentity = actingIdentity
    processIdentity = actingIdentity
  }

  /// Every acting identity of the process and the windows, that of the window in front first.
  var actingIdentities: [ActingIdentity] {
    let others = windows.sorted { $0.key < $1.key }.map(\.value).filter { $0 !== actingIdentity }
    return [actingIdentity] + others + (actingIdentity === processIdentity ? [] : [processIdentity])
  }

  // MARK: windows

  /// Whether an identity may be set at `level`, where no more than `limit` windows may have one.
  func canName(_ level: IdentityLevel, _ limit: Int) -> Bool {
    guard case .window(let name) = level else { return true }
    return windows[name] != nil || windows.count < limit
  }

  /// Gives a window its identity, and brings it to the front; nil takes the identity away.
  func setActingIdentity(_ actingIdentity: ActingIdentity?, ofWindow window: String) {
    windows[window] = actingIdentity
    bringForward(window)
  }

  /// Gives a window its identity, and leaves the window in front where it is.
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

  /// The lock that keeps the guest from acting for an identity of `actingIdentity`; nil where there is none.
  func lock(of actingIdentity: ActingIdentity) -> AccountBlock? {
    guard !locks.isEmpty else { return nil }
    return actingIdentity.everybody.lazy.compactMap { self.lock(of: $0) }.first
  }

  /// The lock that keeps the guest from acting for `identity`; nil where there is none.
  func lock(of identity: Identity) -> AccountBlock? {
    guard !locks.isEmpty, let account = identity.account else { return nil }
    return locks.last { $0.identity.account?.isSame(as: account) ?? false }
  }

  func unlock(_ identity: Identity) {
    guard !locks.isEmpty else { return }
    locks.removeAll { $0.identity.isSame(as: identity) }
  }
}

/// A lock on an identity, which may not be acted for until its policy has what it asks for.
struct AccountBlock {
  /// The guest's own identity, or one that it wanted to switch to.
  var identity: Identity
  /// The switch that waits for the identity to open; nil: none does.
  var pendingSwitch: PendingSwitch?
  /// The question to the policy, for explanations; nil: no policy was asked.
  var request: LaunchRequest?
  var verdict: Verdict

  var explained: ExplainedVerdict {
    request.map { Explainer.explain($0, verdict) } ?? Explainer.explain(verdict)
  }
}

/// A switch to a view that waits for its accounts to open.
struct PendingSwitch {
  var level: IdentityLevel
  /// The identities whose data the view shows.
  var identities: [Identity]
}
