package import Model

/// Returns the verdict on a transfer, with at least one reason. The result depends only on `request`, and every request
/// has a verdict.
///
/// The rules of the sending side come first: the owner's policy, then the sender's. The receiving side and the device's
/// MDM restrictions follow. All must allow the transfer.
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

/// Evaluates a transfer inside the same app and identity. Policies apply only if another account owns the data.
private func stay(_ request: TransferRequest, into reasons: inout [Reason]) {
  reasons.append(Reason(.sameAppSameIdentity, .sender))
  guard request.isOwnedByAnother else { return }
  if let policy = request.sendingPolicies.owner {
    SendRules.apply(policy, .owner, to: request, into: &reasons)
  }
  if request.receiver.isManaged { ReceiveRules.apply(to: request, into: &reasons) }
}

/// Returns a request that the app can make instead of a blocked one: the same data, received by an unmanaged account.
///
/// Before the SDK denies a request, it asks a multi-identity app to switch identity (`identitySwitchRequired` with
/// reason `documentImport`). Returns nil if the app is not multi-identity, the request is not blocked, or a rule
/// outside "Receive data from other apps" blocks it.
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

/// Returns the verdict of only the receiving side's rules, for the SDK's `canReceiveSharedItemProvider(_:)` and
/// `canReceiveSharedFile(_:)`.
package func evaluateReceiving(_ request: TransferRequest) -> Verdict {
  var reasons: [Reason] = []
  ReceiveRules.apply(to: request, into: &reasons)
  ReceiveRules.applyRequiredAccount(to: request, into: &reasons)
  return Verdict(reasons)
}

/// Returns the verdict on a request that ``documentImport(for:verdict:)`` has returned. The app has switched identity;
/// the first reason states this.
package func evaluate(importing request: TransferRequest) -> Verdict {
  let switched = Reason(.documentImport, .receiver, .allowedInboundDataTransferSources)
  return Verdict([switched] + evaluate(request).reasons)
}

// MARK: - Sending side

struct SendingPolicies {
  /// The policy of the data's owner. Nil if the owner is unknown or unmanaged, or if ``sender`` already contains the
  /// owner's policy.
  var owner: EffectivePolicy?
  /// The policy of the sending identity, which is also the owner's policy if this identity owns the data.
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

  /// Whether the data stays in the same app under the same identity. False if a view shows several accounts.
  var staysWithSender: Bool {
    sender.app.bundleID == receiver.app.bundleID && !sender.isMixedView && !receiver.isMixedView
      && sender.identity.isSameUser(as: receiver.identity)
  }

  /// Returns the receiver's relation to the owner or to the sender.
  ///
  /// - Parameter side: `owner` for the relation to the owner; any other side for the relation to the sender.
  func destination(from side: Side) -> Destination {
    guard receiver.policy != nil else { return .unmanaged }
    guard side == .owner else { return receiver.identity.destination(from: sender.identity) }
    return owner.account.map(receiver.identity.destination(from:)) ?? .otherTenant
  }
}

/// The relation of one party of a transfer to the managed account on the other side.
enum Destination {
  case sameAccount
  /// Another managed account of the same organisation.
  case sameTenant
  /// A managed account of another or an unknown organisation.
  case otherTenant
  /// An identity to which no policy applies.
  case unmanaged
}

extension Identity {
  fileprivate func destination(from sender: Identity) -> Destination {
    guard case .account(let ours) = sender else { return .otherTenant }
    return destination(from: ours)
  }

  fileprivate func destination(from ours: Account) -> Destination {
    guard case .account(let theirs) = self else { return .otherTenant }
    if ours.isSameUser(as: theirs) { return .sameAccount }
    return ours.isSameTenant(as: theirs) ? .sameTenant : .otherTenant
  }
}

// MARK: - Send

/// The rules of the setting "Send org data to other apps", which limits the receivers of a managed account's data.
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

  /// Returns the reason for a receiver without a policy. The SDK's own sharing UI does not list such receivers. If the
  /// app shares data without this UI, the SDK can only encrypt the data, hide the receiver, or leave the decision to
  /// the MDM restriction.
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

  /// Returns the reason that one sending policy gives for a receiver in the system, such as the Files app, a composer
  /// or an unmanaged web view.
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

/// The rules of the setting "Receive data from other apps", which limits the data that a managed account may receive.
enum ReceiveRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    reasons.append(reason(for: request, from: request.owner))
  }

  /// If the receiving app requires an account that is not signed in, adds a reason that blocks org data.
  static func applyRequiredAccount(to request: TransferRequest, into reasons: inout [Reason]) {
    guard lacksAccount(request) else { return }
    reasons.append(Reason(.workAccountRequired, .receiver, .requireAccounts))
  }

  /// Returns whether the request sends org data to an app whose required account is not signed in. Here, org data is
  /// data that a policy protects, or data without an owner that comes from an app managed by MDM.
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

  /// Applies the rules to data from the system's document picker. The rules treat this data as having an unknown owner.
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

/// The parts of a policy that decide which data its account receives from other apps. If two receiving policies have
/// equal values, the verdicts on transfers between apps are the same.
package struct ReceivingSettings: Hashable, Sendable {
  var sources: Settings.Sources
  /// Whether the setting is "All apps with incoming Org data", so incoming data counts as org data.
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
