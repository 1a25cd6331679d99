package import Model

/// Returns the verdict on one transfer, with at least one reason. Pure and total.
///
/// The sending side comes first (the owner's policy, then the sender's), followed by the receiving
/// side and the device's MDM restrictions. All must allow the transfer.
///
/// Sources: Microsoft Learn, "iOS app protection policy settings", and the Intune App SDK's documentation of
/// `IntuneMAMPolicy`; each rule has its own in ``Rule/source``.
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

/// Evaluates a transfer within one app. An identity may move its own data freely, but not another account's.
private func stay(_ request: TransferRequest, into reasons: inout [Reason]) {
  reasons.append(Reason(.sameAppSameIdentity, .sender))
  guard request.isOwnedByAnother else { return }
  if let policy = request.sendingPolicies.owner {
    SendRules.apply(policy, .owner, to: request, into: &reasons)
  }
  if request.receiver.isManaged { ReceiveRules.apply(to: request, into: &reasons) }
}

/// Returns the request that may replace a denied request: the same data, received by an unmanaged
/// account.
///
/// Before the SDK denies a request, it asks a multi-identity app to switch identity
/// (`identitySwitchRequired` with reason `documentImport`). Nil if the SDK does not ask. This is
/// the case if the app is not multi-identity, the request is allowed, or a rule other than "Receive
/// data from other apps" blocks it.
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

/// Returns the verdict of the receiving side alone: the SDK's `canReceiveSharedItemProvider(_:)` and
/// `canReceiveSharedFile(_:)`.
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
