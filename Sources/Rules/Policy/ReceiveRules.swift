import Model

/// "Receive data from other apps": the data that a managed identity's policy lets in.
enum ReceiveRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request, from: request.owner))
  }

  /// Applies the rules to data from the system's document picker, of which no owner is known.
  static func applyToPicker(_ request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request, from: Owner()))
  }

  private static func reason(for request: TransferRequest, from owner: Owner) -> Reason {
    guard let settings = request.receiver.policy?.settings else {
      return Reason(.unmanagedReceiver, .receiver)
    }
    switch settings.allowedInboundDataTransferSources {
    case .allApps where takesAsOrgData(settings, request, from: owner):
      return Reason(.incomingOrgData, .receiver, .protectInboundDataFromUnknownSources)
    case .allApps:
      return Reason(.receiveAllApps, .receiver, .allowedInboundDataTransferSources)
    case .none: return Reason(.receiveNone, .receiver, .allowedInboundDataTransferSources)
    case .managedApps:
      let rule: Rule =
        owner.isManaged
        ? .receiveManagedAppsFromManaged : .receiveManagedAppsFromUnmanaged
      return Reason(rule, .receiver, .allowedInboundDataTransferSources)
    }
  }

  /// Whether data is taken as org data. "All apps with incoming org data" concerns data without an owner, and enrolled
  /// devices only.
  private static func takesAsOrgData(
    _ settings: Settings, _ request: TransferRequest, from owner: Owner
  ) -> Bool {
    settings.protectInboundDataFromUnknownSources && request.device.isMDMEnrolled
      && request.receiver.app.hasEnrolledUPN && owner.account == nil
  }
}
