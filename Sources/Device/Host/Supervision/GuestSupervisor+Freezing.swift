internal import Glibc

extension GuestSupervisor {
  /// A reason for which a process does not run, behind the back of its supervision.
  struct Freeze {
    fileprivate let guest: Guest
    /// The process that was stopped: the guest may have another one by now.
    fileprivate let incarnation: Int
  }

  /// Stops a guest's process until all of its freezes are thawed.
  func freeze(_ guest: Guest) -> Freeze {
    guest.process.freezes += 1
    guest.process.handle?.signalGroup(SIGSTOP)
    guest.process.handle?.awaitStop()
    return Freeze(guest: guest, incarnation: guest.process.incarnation)
  }

  func thaw(_ freeze: Freeze) {
    let guest = freeze.guest
    guard guest.process.incarnation == freeze.incarnation else { return }
    guest.process.freezes -= 1
    // A suspended guest stays suspended.
    guard guest.process.freezes == 0, guest.state != .suspended else { return }
    guest.process.handle?.signalGroup(SIGCONT)
  }

  /// Stops a guest's process as ``freeze(_:)`` does, and lets what the guest owes wait as long.
  func hold(_ guest: Guest) -> Freeze {
    guest.mailbox.holds += 1
    return freeze(guest)
  }

  /// Ends a hold.
  func release(_ hold: Freeze) {
    hold.guest.mailbox.holds -= 1
    thaw(hold)
  }
}
