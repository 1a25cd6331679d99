import Model

/// The rules of the setting "Restrict cut, copy, and paste between other apps". For the clipboard, it replaces the
/// settings for sending and receiving data.
enum ClipboardRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    judge(request, into: &reasons)
    // Without a receiving app, the copied data goes to other devices.
    if request.receiver.app.bundleID.isEmpty {
      reasons.append(Reason(.universalClipboard, .device))
    }
  }

  private static func judge(_ request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if request.staysWithSender {
      stay(request, policies, into: &reasons)
      return
    }
    guard !policies.isEmpty || request.receiver.isManaged else {
      reasons.append(Reason(.noRuleApplied, .device))
      return
    }
    if policies.isEmpty {
      reasons.append(Reason(.unmanagedSender, .sender))
    } else if except(request, policies, into: &reasons) {
      return
    }
    if let policy = policies.owner { send(policy, .owner, request, into: &reasons) }
    if let policy = policies.sender { send(policy, .sender, request, into: &reasons) }
    receive(request, policies, into: &reasons)
  }

  /// Evaluates a paste in the same app and under the same identity. Policies apply only if another account owns the
  /// data.
  private static func stay(
    _ request: TransferRequest, _ policies: SendingPolicies, into reasons: inout [Reason]
  ) {
    reasons.append(Reason(.clipboardSameIdentity, .sender))
    guard request.isOwnedByAnother, !except(request, policies, into: &reasons) else { return }
    if let policy = policies.owner { send(policy, .owner, request, into: &reasons) }
    if request.receiver.isManaged { receive(request, policies, into: &reasons) }
  }

  /// Returns whether the paste is allowed because the text is short: each sending policy exempts texts of this length,
  /// and the receiver is not a view of several accounts. If so, adds a reason for each sending policy, and the caller
  /// evaluates no further rules.
  ///
  /// If the sender's SDK does not read the setting, returns false and adds a reason that states this.
  private static func except(
    _ request: TransferRequest, _ policies: SendingPolicies, into reasons: inout [Reason]
  ) -> Bool {
    guard let characters = request.content.characters, !policies.isEmpty,
      !request.receiver.isMixedView,
      isExcepted(characters, by: policies.owner), isExcepted(characters, by: policies.sender)
    else { return false }
    let setting = Setting.allowedOutboundClipboardSharingExceptionLength
    guard request.sender.app.reads(setting) else {
      reasons.append(Reason(.settingNotRead, policies.sender == nil ? .owner : .sender, setting))
      return false
    }
    if policies.owner != nil { reasons.append(Reason(.clipboardException, .owner, setting)) }
    if policies.sender != nil { reasons.append(Reason(.clipboardException, .sender, setting)) }
    return true
  }

  /// Returns whether the policy exempts texts of this length. True if there is no policy.
  private static func isExcepted(_ characters: Int, by policy: EffectivePolicy?) -> Bool {
    guard let policy else { return true }
    let limit = policy.settings.allowedOutboundClipboardSharingExceptionLength
    return limit > 0 && characters <= limit
  }

  private static func send(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    let destination = request.destination(from: side)
    let isManaged = destination == .sameAccount || destination == .sameTenant
    let level = policy.settings.allowedOutboundClipboardSharingLevel
    switch level {
    case .allApps: append(.clipboardAllApps, side, into: &reasons)
    case .managedAppsWithPasteIn:
      append(isManaged ? .clipboardPasteIn : .clipboardPasteInToUnmanaged, side, into: &reasons)
      appendRelation(destination, side, into: &reasons)
    case .managedApps:
      append(
        isManaged ? .clipboardManagedApps : .clipboardManagedAppsToUnmanaged, side, into: &reasons)
      appendRelation(destination, side, into: &reasons)
    case .blocked: append(.clipboardBlocked, side, into: &reasons)
    }
  }

  private static func receive(
    _ request: TransferRequest, _ policies: SendingPolicies, into reasons: inout [Reason]
  ) {
    guard let settings = request.receiver.policy?.receiving else {
      reasons.append(Reason(.unmanagedReceiver, .receiver))
      return
    }
    let source =
      policies.isEmpty
      ? .unmanaged : request.destination(from: request.owner.isManaged ? .owner : .sender)
    let isManaged = source == .sameAccount || source == .sameTenant
    switch settings.clipboard {
    case .allApps: append(.clipboardAllApps, .receiver, into: &reasons)
    // Any source is accepted, so its relation to the receiver does not matter.
    case .managedAppsWithPasteIn: append(.clipboardPasteIn, .receiver, into: &reasons)
    case .managedApps:
      append(
        isManaged ? .clipboardManagedApps : .clipboardManagedAppsFromUnmanaged, .receiver,
        into: &reasons)
      appendRelation(source, .receiver, into: &reasons)
    case .blocked: append(.clipboardBlocked, .receiver, into: &reasons)
    }
  }

  private static func append(_ rule: Rule, _ side: Side, into reasons: inout [Reason]) {
    reasons.append(Reason(rule, side, .allowedOutboundClipboardSharingLevel))
  }

  /// Adds a reason if the paste is between two different managed accounts. The rule for such accounts is assumed.
  private static func appendRelation(
    _ other: Destination, _ side: Side, into reasons: inout [Reason]
  ) {
    switch other {
    case .sameAccount, .unmanaged: break
    case .sameTenant: append(.sameTenant, side, into: &reasons)
    case .otherTenant: append(.otherTenant, side, into: &reasons)
    }
  }
}
