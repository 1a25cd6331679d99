internal import Model

/// A fault that waits for a transfer to reach its point.
final class WaitingFault {
  let fault: Fault
  let point: FaultPoint
  /// The end of the transfer that is hit where the fault names no guest.
  private let side: Side

  private enum Side: CaseIterable {
    case sender, receiver
  }

  /// Draws what the fault leaves open.
  init(_ fault: Fault, _ streams: RandomStreams) {
    self.fault = fault
    var numbers = streams.stream(.fault(fault.number, series: fault.series))
    let drawn = numbers.pick(FaultPoint.allCases)
    point = fault.point ?? drawn
    side = numbers.pick(Side.allCases)
  }

  /// Whether the fault strikes a transfer from `sender` to `receiver`.
  func fits(from sender: Guest, to receiver: Guest) -> Bool {
    guard let name = fault.guest else { return true }
    if case .dropAnswer = fault.effect { return sender.name == name }
    return sender.name == name || receiver.name == name
  }

  /// The guest that is hit; nil: none.
  func target(from sender: Guest, to receiver: Guest) -> Guest? {
    switch fault.effect {
    case .kill, .stop, .slowReader, .halfFrame, .wipe:
      switch fault.guest {
      case sender.name: sender
      case receiver.name: receiver
      default: side == .sender ? sender : receiver  // open: no name, or another guest's
      }
    // Only the sender gets an answer.
    case .dropAnswer: sender
    case .fullDisk, .restartHost, .change: nil
    }
  }
}
