import JSON
import Model
import Policy
import PolicySupport
import Simulation
import TestSupport
import Testing

/// The facts of a request, as journals state them, are a request of `sluice decide` that means the same.
@Suite struct DeciderFactsTests {
  /// A request that a device may decide: the opener of a URL is the managed browser where it is its bundle id, and a
  /// location is one of its channel's.
  private static func request(_ source: inout RequestSource) -> TransferRequest? {
    var request = source.request()
    // What is no scheme, no URL has.
    request.sender.app.schemes = request.sender.app.schemes.filter(URLScheme.isValid)
    request.receiver.app.schemes = request.receiver.app.schemes.filter(URLScheme.isValid)
    request.content.opensInManagedBrowser = request.receiver.app.bundleID == "com.microsoft.msedge"
    if request.channel.counterpart == .url {
      guard let scheme = request.content.scheme else { return nil }
      if request.content.link == nil { request.content.url = "\(scheme):x" }
      // A web link is one whose address is known.
      guard request.content.link != nil || !scheme.hasPrefix("http") else { return nil }
    }
    guard request.channel.counterpart == .location else { return request }
    let known =
      request.channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    guard let location = request.content.location, known.contains(location) else { return nil }
    let holder = request.channel == .saveTo ? request.receiver : request.sender
    return location.hasAccount || holder.identity.accountID == nil ? request : nil
  }

  /// The policies of a request, each once, under names of their own.
  private static func documents(_ request: TransferRequest) -> [(EffectivePolicy, PolicyDocument)] {
    var found: [(EffectivePolicy, PolicyDocument)] = []
    let policies = [
      request.sender.policy, request.owner.policy, request.receiver.policy, request.appPolicy,
    ]
    for policy in policies.compactMap(\.self) where !found.contains(where: { $0.0 === policy }) {
      let name = "policy \(found.count)"
      found.append(
        (policy, PolicyDocument(displayName: name, file: "p", settings: policy.settings)))
    }
    return found
  }

  @Test func factsAreDecidedAsTheRequestIs() throws {
    var source = RequestSource(seed: 23)
    var channels: Set<Channel> = []
    for _ in 0..<4_000 {
      guard let request = Self.request(&source) else { continue }
      channels.insert(request.channel)
      let documents = Self.documents(request)
      var writer = JSONWriter()
      writer.object { writer in
        request.writeFacts(
          to: &writer,
          policies: .named { policy in
            documents.first { $0.0 === policy }?.1.displayName ?? ""
          })
      }
      var decider = Decider(documents.map(\.1))
      let answer = try decider.explain(writer.text, number: 1)
      let verdict = evaluate(request)
      #expect(answer.verdict.outcome == verdict.outcome, "\(writer.text)")
      #expect(answer.verdict.reasons.map(\.rule) == verdict.reasons.map(\.rule), "\(writer.text)")
      #expect(answer.verdict.reasons.map(\.side) == verdict.reasons.map(\.side), "\(writer.text)")
    }
    #expect(channels == Set(Channel.allCases))
  }
}
