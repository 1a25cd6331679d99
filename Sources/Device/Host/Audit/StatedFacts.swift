internal import Cryptography
internal import Encodings
internal import JSON
internal import Model
internal import Policy

/// What the journal has stated of the facts that decide transfers, and of the policies that they name.
///
/// Names follow from content, so that journals name the same facts alike, whichever came first.
struct StatedFacts {
  /// The names of stated facts, by their text.
  private var names: [[UInt8]: String] = [:]
  /// The policies that are stated, each kept so that no other one takes its place in memory.
  private var policies: [ObjectIdentifier: (policy: EffectivePolicy, name: String)] = [:]

  /// What may be remembered: facts that are stated again do no harm, and what guests name is without bound.
  private static let mostNames = 4096

  /// The name of a request's facts; `record` gets the events that state what has not been stated.
  mutating func name(of request: TransferRequest, _ record: (JournalEvent.Kind) -> Void) -> String {
    let policies = [
      request.sender.policy, request.owner.policy, request.receiver.policy, request.appPolicy,
    ]
    for policy in policies { if let policy { state(policy, record) } }
    let stated = self.policies
    var writer = JSONWriter()
    writer.object { writer in
      request.writeFacts(
        to: &writer, policies: .named { stated[ObjectIdentifier($0)]?.name ?? "" })
    }
    if let known = names[writer.bytes] { return known }
    if names.count >= Self.mostNames { names.removeAll() }
    let name = Self.name(of: writer.bytes)
    names[writer.bytes] = name
    record(.factsStated(facts: name, request: RecordedObject(json: writer.text)))
    return name
  }

  private mutating func state(
    _ policy: EffectivePolicy, _ record: (JournalEvent.Kind) -> Void
  ) {
    guard policies[ObjectIdentifier(policy)] == nil else { return }
    var writer = JSONWriter()
    writer.object { writer in
      // A policy that states nothing is one by its type.
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      policy.settings.writeMembers(to: &writer)
    }
    let documents = Set(policy.origins.values.map(\.policy)).sorted()
    let name = Self.name(of: writer.bytes + documents.flatMap { Array($0.utf8) + [0] })
    policies[ObjectIdentifier(policy)] = (policy, name)
    record(
      .policyStated(
        policy: name, documents: documents, settings: RecordedObject(json: writer.text)))
  }

  /// 96 bits of the content's hash.
  private static func name(of content: [UInt8]) -> String {
    Hexadecimal.text(Array(sha256(content).prefix(12)))
  }
}
