package import Diagnostics
internal import JSON
internal import Model
internal import Policy

extension LeakReport {
  /// The leaks as findings, each at the line of the setting that lets the data out, or to an app that was asked about.
  ///
  /// - Parameter file: the file of what no policy states.
  package func findings(in file: String) -> FindingReport<LeakRule> {
    FindingReport(
      leaks.map { leak in
        let device = leak.condition.map { ["where \($0)"] } ?? []
        let way = (device + leak.hops.map(\.text)).joined(separator: "; ")
        let place = leak.place
        return Finding(
          answer == nil ? LeakRule(leak.sink) : .appReached, file: place?.file ?? file,
          at: Position(line: place?.line ?? 1, column: 1),
          "data of \(leak.owner.upn) reach \(leak.sink.text): \(way)")
      })
  }
}

extension Leak {
  /// The place of the setting that let the last hop through; nil where no policy states it.
  fileprivate var place: EffectivePolicy.Origin? {
    for hop in hops.reversed() {
      for (request, verdict) in zip(hop.requests, hop.verdicts).reversed() {
        let reason = verdict.reasons.first { $0.rule == verdict.deciding }
        guard let setting = reason?.setting.flatMap(Setting.init(rawValue:)) else { continue }
        let policies = [request.owner.policy, request.sender.policy, request.receiver.policy]
        if let origin = policies.compactMap({ $0?.origins[setting] }).first { return origin }
      }
    }
    return nil
  }
}
