import Transfer

/// "Receive data from other apps": what a managed identity's policy lets in.
enum ReceiveRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request))
  }

  private static func reason(for request: TransferRequest) -> Reason {
    guard let settings = request.receiver.policy?.settings else {
      return Reason(.unmanagedReceiver, .receiver)
    }
    switch settings.allowedInboundDataTransferSources {
    case .allApps where takesAsOrgData(settings, request):
      return Reason(.incomingOrgData, .receiver, .protectInboundDataFromUnknownSources)
    case .allApps:
      return Reason(.receiveAllApps, .receiver, .allowedInboundDataTransferSources)
    case .none: return Reason(.receiveNone, .receiver, .allowedInboundDataTransferSources)
    case .managedApps:
      let rule: Rule =
        request.owner.isManaged
        ? .receiveManagedAppsFromManaged : .receiveManagedAppsFromUnmanaged
      return Reason(rule, .receiver, .allowedInboundDataTransferSources)
    }
  }

  /// "All apps with incoming org data" concerns data without an owner, and enrolled devices only.
  private static func takesAsOrgData(_ settings: Settings, _ request: TransferRequest) -> Bool {
    settings.protectInboundDataFromUnknownSources && request.device.isMDMEnrolled
      && request.receiver.app.hasEnrolledUPN && request.owner.account == nil
  }
}

extension TransferRequest {
  /// The same for data that nobody is known to own, as whatever comes from the system's document picker.
  var withoutOwner: TransferRequest {
    var request = self
    request.owner = Owner()
    return request
  }
}
