import Transfer

/// "Restrict cut, copy, and paste between other apps". Send and Receive have no say here.
enum ClipboardRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if request.staysWithSender {
      reasons.append(Reason(.clipboardSameIdentity, .sender))
      _ = applySending(SendingPolicies(owner: policies.owner), to: request, into: &reasons)
    } else if policies.isEmpty, !request.receiver.isManaged {
      reasons.append(Reason(.noRuleApplied, .device))
    } else if policies.isEmpty {
      reasons.append(Reason(.unmanagedSender, .sender))
      applyReceiving(from: .unmanaged, to: request, into: &reasons)
    } else if applySending(policies, to: request, into: &reasons) {
      let source = request.destination(from: request.owner.isManaged ? .owner : .sender)
      applyReceiving(from: source, to: request, into: &reasons)
    }
  }

  /// False where the exception length settles the matter for both sides.
  private static func applySending(
    _ policies: SendingPolicies, to request: TransferRequest, into reasons: inout [Reason]
  ) -> Bool {
    let characters = request.content.characters
    let isException =
      isExcepted(characters, by: policies.owner) && isExcepted(characters, by: policies.sender)
    if let policy = policies.owner { send(policy, .owner, isException, request, into: &reasons) }
    if let policy = policies.sender { send(policy, .sender, isException, request, into: &reasons) }
    return !isException
  }

  /// A policy that is not there stands in nobody's way.
  private static func isExcepted(_ characters: Int?, by policy: EffectivePolicy?) -> Bool {
    guard let policy else { return true }
    guard let characters else { return false }
    let limit = policy.settings.allowedOutboundClipboardSharingExceptionLength
    return limit > 0 && characters <= limit
  }

  private static func send(
    _ policy: EffectivePolicy, _ side: Side, _ isException: Bool, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    if isException {
      reasons.append(
        Reason(.clipboardException, side, .allowedOutboundClipboardSharingExceptionLength))
      return
    }
    let destination = request.destination(from: side)
    let isManaged = destination == .sameAccount || destination == .sameTenant
    let level = policy.settings.allowedOutboundClipboardSharingLevel
    let rule: Rule =
      switch level {
      case .allApps: .clipboardAllApps
      case .managedAppsWithPasteIn: isManaged ? .clipboardPasteIn : .clipboardPasteInToUnmanaged
      case .managedApps: isManaged ? .clipboardManagedApps : .clipboardManagedAppsToUnmanaged
      case .blocked: .clipboardBlocked
      }
    append(rule, side, destination, into: &reasons)
  }

  private static func applyReceiving(
    from source: Destination, to request: TransferRequest, into reasons: inout [Reason]
  ) {
    guard let settings = request.receiver.policy?.settings else {
      reasons.append(Reason(.unmanagedReceiver, .receiver))
      return
    }
    let isManaged = source == .sameAccount || source == .sameTenant
    let level = settings.allowedOutboundClipboardSharingLevel
    let rule: Rule =
      switch level {
      case .allApps: .clipboardAllApps
      case .managedAppsWithPasteIn: .clipboardPasteIn
      case .managedApps: isManaged ? .clipboardManagedApps : .clipboardManagedAppsFromUnmanaged
      case .blocked: .clipboardBlocked
      }
    append(rule, .receiver, source, into: &reasons)
  }

  /// Says so where the answer rests on what two managed accounts are to each other, which is assumed.
  private static func append(
    _ rule: Rule, _ side: Side, _ other: Destination, into reasons: inout [Reason]
  ) {
    let setting = Setting.allowedOutboundClipboardSharingLevel
    reasons.append(Reason(rule, side, setting))
    switch (rule, other) {
    case (.clipboardPasteIn, .sameTenant) where side != .receiver,
      (.clipboardManagedApps, .sameTenant):
      reasons.append(Reason(.sameTenant, side, setting))
    case (.clipboardPasteInToUnmanaged, .otherTenant),
      (.clipboardManagedAppsToUnmanaged, .otherTenant),
      (.clipboardManagedAppsFromUnmanaged, .otherTenant):
      reasons.append(Reason(.otherTenant, side, setting))
    default: break
    }
  }
}
