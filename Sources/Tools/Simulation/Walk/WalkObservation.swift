internal import Model

/// The outcome of a step on the device.
struct WalkObservation {
  /// The requests of the app that acted, in the order of their decisions.
  var requests: [Request] = []
  /// The bytes that the app read.
  var found: [UInt8] = []
  /// The reason why the app could not do what it was told, or the step did not come to an end; nil where there is none.
  var failure: String?
  /// The paths of files that are new or have changed, relative to the device's folder.
  var changed: [String] = []

  struct Request {
    var decision: RequestDecision
    var end: RequestEnd?
  }

  /// The answer of the device to the step as a whole.
  var answer: WalkAnswer {
    guard !requests.isEmpty else { return .none }
    let outcomes = requests.map(\.decision.verdict.outcome)
    if outcomes.contains(.blocked) { return .refused }
    if outcomes.contains(.encrypted) { return .encrypted }
    return requests.contains { $0.end == .failed } ? .failed : .allowed
  }

  /// The names of the rules that decided, in a list.
  var rules: String {
    requests.map { "`\($0.decision.verdict.deciding)`" }.joined(separator: ", ")
  }
}
