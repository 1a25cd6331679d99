internal import EventLoop

/// Back-pressure: a guest that has more than it takes slows those who send to it, and nobody else.
final class FlowControl {
  private let turn: Turn

  init(turn: Turn) { self.turn = turn }

  /// Leaves what `guest` sends unread for now.
  func pause(_ guest: Guest) {
    guard let connection = guest.connection, !connection.isPaused else { return }
    connection.isPaused = true
    connection.port.stopReading()
  }

  /// Makes `sender` wait where `receiver` has more than it takes.
  func hold(_ sender: Guest, for receiver: Guest) {
    guard receiver.isOverloaded, sender.connection != nil else { return }
    pause(sender)
    sender.mailbox.waitsFor = receiver
    if !receiver.mailbox.waiting.contains(where: { $0 === sender }) {
      receiver.mailbox.waiting.append(sender)
    }
  }

  /// Lets those go on who had to wait for `guest`, unless it still has more than it takes.
  func releaseUnlessOverloaded(_ guest: Guest) {
    if !guest.mailbox.waiting.isEmpty, !guest.isOverloaded { release(guest) }
  }

  /// Lets those go on who had to wait for `guest`.
  func release(_ guest: Guest) {
    let senders = guest.mailbox.waiting
    guest.mailbox.waiting.removeAll()
    for sender in senders {
      if sender.mailbox.waitsFor === guest { sender.mailbox.waitsFor = nil }
      turn.scheduleResume(sender)
    }
  }
}
