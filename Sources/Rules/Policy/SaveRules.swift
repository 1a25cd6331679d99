import Model

/// "Save copies of org data": the SDK's `isSaveToAllowed(for:accountId:)`.
enum SaveRules {
  static func apply(to asked: TransferRequest, into reasons: inout [Reason]) {
    let account = asked.receiver.identity
    guard
      let location = LocationRules.location(
        of: asked, among: StorageLocation.saveLocations, for: account, into: &reasons)
    else { return }
    guard LocationRules.isCurrent(account, at: location, in: asked.sender.app, into: &reasons)
    else { return decide(asked, location, into: &reasons) }
    var request = asked
    request.receiver = asked.sender
    decide(request, location, into: &reasons)
  }

  private static func decide(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    send(request, location, into: &reasons)
    // The storage of another managed account takes only what that account may receive.
    if request.receiver.isManaged, !request.isReceiverOwner {
      ReceiveRules.apply(to: request, into: &reasons)
    }
  }

  private static func send(
    _ request: TransferRequest, _ location: StorageLocation, into reasons: inout [Reason]
  ) {
    let policies = request.sendingPolicies
    if let policy = policies.owner {
      reasons.append(reason(policy.settings, .owner, location, request))
    }
    if let policy = policies.sender {
      reasons.append(reason(policy.settings, .sender, location, request))
    }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  private static func reason(
    _ settings: Settings, _ side: Side, _ location: StorageLocation, _ request: TransferRequest
  ) -> Reason {
    let send = Setting.allowedOutboundDataTransferDestinations
    switch settings.allowedOutboundDataTransferDestinations {
    case .allApps: return Reason(.sendAllApps, side, send)
    case .none: return Reason(.sendNone, side, send)
    case .managedApps: break
    }
    guard settings.saveAsBlocked else { return Reason(.saveNotRestricted, side, .saveAsBlocked) }
    guard let service = location.storageService else {
      return Reason(.saveServiceNotOffered, side, .saveAsBlocked)
    }
    guard settings.allowedDataStorageLocations.contains(service) else {
      return Reason(.saveServiceNotSelected, side, .allowedDataStorageLocations)
    }
    guard !location.hasAccount || request.destination(from: side) == .sameAccount else {
      return Reason(.saveToOtherAccount, side, .saveAsBlocked)
    }
    return Reason(.saveToSelectedService, side, .allowedDataStorageLocations)
  }
}

extension TransferRequest {
  /// Whether the receiving identity is the account that owns the data.
  fileprivate var isReceiverOwner: Bool {
    guard let owner = owner.account, let receiver = receiver.identity.account else { return false }
    return owner.isSame(as: receiver)
  }
}
