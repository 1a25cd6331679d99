/// What is other for an app or extension than before.
package struct DeliveryChange: Sendable, Hashable {
  package enum SecretKind: String, Sendable, Hashable, Comparable, CaseIterable {
    case password, identity, certificate

    package static func < (left: SecretKind, right: SecretKind) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package enum Aspect: Sendable, Hashable {
    /// ManagedApp's configuration was set, changed or removed.
    case configuration
    /// The one in the user defaults was.
    case legacyConfiguration
    /// The names of secrets, or their order.
    case list(SecretKind)
    /// A secret whose name was there before and is still.
    case value(SecretKind, identifier: String)
  }

  package var recipient: ComposedIdentifier
  /// At least one, in the order of the cases above.
  package var aspects: [Aspect]

  /// Whether observers of a kind of secret are to hear of it: of another list, and of a value.
  package func concerns(_ kind: SecretKind) -> Bool {
    aspects.contains { aspect in
      switch aspect {
      case .list(let other), .value(let other, _): other == kind
      case .configuration, .legacyConfiguration: false
      }
    }
  }
}

extension DeliveryChange.Aspect: CustomStringConvertible {
  /// A few words without any value: `configuration`, `passwords`, `identity device`.
  package var description: String {
    switch self {
    case .configuration: "configuration"
    case .legacyConfiguration: "legacy configuration"
    case .list(.password): "passwords"
    case .list(.identity): "identities"
    case .list(.certificate): "certificates"
    case .value(let kind, let identifier): "\(kind.rawValue) \(identifier)"
    }
  }
}

extension ManagedDelivery {
  /// What is other than in `old`, by recipient.
  package func changes(from old: ManagedDelivery) -> [DeliveryChange] {
    Set(contents.keys).union(old.contents.keys).sorted().compactMap { recipient in
      let aspects = ManagedContent.aspects(from: old[recipient], to: self[recipient])
      return aspects.isEmpty ? nil : DeliveryChange(recipient: recipient, aspects: aspects)
    }
  }
}

extension ManagedContent {
  fileprivate static func aspects(
    from old: ManagedContent?, to new: ManagedContent?
  ) -> [DeliveryChange.Aspect] {
    var aspects: [DeliveryChange.Aspect] = []
    if old?.configuration != new?.configuration { aspects.append(.configuration) }
    if old?.legacyConfiguration != new?.legacyConfiguration { aspects.append(.legacyConfiguration) }
    aspects += secrets(.password, from: old?.passwords, to: new?.passwords) { $0.value == $1.value }
    // A new revision of one that the device makes itself means a new key.
    aspects += secrets(.identity, from: old?.identities, to: new?.identities) { old, new in
      if case .pkcs12 = new.value { return old.value == new.value }
      return old == new
    }
    aspects += secrets(.certificate, from: old?.certificates, to: new?.certificates) {
      $0.value == $1.value
    }
    return aspects
  }

  private static func secrets<Value>(
    _ kind: DeliveryChange.SecretKind, from old: [Named<Value>]?, to new: [Named<Value>]?,
    areEqual: (Named<Value>, Named<Value>) -> Bool
  ) -> [DeliveryChange.Aspect] {
    let (old, new) = (old ?? [], new ?? [])
    var aspects: [DeliveryChange.Aspect] = []
    if old.map(\.identifier) != new.map(\.identifier) { aspects.append(.list(kind)) }
    let before = Dictionary(
      old.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    for secret in new {
      guard let before = before[secret.identifier], !areEqual(before, secret) else { continue }
      aspects.append(.value(kind, identifier: secret.identifier))
    }
    return aspects
  }
}
