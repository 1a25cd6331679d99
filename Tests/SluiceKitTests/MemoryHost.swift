import Model
import Wire

@testable import SluiceKit

/// A host that is no process: what it is told is kept, and it answers when a test says so.
final class MemoryHost: HostPort {
  /// What it was told without being asked anything.
  private(set) var heard: [GuestMessage.Body] = []
  /// What it was asked, in order.
  private(set) var requests: [GuestMessage.Body] = []
  private var waiting: [UInt64: (RequestOutcome) -> Void] = [:]
  /// Deliveries whose confirmation is put off.
  private(set) var postponed = 0

  func send(_ body: GuestMessage.Body) { heard.append(body) }

  func request(
    _ body: GuestMessage.Body, as task: TaskContext?, madeOf sources: [UInt64],
    _ completion: @escaping (RequestOutcome) -> Void
  ) -> UInt64 {
    requests.append(body)
    let number = UInt64(requests.count)
    waiting[number] = completion
    return number
  }

  func postponeAcknowledgement() -> () -> Void {
    postponed += 1
    return { [unowned self] in postponed -= 1 }
  }

  func work<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value, then finish: @escaping (Value) -> Void
  ) {
    finish(body())
  }

  /// Answers a request, counted from 1.
  func answer(
    _ number: UInt64, _ end: RequestEnd, reasons: [OutcomeReason] = [], items: [Item] = [],
    file: FileGrant? = nil
  ) {
    let verdict: Outcome = end == .refused ? .blocked : .allowed
    waiting.removeValue(forKey: number)?(
      RequestOutcome(verdict: verdict, end: end, reasons: reasons, items: items, file: file))
  }
}
