import Model
import Wire

@testable import SluiceKit

/// A host in memory. It records messages, and answers when a test requests it.
final class MemoryHost: HostPort {
  /// The messages without an answer.
  private(set) var heard: [GuestMessage.Body] = []
  /// The requests, in order.
  private(set) var requests: [GuestMessage.Body] = []
  private var waiting: [UInt64: (RequestOutcome) -> Void] = [:]
  /// The number of postponed confirmations.
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

  func postponeAcknowledgement() { postponed += 1 }

  func finishAcknowledgement() { postponed -= 1 }

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
