import Model
import Policy

/// Pasting.
extension NaiveEvaluator {
  static func paste(_ request: TransferRequest) -> Outcome {
    if isShortEnough(request) { return .allowed }
    let facts = Facts(request)
    var isAllowed = true
    if facts.senderSpeaks, let settings = request.sender.policy?.settings {
      isAllowed = isAllowed && mayCopy(settings, toManaged: facts.receiverAsSeenBySender.isTrusted)
    }
    if facts.ownerSpeaks, let settings = request.owner.policy?.settings {
      isAllowed = isAllowed && mayCopy(settings, toManaged: facts.receiverAsSeenByOwner.isTrusted)
    }
    if facts.receiverSpeaks, let settings = request.receiver.policy?.settings {
      isAllowed =
        isAllowed && mayPaste(settings, fromManaged: facts.sourceAsSeenByReceiver.isTrusted)
    }
    return isAllowed ? .allowed : .blocked
  }

  private static func mayCopy(_ settings: Settings, toManaged: Bool) -> Bool {
    switch (settings.allowedOutboundClipboardSharingLevel, toManaged) {
    case (.allApps, _): true
    case (.managedAppsWithPasteIn, true): true
    case (.managedAppsWithPasteIn, false): false
    case (.managedApps, true): true
    case (.managedApps, false): false
    case (.blocked, _): false
    }
  }

  private static func mayPaste(_ settings: Settings, fromManaged: Bool) -> Bool {
    switch (settings.allowedOutboundClipboardSharingLevel, fromManaged) {
    case (.allApps, _): true
    case (.managedAppsWithPasteIn, _): true
    case (.managedApps, true): true
    case (.managedApps, false): false
    case (.blocked, _): false
    }
  }

  /// Whether every policy that guards the data grants its exception to a text of this length.
  private static func isShortEnough(_ request: TransferRequest) -> Bool {
    guard let characters = request.content.characters, has(request.sender.app, Version(9, 0, 14))
    else { return false }
    func isWithin(_ policy: EffectivePolicy) -> Bool {
      let limit = policy.settings.allowedOutboundClipboardSharingExceptionLength
      return limit > 0 && characters <= limit
    }
    switch (request.sender.policy, request.owner.policy) {
    case (nil, nil): return false
    case (let sender?, nil): return isWithin(sender)
    case (nil, let owner?): return isWithin(owner)
    case (let sender?, let owner?): return isWithin(sender) && isWithin(owner)
    }
  }
}
