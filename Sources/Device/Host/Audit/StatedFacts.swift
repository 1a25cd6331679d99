internal import Cryptography
internal import Encodings
internal import JSON
internal import Model
internal import Policy

/// What the journal has stated of the facts that decide transfers, and of the policies that they name.
///
/// Names follow from content, so that journals name the same facts alike, whichever came first.
struct StatedFacts {
  /// The names of facts that are stated.
  private var names: Set<String> = []
  /// The policies that are stated, each kept so that no other one takes its place in memory.
  private var policies: [ObjectIdentifier: (policy: EffectivePolicy, name: String)] = [:]

  /// How many names are remembered: facts that are stated again do no harm, and what guests make up has no bound.
  private static let mostNames = 65_536

  /// The name of a request's facts; `record` gets the events that state what has not been stated.
  mutating func name(of request: TransferRequest, _ record: (JournalEvent.Kind) -> Void) -> String {
    for (account, policy) in request.heldPolicies { state(policy, of: account, record) }
    let stated = policies
    var writer = JSONWriter()
    writer.object { writer in
      request.writeFacts(
        to: &writer, policies: .named { stated[ObjectIdentifier($0)]?.name ?? "" })
    }
    let name = Self.name(of: writer.bytes)
    guard !names.contains(name) else { return name }
    if names.count >= Self.mostNames { names.removeAll() }
    names.insert(name)
    record(.factsStated(facts: name, request: RecordedObject(json: writer.text)))
    return name
  }

  /// States a policy, which is of one account: two accounts under the same settings have a policy each.
  private mutating func state(
    _ policy: EffectivePolicy, of account: Account?, _ record: (JournalEvent.Kind) -> Void
  ) {
    guard policies[ObjectIdentifier(policy)] == nil else { return }
    var writer = JSONWriter()
    writer.object { writer in
      // A policy that states nothing is one by its type.
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      policy.settings.writeMembers(to: &writer)
    }
    let documents = Set(policy.origins.values.map(\.policy)).sorted()
    let about = documents + [account?.upn.lowercased() ?? ""]
    let name = Self.name(of: writer.bytes + about.flatMap { Array($0.utf8) + [0] })
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

extension TransferRequest {
  /// The policies of the request, each with the account that it is for.
  fileprivate var heldPolicies: [(account: Account?, policy: EffectivePolicy)] {
    [
      (sender.identity.account, sender.policy), (owner.account, owner.policy),
      (receiver.identity.account, receiver.policy), (appAccount, appPolicy),
    ].compactMap { account, policy in policy.map { (account, $0) } }
  }
}
