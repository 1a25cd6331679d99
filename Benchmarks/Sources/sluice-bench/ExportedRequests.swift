internal import Encodings
internal import Model
internal import Policy

/// A few thousand different transfers, which other policy engines decide for comparison.
struct ExportedRequests {
  private(set) var requests: [TransferRequest] = []
  private let policies: [EffectivePolicy]
  /// The facts of each request, as JSON.
  private var facts: [[UInt8]] = []

  init() throws {
    var mix = try RequestMix(seed: 7)
    policies = mix.policies
    let names = Dictionary(
      uniqueKeysWithValues: policies.enumerated().map { (ObjectIdentifier($1), "p\($0)") })
    var seen: Set<[UInt8]> = []
    for request in mix.requests(on: [.share, .openIn, .import, .clipboard, .saveTo], each: 1000) {
      let line = RequestFacts(request, names).line
      guard seen.insert(line).inserted else { continue }
      requests.append(request)
      facts.append(line)
    }
  }

  /// The policies and then the requests, as JSON Lines.
  var lines: String {
    var text = ""
    for (number, policy) in policies.enumerated() {
      var writer = JSONWriter()
      PolicyFacts(policy.settings).write(named: "p\(number)", to: &writer)
      text += writer.text + "\n"
    }
    for line in facts { text += String(decoding: line, as: UTF8.self) + "\n" }
    return text
  }
}
