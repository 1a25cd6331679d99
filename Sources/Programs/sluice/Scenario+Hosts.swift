internal import Diagnostics
internal import Scenario
internal import Simulation

extension Scenario {
  /// Checks that the devices can be on several hosts.
  ///
  /// - Throws: ``RunError`` where there is one device, what passes between them takes no time, or something has an order that only
  ///   one process knows.
  func checkForHosts() throws(RunError) {
    guard !devices.isEmpty else {
      throw refusal("a fleet needs `devices`, and the scenario has one", rule: "devices")
    }
    guard links.latency > 0 else {
      throw refusal(
        "on several hosts, what passes between devices takes time: state how much, such as `links: { latency: PT1S }`",
        rule: "links")
    }
    guard !devices.contains(where: { $0.device.service?.capacity != nil }),
      !cases.flatMap(\.steps).flatMap(\.action.parts).contains(where: \.countsRequests)
    else {
      throw refusal(
        "`requestsPerMinute` counts the requests of all devices in one order, which devices on several hosts do not have; `sluice run` does it",
        rule: "requestsPerMinute")
    }
  }

  private func refusal(_ message: String, rule: String) -> RunError {
    RunError(.file(file), message, rule: rule)
  }
}

extension Action {
  /// The actions of the steps that the action starts at once; the action itself where it starts none.
  fileprivate var parts: [Action] {
    if case .concurrently(let concurrency) = self {
      concurrency.steps.map(\.action)
    } else {
      [self]
    }
  }

  /// Whether the service counts the requests of all devices from the action on.
  fileprivate var countsRequests: Bool {
    if case .service(let change) = self { change.capacity != nil } else { false }
  }
}
