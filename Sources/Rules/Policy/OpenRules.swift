import Model

/// "Open data into Org documents": the SDK's `isOpenFromAllowed(for:accountId:)`, which checks the policy of
/// the receiver.
enum OpenRules {
  static func apply(to asked: TransferRequest, into reasons: inout [Reason]) {
    let account = asked.sender.identity
    guard
      let location = LocationRules.location(
        of: asked, among: StorageLocation.openLocations, for: account, into: &reasons)
    else { return }
    guard LocationRules.isCurrent(account, at: location, in: asked.receiver.app, into: &reasons)
    else { return decide(asked, location, into: &reasons) }
    var request = asked
    request.sender = asked.receiver
    request.owner = Owner(account: asked.receiver.identity.account, policy: asked.receiver.policy)
    decide(request, location, into: &reasons)
  }

  private static func decide(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    // The storage of another managed account gives only what that account may send.
    if let policy = request.sender.policy, !request.staysWithAccount {
      var request = request
      request.via = .sdk
      SendRules.apply(policy, .sender, to: request, into: &reasons)
    }
    reasons.append(reason(request, location))
  }

  private static func reason(_ request: TransferRequest, _ location: StorageLocation) -> Reason {
    guard let settings = request.receiver.policy?.settings else {
      return Reason(.unmanagedReceiver, .receiver)
    }
    let receive = Setting.allowedInboundDataTransferSources
    switch settings.allowedInboundDataTransferSources {
    case .allApps: return Reason(.receiveAllApps, .receiver, receive)
    case .none: return Reason(.receiveNone, .receiver, receive)
    case .managedApps: break
    }
    let block = Setting.blockDataIngestionIntoOrganizationDocuments
    guard settings.blockDataIngestionIntoOrganizationDocuments else {
      return Reason(.openNotRestricted, .receiver, block)
    }
    guard let service = location.ingestionService else {
      return Reason(.openServiceNotOffered, .receiver, block)
    }
    guard settings.allowedDataIngestionLocations.contains(service) else {
      return Reason(.openServiceNotSelected, .receiver, .allowedDataIngestionLocations)
    }
    guard !location.hasAccount || request.sender.isManaged && request.staysWithAccount else {
      return Reason(.openFromOtherAccount, .receiver, block)
    }
    return Reason(.openFromSelectedService, .receiver, .allowedDataIngestionLocations)
  }
}

extension TransferRequest {
  /// Whether both ends act for one account.
  fileprivate var staysWithAccount: Bool {
    guard let sender = sender.identity.account, let receiver = receiver.identity.account else {
      return false
    }
    return sender.isSame(as: receiver)
  }
}
