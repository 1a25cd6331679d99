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
