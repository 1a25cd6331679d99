internal import Host
internal import Model
internal import Scenario

/// The request of a step's guest, then the items that an extension handed back to the guest, with the outcome of each.
struct StepRequests {
  private let guest: String?
  /// Whether the guest is to ask for something.
  var isExpected = false
  private var requests: [Request] = []

  init(of guest: String?) { self.guest = guest }

  /// The request that the guest itself made.
  var first: Request? { requests.first }

  /// The requests by which an extension handed items back.
  var returned: ArraySlice<Request> { requests.dropFirst() }

  /// Whether `requester` made the request on behalf of this step. Requests of one guest are answered in their order, so
  /// the first of its steps without a decision is the one that made the request.
  func isAwaiting(_ decision: RequestDecision, of requester: String) -> Bool {
    // The offer to other devices comes with a copy, which is the request of the step.
    guard decision.operation != .universalClipboard else { return false }
    guard let first else { return isExpected && requester == guest }
    return decision.operation == .completeExtension
      && requester == first.decision.receiver?.guest
  }

  mutating func add(_ decision: RequestDecision, arrival: InboxFile?) {
    requests.append(Request(decision: decision, arrival: arrival))
  }

  mutating func ended(_ request: Int, _ end: RequestEnd, _ status: Int) {
    guard let index = requests.firstIndex(where: { $0.decision.request == request }) else { return }
    requests[index].end = end
    requests[index].status = status
  }

  /// A request and its outcome.
  struct Request {
    let decision: RequestDecision
    /// The file that the item is to become; nil where nothing moves.
    let arrival: InboxFile?
    var end: RequestEnd?
    var status = 0

    func observation(on device: Device) -> Observation {
      Observation(
        verdict: decision.verdict, end: end, status: status,
        received: arrival?.text(on: device))
    }
  }
}
