import Model

/// "Send org data to other apps": the data that a managed identity's policy lets out.
enum SendRules {
  static func apply(
    _ policies: SendingPolicies, to request: TransferRequest, into reasons: inout [Reason]
  ) {
    if let policy = policies.owner { apply(policy, .owner, to: request, into: &reasons) }
    if let policy = policies.sender { apply(policy, .sender, to: request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

  /// Applies one sending policy; `side` is the side that it speaks for.
  static func apply(
    _ policy: EffectivePolicy, _ side: Side, to request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    let setting = Setting.allowedOutboundDataTransferDestinations
    switch policy.settings.allowedOutboundDataTransferDestinations {
    case .allApps: reasons.append(Reason(.sendAllApps, side, setting))
    case .none:
      let rule: Rule = request.via == .sdk ? .sendNone : .sendNoneEncrypts
      reasons.append(Reason(rule, side, setting))
    case .managedApps:
      switch request.destination(from: side) {
      case .sameAccount: reasons.append(Reason(.sendManagedAppsToManaged, side, setting))
      case .sameTenant:
        reasons.append(Reason(.sendManagedAppsToManaged, side, setting))
        reasons.append(Reason(.sameTenant, side, setting))
      case .otherTenant: reasons.append(Reason(.otherTenant, side, setting))
      case .unmanaged: reasons.append(toUnmanaged(policy, side, request))
      }
    }
  }

  /// The reason for an unmanaged destination. The SDK's own sharing UI shows none; data that bypasses that UI, the
  /// SDK can only encrypt, hide, or leave to the MDM restriction.
  private static func toUnmanaged(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest
  ) -> Reason {
    guard request.via == .os else {
      return Reason(.sendManagedAppsToUnmanaged, side, .allowedOutboundDataTransferDestinations)
    }
    if policy.settings.filterOpenInToOnlyManagedApps, request.sender.app.has(.activityFiltering) {
      return Reason(.openInFilter, side, .filterOpenInToOnlyManagedApps)
    }
    guard policy.settings.disableProtectionOfManagedOutboundOpenInData,
      request.device.isMDMEnrolled,
      request.sender.app.hasEnrolledUPN
    else {
      return Reason(.sendManagedAppsEncrypts, side, .allowedOutboundDataTransferDestinations)
    }
    let isLetThrough =
      request.receiver.app.isMDMManaged || request.device.allowOpenFromManagedToUnmanaged
    guard isLetThrough else {
      return Reason(.managedOpenInRestriction, .device, .allowOpenFromManagedToUnmanaged)
    }
    let setting = Setting.disableProtectionOfManagedOutboundOpenInData
    return request.receiver.app.linksSDK
      ? Reason(.unenrolledSDKReceiver, side, setting) : Reason(.osSharing, side, setting)
  }

  /// The reason of one sending policy for a destination that is no app of its own: a printer's place in the
  /// share sheet, the Files app, a composer.
  static func toSystem(_ policy: EffectivePolicy, _ side: Side) -> Reason {
    let setting = Setting.allowedOutboundDataTransferDestinations
    return switch policy.settings.allowedOutboundDataTransferDestinations {
    case .allApps: Reason(.sendAllApps, side, setting)
    case .managedApps: Reason(.sendManagedAppsToUnmanaged, side, setting)
    case .none: Reason(.sendNone, side, setting)
    }
  }
}
