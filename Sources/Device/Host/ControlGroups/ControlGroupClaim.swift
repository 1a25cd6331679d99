internal import Glibc
internal import Synchronization

/// The claim of this process on the control group that it is in: its devices make groups below it.
///
/// A group that hands controllers on has no processes of its own, but for the root. So this process moves into a group beside
/// those of its devices, and back when no device needs the claim any more.
struct ControlGroupClaim {
  private var holders = 0
  private var folder: ControlGroupFolder?
  /// The group that this process has moved to; nil: it stayed where it was.
  private var refuge: ControlGroupFolder?
  private var state = ControlGroup.absent

  private static let shared = Mutex(ControlGroupClaim())

  /// Takes hold of the claim, as often as ``release()`` is called.
  ///
  /// - Returns: what there is, and the folder for groups of devices; nil: there are none.
  static func retain() -> (state: ControlGroup, folder: ControlGroupFolder?) {
    shared.withLock { claim in
      if claim.holders == 0 { claim.make() }
      claim.holders += 1
      return (claim.state, claim.folder)
    }
  }

  /// Lets go of the claim.
  static func release() {
    shared.withLock { claim in
      claim.holders -= 1
      if claim.holders == 0 { claim.giveBack() }
    }
  }

  private mutating func make() {
    let found = ControlGroupFiles().group
    state = found.state
    guard let own = found.folder else { return }
    Self.sweep(own)
    if own.handOnControllers(.enabled) == 0 {
      folder = own
      return
    }
    refuge = own.group("\(Self.prefix)\(getpid())")
    if refuge?.enter() == 0, own.handOnControllers(.enabled) == 0 {
      folder = own
      return
    }
    state = .crowded(folder: own.path)
    leaveRefuge(for: own)
  }

  private mutating func giveBack() {
    guard let own = folder else { return }
    folder = nil
    // A root that holds processes and hands controllers on may do so for others, too.
    guard refuge != nil else { return }
    _ = own.handOnControllers(.disabled)
    leaveRefuge(for: own)
  }

  private mutating func leaveRefuge(for own: ControlGroupFolder) {
    guard let refuge, own.enter() == 0 else { return }
    // Processes that a zygote has had beside programs end after these.
    refuge.awaitEnd()
    _ = refuge.remove()
    self.refuge = nil
  }

  /// The beginning of the names of groups, before the identifier of the process that has made them.
  static let prefix = "sluice-"

  /// Removes the groups of processes that have died.
  private static func sweep(_ own: ControlGroupFolder) {
    for group in own.groups where group.name.hasPrefix(prefix) {
      let owner = group.name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(owner), Glibc.kill(process, 0) < 0, errno == ESRCH else { continue }
      for guest in group.groups { _ = guest.remove() }
      // One that still has processes stays.
      _ = group.remove()
    }
  }
}
