import Model

@testable import Policy

extension TransferRequest {
  /// Everything that is not as it is by default, a line for each part.
  var summary: String {
    let owner = owner.account.map(describe) ?? "nobody"
    return """
        \(channel) via \(via)
        sender   \(describe(sender))
        owner    \(owner), \(describe(self.owner.policy))
        receiver \(describe(receiver))
        app      \(describe(appPolicy))
        content  \(describe(content))
        device   \(differences(device, from: DeviceRestrictions()))
      """
  }
}

private func describe(_ party: Party) -> String {
  let app = differences(party.app, from: AppState(bundleID: party.app.bundleID))
  return """
    \(party.app.bundleID.prefix(80)) (\(app)): \(describe(party.identity)), \
    \(describe(party.policy))
    """
}

private func describe(_ identity: Identity) -> String {
  switch identity {
  case .unset: "unset"
  case .unknown: "unknown"
  case .account(let account): describe(account)
  }
}

private func describe(_ account: Account) -> String {
  """
  \(account.upn.prefix(80)) [oid \((account.objectID ?? "-").prefix(80)), \
  tenant \((account.tenantID ?? "-").prefix(80))]
  """
}

private func describe(_ policy: EffectivePolicy?) -> String {
  guard let policy else { return "unmanaged" }
  return "policy: " + differences(policy.settings, from: Settings())
}

private func describe(_ content: Content) -> String {
  var content = content
  let link = content.link.map { "link \($0.text.prefix(80)), " }
  content.link = nil
  return (link ?? "") + differences(content, from: Content())
}

/// The members of `value` that are not those of `standard`.
private func differences<Value>(_ value: Value, from standard: Value) -> String {
  let pairs = zip(Mirror(reflecting: value).children, Mirror(reflecting: standard).children)
  let texts = pairs.compactMap { mine, theirs -> String? in
    let text = String(describing: mine.value)
    guard text != String(describing: theirs.value) else { return nil }
    return "\(mine.label ?? ""): \(text.prefix(120))"
  }
  return texts.isEmpty ? "as by default" : texts.joined(separator: ", ")
}
