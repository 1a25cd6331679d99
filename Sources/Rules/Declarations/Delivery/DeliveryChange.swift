/// The changes for an app or extension.
package struct DeliveryChange: Sendable, Hashable {
  /// A kind of secret.
  package enum SecretKind: String, Sendable, Hashable, Comparable, CaseIterable {
    case password, identity, certificate

    package static func < (left: SecretKind, right: SecretKind) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// An aspect of a recipient's content that changed.
  package enum Aspect: Sendable, Hashable {
    /// The configuration of ManagedApp was set, changed or removed.
    case configuration
    /// The configuration in the user defaults was set, changed or removed.
    case legacyConfiguration
    /// The names of secrets changed, or their order.
    case list(SecretKind)
    /// The value of a secret changed that was present before and still is.
    case value(SecretKind, identifier: String)
  }

  package var recipient: ComposedIdentifier
  /// The changed aspects, at least one, in the order of the cases above.
  package var aspects: [Aspect]

  /// Whether observers of a kind of secret are notified: of a changed list, and of a changed value.
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
  /// The aspect in a few words, without any value: `configuration`, `passwords`, `identity device`.
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
  /// The changes since `old`, by recipient.
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
