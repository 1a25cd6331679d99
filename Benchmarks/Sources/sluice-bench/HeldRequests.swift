internal import Model
internal import Policy

/// Requests that are decided where they are. Out of an array each would be copied first, which costs about as
/// much as its decision and is no part of it.
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
