internal import Model

/// What a step came to on the device.
struct WalkObservation {
  /// What was decided for the app that acted, and how it ended.
  var requests: [Request] = []
  /// What the app read.
  var found: [UInt8] = []
  /// Why the app could not do what it was told, or the step did not come to an end; nil where it
  /// did.
  var failure: String?
  /// Files that are new or have changed, from the device's folder.
  var changed: [String] = []

  struct Request {
    var decision: RequestDecision
    var end: RequestEnd?
  }

  /// What the app heard of the step as a whole.
  var answer: WalkAnswer {
    guard !requests.isEmpty else { return .none }
    let outcomes = requests.map(\.decision.verdict.outcome)
    if outcomes.contains(.blocked) { return .refused }
    if outcomes.contains(.encrypted) { return .encrypted }
    return requests.contains { $0.end == .failed } ? .failed : .allowed
  }

  /// The rules that decided.
  var rules: String {
    requests.map { "`\($0.decision.verdict.deciding)`" }.joined(separator: ", ")
  }
}
