package import Model

/// Returns the verdict on one transfer, with at least one reason. Pure and total.
///
/// The sending side comes first (the owner's policy, then the sender's), followed by the receiving side and the
/// device's MDM restrictions. All must allow the transfer.
///
/// Sources: Microsoft Learn, "iOS app protection policy settings", and the Intune App SDK's documentation of
/// `IntuneMAMPolicy`. ``Rule/source`` has the source of each rule.
package func evaluate(_ request: TransferRequest) -> Verdict {
  var reasons: [Reason] = []
  reasons.reserveCapacity(4)
  switch request.channel {
  case .share, .openIn, .import, .extensionResult, .dragAndDrop:
    transfer(request, into: &reasons)
    ManagedOpenInRules.apply(to: request, into: &reasons)
    if request.sender.app.bundleID.isEmpty { reasons.append(Reason(.fromAnotherDevice, .device)) }
    if request.receiver.app.bundleID.isEmpty { reasons.append(Reason(.toAnotherDevice, .device)) }
  case .clipboard:
    ClipboardRules.apply(to: request, into: &reasons)
    ManagedOpenInRules.applyToPasteboard(request, into: &reasons)
  case .contactRead: ManagedOpenInRules.applyToContactRead(request, into: &reasons)
  case .openURL, .universalLink, .appClip: URLRules.apply(to: request, into: &reasons)
  case .saveTo: SaveRules.apply(to: request, into: &reasons)
  case .openFrom: OpenRules.apply(to: request, into: &reasons)
  case .documentPickerImport: ReceiveRules.applyToPicker(request, into: &reasons)
  case .keyboard: KeyboardRules.apply(to: request, into: &reasons)
  case .contactSync:
    FunctionRules.apply(.contactSync, to: request, into: &reasons)
    ManagedOpenInRules.applyToContactSync(request, into: &reasons)
  case .screenCapture:
    FunctionRules.apply(.screenCapture, to: request, into: &reasons)
    FunctionRestrictionRules.apply(to: request, into: &reasons)
  case .writingTools:
    FunctionRules.apply(.writingTools, to: request, into: &reasons)
    FunctionRestrictionRules.apply(to: request, into: &reasons)
  case .genmoji:
    FunctionRules.apply(.genmoji, to: request, into: &reasons)
    FunctionRestrictionRules.apply(to: request, into: &reasons)
  case .documentPickerExport:
    FunctionRules.apply(.documentPickerExport, to: request, into: &reasons)
  case .mailComposer: FunctionRules.apply(.mailComposer, to: request, into: &reasons)
  case .messageComposer: FunctionRules.apply(.messageComposer, to: request, into: &reasons)
  case .print: FunctionRules.apply(.print, to: request, into: &reasons)
  case .notification: FunctionRules.apply(.notification, to: request, into: &reasons)
  case .widget: FunctionRules.apply(.widget, to: request, into: &reasons)
  case .spotlight: FunctionRules.apply(.spotlight, to: request, into: &reasons)
  case .siriIntents: FunctionRules.apply(.siriIntents, to: request, into: &reasons)
  case .appIntents: FunctionRules.apply(.appIntents, to: request, into: &reasons)
  case .backup: FunctionRules.apply(.backup, to: request, into: &reasons)
  case .webView: FunctionRules.apply(.webView, to: request, into: &reasons)
  case .safariExtension: FunctionRules.apply(.safariExtension, to: request, into: &reasons)
  case .fileEncryption: FunctionRules.apply(.fileEncryption, to: request, into: &reasons)
  }
  return Verdict(reasons)
}

private func transfer(_ request: TransferRequest, into reasons: inout [Reason]) {
  if request.staysWithSender {
    stay(request, into: &reasons)
    return
  }
  let policies = request.sendingPolicies
  guard !policies.isEmpty || request.receiver.isManaged || ReceiveRules.lacksAccount(request) else {
    reasons.append(Reason(.noRuleApplied, .device))
    return
  }
  SendRules.apply(policies, to: request, into: &reasons)
  ReceiveRules.apply(to: request, into: &reasons)
  ReceiveRules.applyRequiredAccount(to: request, into: &reasons)
}

/// Evaluates a transfer within one app and identity. Policies apply only to data of another account.
private func stay(_ request: TransferRequest, into reasons: inout [Reason]) {
  reasons.append(Reason(.sameAppSameIdentity, .sender))
  guard request.isOwnedByAnother else { return }
  if let policy = request.sendingPolicies.owner {
    SendRules.apply(policy, .owner, to: request, into: &reasons)
  }
  if request.receiver.isManaged { ReceiveRules.apply(to: request, into: &reasons) }
}

/// Returns the request that may replace a denied request: the same data, received by an unmanaged account.
///
/// Before the SDK denies a request, it asks a multi-identity app to switch identity (`identitySwitchRequired` with
/// reason `documentImport`). Nil for other apps, for requests that are not blocked, and for requests that a rule
/// outside "Receive data from other apps" blocks.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Receive data from other apps.
package func documentImport(for request: TransferRequest, verdict: Verdict) -> TransferRequest? {
  guard request.receiver.app.isMultiIdentity, verdict.outcome == .blocked else { return nil }
  let switching: [Rule] = [.receiveNone, .receiveManagedAppsFromUnmanaged]
  for reason in verdict.reasons where reason.rule.effect == .blocked {
    guard switching.contains(reason.rule) else { return nil }
  }
  var request = request
  request.receiver.identity = .unknown
  request.receiver.policy = nil
  return request
}

/// Evaluates only the receiving side: the SDK's `canReceiveSharedItemProvider(_:)` and `canReceiveSharedFile(_:)`.
package func evaluateReceiving(_ request: TransferRequest) -> Verdict {
  var reasons: [Reason] = []
  ReceiveRules.apply(to: request, into: &reasons)
  ReceiveRules.applyRequiredAccount(to: request, into: &reasons)
  return Verdict(reasons)
}

/// Returns the verdict on a request from ``documentImport(for:verdict:)`` after the app has switched
/// identity. Its first reason states the switch.
package func evaluate(importing request: TransferRequest) -> Verdict {
  let switched = Reason(.documentImport, .receiver, .allowedInboundDataTransferSources)
  return Verdict([switched] + evaluate(request).reasons)
}

// MARK: - Sending side

struct SendingPolicies {
  /// The owner's policy. Nil if the owner is unknown or unmanaged, or if ``sender`` already covers the owner.
  var owner: EffectivePolicy?
  /// The policy of the active identity, which also covers the owner if the identity owns the data.
  var sender: EffectivePolicy?

  var isEmpty: Bool { owner == nil && sender == nil }
}

extension TransferRequest {
  var sendingPolicies: SendingPolicies {
    guard let policy = owner.policy else { return SendingPolicies(sender: sender.policy) }
    // Two accounts under one policy count separately, because a receiver may relate to each
    // differently.
    let speaksOnce = owner.account == nil ? policy === sender.policy : !isOwnedByAnother
    return speaksOnce
      ? SendingPolicies(sender: sender.policy ?? policy)
      : SendingPolicies(owner: policy, sender: sender.policy)
  }

  /// Whether an account other than the sending identity owns the data.
  var isOwnedByAnother: Bool {
    guard let account = owner.account else { return false }
    guard case .account(let identity) = sender.identity else { return true }
    return !account.isSameUser(as: identity)
  }

  func policy(of side: Side) -> EffectivePolicy? {
    switch side {
    case .owner: sendingPolicies.owner
    case .sender: sendingPolicies.sender
    case .receiver: receiver.policy
    case .app: appPolicy
    case .device: nil
    }
  }

  /// Whether the data stays in one app under one identity; false for data in a view of several accounts.
  var staysWithSender: Bool {
    sender.app.bundleID == receiver.app.bundleID && !sender.isMixedView && !receiver.isMixedView
      && sender.identity.isSameUser(as: receiver.identity)
  }

  /// Returns the receiver's relation to the account that the policy of `side` protects.
  func destination(from side: Side) -> Destination {
    guard receiver.policy != nil else { return .unmanaged }
    guard case .account(let theirs) = receiver.identity else { return .otherTenant }
    if side == .owner {
      guard let ours = owner.account else { return .otherTenant }
      return Destination(of: theirs, seenFrom: ours)
    }
    guard case .account(let ours) = sender.identity else { return .otherTenant }
    return Destination(of: theirs, seenFrom: ours)
  }
}

/// The relation of a party to the managed account at the opposite end of a transfer.
enum Destination {
  case sameAccount
  /// Another managed account of the same organisation.
  case sameTenant
  /// A managed account of another or an unknown organisation.
  case otherTenant
  /// An identity without a policy.
  case unmanaged

  fileprivate init(of theirs: Account, seenFrom ours: Account) {
    self =
      if ours.isSameUser(as: theirs) {
        .sameAccount
      } else if ours.isSameTenant(as: theirs) {
        .sameTenant
      } else {
        .otherTenant
      }
  }
}

// MARK: - Send

/// "Send org data to other apps": the data that may leave a managed identity under its policy.
enum SendRules {
  static func apply(
    _ policies: SendingPolicies, to request: TransferRequest, into reasons: inout [Reason]
  ) {
    if let policy = policies.owner { apply(policy, .owner, to: request, into: &reasons) }
    if let policy = policies.sender { apply(policy, .sender, to: request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.unmanagedSender, .sender)) }
  }

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

  /// Returns the reason for an unmanaged destination. The SDK's sharing UI does not list such destinations. If data
  /// bypasses that UI, the SDK can only encrypt it, hide the destination, or leave the data to the MDM restriction.
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

  /// Returns one sending policy's reason for a destination of the system, such as the Files app, a composer or an
  /// unmanaged web view.
  static func toSystem(_ policy: EffectivePolicy, _ side: Side) -> Reason {
    let setting = Setting.allowedOutboundDataTransferDestinations
    return switch policy.settings.allowedOutboundDataTransferDestinations {
    case .allApps: Reason(.sendAllApps, side, setting)
    case .managedApps: Reason(.sendManagedAppsToUnmanaged, side, setting)
    case .none: Reason(.sendNone, side, setting)
    }
  }
}

// MARK: - Receive

/// "Receive data from other apps": the data that a managed identity may receive under its policy.
enum ReceiveRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request, from: request.owner))
  }

  /// Refuses org data if the app requires an account that is not signed in.
  static func applyRequiredAccount(to request: TransferRequest, into reasons: inout [Reason]) {
    guard lacksAccount(request) else { return }
    reasons.append(Reason(.workAccountRequired, .receiver, .requireAccounts))
  }

  /// Returns whether org data is offered to an app in which the required account is not signed in. Org data is data
  /// that a policy protects, or data without an owner from an app that MDM manages.
  ///
  /// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices".
  static func lacksAccount(_ request: TransferRequest) -> Bool {
    let app = request.receiver.app
    guard app.lacksRequiredAccount, request.device.isMDMEnrolled, app.has(.requiredAccounts) else {
      return false
    }
    return !request.sendingPolicies.isEmpty
      || request.owner.account == nil && request.sender.app.isMDMManaged
  }

  /// Applies the rules to data from the system's document picker. The owner of such data is unknown.
  static func applyToPicker(_ request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request, from: Owner()))
  }

  private static func reason(for request: TransferRequest, from owner: Owner) -> Reason {
    guard let settings = request.receiver.policy?.receiving else {
      return Reason(.unmanagedReceiver, .receiver)
    }
    switch settings.sources {
    // "All apps with incoming org data"
    case .allApps
    where owner.account == nil && request.receiver.takesUnownedData(on: request.device):
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
}

/// The values of a policy that decide which data its account gets from other apps. Receiving policies with equal values
/// lead to the same verdicts on transfers between apps.
package struct ReceivingSettings: Hashable, Sendable {
  var sources: Settings.Sources
  /// Whether the choice is "All apps with incoming Org data".
  var takesIncomingDataAsOrgData: Bool
  var clipboard: Settings.ClipboardLevel
}

extension EffectivePolicy {
  package var receiving: ReceivingSettings {
    let sources = settings.allowedInboundDataTransferSources
    return ReceivingSettings(
      sources: sources,
      takesIncomingDataAsOrgData: sources == .allApps
        && settings.protectInboundDataFromUnknownSources,
      clipboard: settings.allowedOutboundClipboardSharingLevel)
  }
}
