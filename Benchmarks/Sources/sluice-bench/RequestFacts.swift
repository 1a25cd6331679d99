internal import Encodings
internal import Model
internal import Policy

/// One request with the engine's verdict, as plain JSON. Missing values are omitted.
struct RequestFacts {
  private let request: TransferRequest
  /// The names of the policies, keyed by object.
  private let policies: [ObjectIdentifier: String]

  init(_ request: TransferRequest, _ policies: [ObjectIdentifier: String]) {
    self.request = request
    self.policies = policies
  }

  var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("channel", request.channel.rawValue)
      writer.member("via", request.via.rawValue)
      writer.object("sender") { write(request.sender, to: &$0) }
      writer.object("owner") { writer in
        write(request.owner.account, to: &writer)
        writer.member("policy", name(of: request.owner.policy))
      }
      writer.object("receiver") { write(request.receiver, to: &$0) }
      writer.member("characters", request.content.characters)
      writer.member("location", request.content.location?.rawValue)
      writer.object("device") { write(request.device, to: &$0) }
      writer.member("outcome", evaluate(request).outcome.rawValue)
    }
    return writer.bytes
  }

  private func write(_ party: Party, to writer: inout JSONWriter) {
    writer.member("app", party.app.bundleID)
    writer.member("isMDMManaged", party.app.isMDMManaged)
    writer.member("hasEnrolledUPN", party.app.hasEnrolledUPN)
    writer.member("linksSDK", party.app.linksSDK)
    writer.member("sdkVersion", party.app.sdkVersion.map(number))
    if case .unset = party.identity { writer.member("isUnset", true) }
    write(party.identity.account, to: &writer)
    writer.member("policy", name(of: party.policy))
  }

  private func write(_ account: Account?, to writer: inout JSONWriter) {
    writer.member("account", account?.objectID)
    writer.member("tenant", account?.tenantID)
  }

  private func write(_ device: DeviceRestrictions, to writer: inout JSONWriter) {
    writer.member("isMDMEnrolled", device.isMDMEnrolled)
    writer.member("allowOpenFromManagedToUnmanaged", device.allowOpenFromManagedToUnmanaged)
    writer.member("allowOpenFromUnmanagedToManaged", device.allowOpenFromUnmanagedToManaged)
    writer.member("requireManagedPasteboard", device.requireManagedPasteboard)
  }

  private func name(of policy: EffectivePolicy?) -> String? {
    policy.flatMap { policies[ObjectIdentifier($0)] }
  }

  /// Encodes a version, such as `19.7.6` as 19007006, because some policy languages cannot compare
  /// lists.
  private func number(_ version: Version) -> Int {
    "\(version).0".split(separator: ".").prefix(3).reduce(0) { $0 * 1000 + (Int($1) ?? 0) }
  }
}
