package import Encodings
package import Model

package struct AccountDefinition: Sendable, Equatable {
  package var position: Position
  package var name: String
  package var upn: String
  /// The object id as a GUID; nil if unknown.
  package var objectID: String?
  /// The tenant as a GUID or a domain; nil if unknown.
  package var tenantID: String?
  /// The groups that contain the account, by name or object id, in addition to the groups in the
  /// tenant's export. Nil if the export states all relevant groups.
  package var groups: [String]?

  package var account: Account { Account(upn: upn, objectID: objectID, tenantID: tenantID) }
}

extension AccountDefinition {
  enum Key: String, FieldKey {
    case upn, objectId, tenant, groups

    static let synonyms: [String: Key] = [
      "email": .upn, "mail": .upn, "name": .upn, "user": .upn, "username": .upn,
      "userprincipalname": .upn, "id": .objectId, "oid": .objectId, "guid": .objectId,
      "organization": .tenant, "domain": .tenant, "group": .groups, "memberof": .groups,
    ]
  }

  static func readAll(_ value: YAMLValue?) throws(InputError) -> [AccountDefinition] {
    try (value?.mapping() ?? []).readEach { member throws(InputError) in
      try member.readAllParts(AccountDefinition.init)
    }
  }

  private init(_ member: YAMLValue.Member) throws(InputError) {
    let name = try Names.validated(member, naming: "an account")
    guard name != "unknown", name != "unset" else {
      throw InputError(
        .invalidValue, at: member.position,
        "`\(name)` cannot name an account, because it stands for an identity without an account")
    }
    let fields = try Fields<Key>(member.value, "the account `\(name)`")
    let objectID = try fields[.objectId]?.text()
    if let objectID, !objectID.isGUID, let value = fields[.objectId] {
      throw value.mistake(.invalidValue, "`objectId` must be a GUID, found `\(objectID)`")
    }
    let upn = try fields.required(.upn)
    guard Name.isUPN(try upn.text()) else {
      throw upn.mistake(
        .invalidValue, "`upn` must have the form `anna@contoso.com`, found \(upn.found)")
    }
    self.init(
      position: member.position, name: name, upn: try upn.text(), objectID: objectID,
      tenantID: try fields[.tenant]?.text(), groups: try fields[.groups]?.texts())
  }
}

// MARK: - References

/// A reference to an identity: an account in the scenario, or one of two special identities.
package enum IdentityReference: Sendable, Hashable {
  case account(String)
  /// A personal account that no policy manages. It is `""` in the SDK.
  case unknown
  /// No identity is set. It is `nil` in the SDK.
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
