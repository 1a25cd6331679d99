import Model
import Policy

/// From one app to another.
extension NaiveEvaluator {
  static func transfer(_ request: TransferRequest) -> Outcome {
    let facts = Facts(request)
    var outcome = Outcome.allowed
    if facts.senderSpeaks, let settings = request.sender.policy?.settings {
      outcome = min(outcome, sent(settings, to: facts.receiverAsSeenBySender, request))
    }
    if facts.ownerSpeaks, let settings = request.owner.policy?.settings {
      outcome = min(outcome, sent(settings, to: facts.receiverAsSeenByOwner, request))
    }
    if facts.receiverSpeaks, let settings = request.receiver.policy?.settings {
      outcome = min(outcome, received(settings, isOwnerManaged: request.owner.policy != nil))
    }
    return outcome
  }

  private static func sent(
    _ settings: Settings, to end: FarEnd, _ request: TransferRequest
  ) -> Outcome {
    switch (settings.allowedOutboundDataTransferDestinations, end, request.via) {
    case (.allApps, _, _): .allowed
    case (.none, _, .sdk): .blocked
    case (.none, _, .os): .encrypted
    case (.managedApps, .sameAccount, _): .allowed
    case (.managedApps, .sameTenant, _): .allowed
    case (.managedApps, .otherTenant, _): .blocked
    case (.managedApps, .unmanaged, .sdk): .blocked
    case (.managedApps, .unmanaged, .os): openedByTheSystem(settings, request)
    }
  }

  /// "Policy managed apps" and an unmanaged destination that the SDK's own sharing UI did not filter.
  private static func openedByTheSystem(
    _ settings: Settings, _ request: TransferRequest
  ) -> Outcome {
    let filter =
      settings.filterOpenInToOnlyManagedApps && has(request.sender.app, Version(8, 0, 2))
    let sharing =
      settings.disableProtectionOfManagedOutboundOpenInData && request.device.isMDMEnrolled
      && request.sender.app.hasEnrolledUPN
    let isLetThrough =
      request.receiver.app.isMDMManaged || request.device.allowOpenFromManagedToUnmanaged
    switch (filter: filter, sharing: sharing, isLetThrough, linksSDK: request.receiver.app.linksSDK)
    {
    case (filter: true, sharing: _, _, linksSDK: _): return .blocked
    case (filter: false, sharing: false, _, linksSDK: _): return .encrypted
    case (filter: false, sharing: true, true, linksSDK: false): return .allowed
    case (filter: false, sharing: true, true, linksSDK: true): return .encrypted
    case (filter: false, sharing: true, false, linksSDK: _): return .blocked
    }
  }

  static func received(_ settings: Settings, isOwnerManaged: Bool) -> Outcome {
    switch (settings.allowedInboundDataTransferSources, isOwnerManaged) {
    case (.allApps, _): .allowed
    case (.managedApps, true): .allowed
    case (.managedApps, false): .blocked
    case (.none, _): .blocked
    }
  }
}
