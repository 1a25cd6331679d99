/// Implements backpressure: an overloaded guest slows down only the guests that send to it.
final class FlowControl {
  private let transaction: LoopTransaction

  init(transaction: LoopTransaction) { self.transaction = transaction }

  /// Stops reading from `guest`.
  func pause(_ guest: Guest) {
    guard let connection = guest.connection, !connection.isPaused else { return }
    connection.pauses.insert(.backlog)
    connection.port.stopReading()
    guest.process.watch()
  }

  /// Pauses `sender` if `receiver` is overloaded, until the receiver catches up.
  func pause(_ sender: Guest, for receiver: Guest) {
    guard receiver.isOverloaded, sender.connection != nil else { return }
    pause(sender)
    sender.mailbox.waitsFor = receiver
    receiver.mailbox.addWaiting(sender)
  }

  /// Resumes the guests that wait for `guest`, unless it is still overloaded.
  func releaseUnlessOverloaded(_ guest: Guest) {
    if guest.mailbox.hasWaitingSenders, !guest.isOverloaded { release(guest) }
  }

  /// Resumes the guests that wait for `guest`.
  func release(_ guest: Guest) {
    for sender in guest.mailbox.takeWaiting() {
      if sender.mailbox.waitsFor === guest { sender.mailbox.waitsFor = nil }
      transaction.scheduleResume(sender)
    }
  }

  // MARK: Deletion

  /// Stops reading from guests while their data is deleted, so their next requests are always served after
  /// the deletion.
  func beginDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection else { continue }
      connection.pauses.insert(.deletion)
      connection.port.stopReading()
      guest.process.watch()
    }
  }

  /// Resumes guests after the deletion of their data.
  func endDeletion(in guests: [Guest]) {
    for guest in guests {
      guard let connection = guest.connection, connection.pauses.remove(.deletion) != nil else {
        continue
      }
      connection.pauses.insert(.backlog)
      transaction.scheduleResume(guest)
    }
  }
}
