internal import EventLoop

/// Back-pressure: a guest that has more than it takes slows the guests that send to it, and no others.
final class FlowControl {
  private let turn: Turn

  init(turn: Turn) { self.turn = turn }

  /// Leaves the messages of `guest` unread for now.
  func pause(_ guest: Guest) {
    guard let connection = guest.connection, !connection.isPaused else { return }
    connection.pauses.insert(.backlog)
    connection.port.stopReading()
    guest.process.watch()
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

  /// Lets the guests that wait for `guest` go on, unless it still has more than it takes.
  func releaseUnlessOverloaded(_ guest: Guest) {
    if !guest.mailbox.waiting.isEmpty, !guest.isOverloaded { release(guest) }
  }

  /// Lets the guests that wait for `guest` go on.
  func release(_ guest: Guest) {
    let senders = guest.mailbox.waiting
    guest.mailbox.waiting.removeAll()
    for sender in senders {
      if sender.mailbox.waitsFor === guest { sender.mailbox.waitsFor = nil }
      turn.scheduleResume(sender)
    }
  }

  // MARK: deletion

  /// Leaves the messages of guests unread while data of theirs is deleted: what they ask for meanwhile comes behind that, every time.
  func beginDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection else { continue }
      connection.pauses.insert(.deletion)
      connection.port.stopReading()
      guest.process.watch()
    }
  }

  /// Lets guests go on once their data is deleted.
  func endDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection, connection.pauses.remove(.deletion) != nil else {
        continue
      }
      connection.pauses.insert(.backlog)
      turn.scheduleResume(guest)
    }
  }
}
