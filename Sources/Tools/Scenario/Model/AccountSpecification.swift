package import JSON
package import Model

/// An account that can sign in to the device's apps.
package struct AccountSpecification: Sendable, Equatable {
  package var position: Position
  /// The account's name in the scenario.
  package var name: String
  package var upn: String
  /// The object id, a GUID; nil if unknown.
  package var objectID: String?
  /// The tenant, a GUID or a domain; nil if unknown.
  package var tenantID: String?

  package var account: Account { Account(upn: upn, objectID: objectID, tenantID: tenantID) }
}

extension AccountSpecification {
  enum Key: String, CaseIterable {
    case upn, objectId, tenant
  }

  static func readAll(_ value: YAMLValue?) throws(Mistake) -> [AccountSpecification] {
    var accounts: [AccountSpecification] = []
    for member in try value?.mapping() ?? [] { accounts.append(try AccountSpecification(member)) }
    return accounts
  }

  private init(_ member: YAMLValue.Member) throws(Mistake) {
    let name = try Names.validated(member, naming: "an account")
    guard name != "unknown", name != "unset" else {
      throw Mistake(
        .invalidValue, at: member.position,
        "`\(name)` cannot name an account; it names an identity without one")
    }
    let fields = try Fields<Key>(member.value, "the account `\(name)`")
    let upn = try fields.required(.upn)
    guard Name.isUPN(try upn.text()) else {
      throw upn.mistake(
        .invalidValue, "`upn` must read like `anna@contoso.com`, found \(upn.found)")
    }
    let objectID = try fields[.objectId]?.text()
    if let objectID, !Name.isGUID(objectID), let value = fields[.objectId] {
      throw value.mistake(.invalidValue, "`objectId` must be a GUID, found `\(objectID)`")
    }
    self.init(
      position: member.position, name: name, upn: try upn.text(), objectID: objectID,
      tenantID: try fields[.tenant]?.text())
  }
}

// MARK: - References

/// A reference to an identity: an account of the scenario, or one of two special identities.
package enum IdentityReference: Sendable, Hashable {
  /// The account with this name.
  case account(String)
  /// A personal account that no policy manages: the SDK's `""`.
  case unknown
  /// No identity is set: the SDK's `nil`.
  case unset

  /// The reference as written in the scenario.
  package var text: String {
    switch self {
    case .account(let name): name
    case .unknown: "unknown"
    case .unset: "unset"
    }
  }
}
