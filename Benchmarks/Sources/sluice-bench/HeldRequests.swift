internal import Model
internal import Policy

/// Requests in stable memory, which are decided in place. Copying them out of an array would cost
/// about as much as the decisions, and would distort the result.
struct HeldRequests: ~Copyable {
  private struct Held: ~Copyable {
    let request: TransferRequest

    borrowing func decide() -> Verdict { evaluate(request) }
  }

  let count: Int
  private let held: UnsafeMutablePointer<Held>

  init(_ requests: [TransferRequest]) {
    count = requests.count
    held = .allocate(capacity: count)
    for (index, request) in requests.enumerated() {
      (held + index).initialize(to: Held(request: request))
    }
  }

  deinit {
    held.deinitialize(count: count)
    held.deallocate()
  }

  func decide(_ index: Int) -> Verdict { held[index].decide() }
}
