import Policy
import Transfer

/// A second opinion on every transfer: the specification as plain tables, without reasons and without
/// rules, so that a slip in the engine is unlikely to be repeated here.
enum NaiveEvaluator {
  static func outcome(of request: TransferRequest) -> Outcome {
    switch request.channel {
    case .share, .openIn, .import, .extensionResult: transfer(request)
    case .clipboard: paste(request)
    case .openURL: opening(request)
    }
  }

  // MARK: Transfers

  private static func transfer(_ request: TransferRequest) -> Outcome {
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
    let sharing =
      settings.disableProtectionOfManagedOutboundOpenInData && request.device.isMDMEnrolled
      && request.sender.app.hasEnrolledUPN
    let isLetThrough =
      request.receiver.app.isMDMManaged || request.device.allowOpenFromManagedToUnmanaged
    switch (filter: settings.filterOpenInToOnlyManagedApps, sharing: sharing, isLetThrough) {
    case (filter: true, sharing: _, _): return .blocked
    case (filter: false, sharing: false, _): return .encrypted
    case (filter: false, sharing: true, true): return .allowed
    case (filter: false, sharing: true, false): return .blocked
    }
  }

  private static func received(_ settings: Settings, isOwnerManaged: Bool) -> Outcome {
    switch (settings.allowedInboundDataTransferSources, isOwnerManaged) {
    case (.allApps, _): .allowed
    case (.managedApps, true): .allowed
    case (.managedApps, false): .blocked
    case (.none, _): .blocked
    }
  }

  // MARK: Clipboard

  private static func paste(_ request: TransferRequest) -> Outcome {
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
    guard let characters = request.content.characters else { return false }
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

  // MARK: URLs

  private static func opening(_ request: TransferRequest) -> Outcome {
    let bySender = request.sender.policy.map { mayOpen($0.settings, request) } ?? true
    let byOwner = request.owner.policy.map { mayOpen($0.settings, request) } ?? true
    return bySender && byOwner ? .allowed : .blocked
  }

  private static func mayOpen(_ settings: Settings, _ request: TransferRequest) -> Bool {
    let content = request.content
    if let scheme = content.scheme {
      if settings.exemptedAppProtocols.contains(scheme) { return true }
      if scheme == "http" || scheme == "https" {
        return mayBrowse(settings, inManagedBrowser: content.opensInManagedBrowser)
      }
    }
    return switch settings.allowedOutboundDataTransferDestinations {
    case .allApps: true
    case .none: false
    case .managedApps: content.isKnownManagedScheme || request.receiver.policy != nil
    }
  }

  private static func mayBrowse(_ settings: Settings, inManagedBrowser: Bool) -> Bool {
    let hasCustomBrowser = settings.customBrowserProtocol != ""
    let browser = settings.managedBrowser
    let isRequired = settings.managedBrowserToOpenLinksRequired
    return switch (hasCustomBrowser, browser, isRequired, inManagedBrowser) {
    case (true, .notConfigured, _, _): true
    case (false, .notConfigured, false, _): true
    case (_, _, _, true): true
    case (_, .microsoftEdge, _, false): false
    case (false, .notConfigured, true, false): false
    }
  }

  // MARK: Who is who

  /// One end of a transfer as the account at the other end sees it.
  private enum FarEnd {
    case unmanaged, otherTenant, sameTenant, sameAccount

    /// Whether the clipboard's table counts it as managed.
    var isTrusted: Bool {
      switch self {
      case .unmanaged, .otherTenant: false
      case .sameTenant, .sameAccount: true
      }
    }
  }

  /// Whose settings count, and what each finds at the other end.
  private struct Facts {
    private let sender: Party
    private let owner: Owner
    private let receiver: Party

    let senderSpeaks: Bool
    let ownerSpeaks: Bool
    let receiverSpeaks: Bool

    init(_ request: TransferRequest) {
      sender = request.sender
      owner = request.owner
      receiver = request.receiver
      let staysAtHome =
        sender.app.bundleID == receiver.app.bundleID
        && sender.identity.isSame(as: receiver.identity)
      let isForeignData = Self.isAnotherAccount(owner.account, than: sender.identity.account)
      senderSpeaks = !staysAtHome
      ownerSpeaks = isForeignData
      receiverSpeaks = !staysAtHome || isForeignData
    }

    var receiverAsSeenBySender: FarEnd {
      Self.look(from: sender.identity.account, at: receiver.identity.account, receiver.isManaged)
    }

    var receiverAsSeenByOwner: FarEnd {
      Self.look(from: owner.account, at: receiver.identity.account, receiver.isManaged)
    }

    /// The source is the owner where managed, else the identity that copied.
    var sourceAsSeenByReceiver: FarEnd {
      let account = owner.isManaged ? owner.account : sender.identity.account
      return Self.look(
        from: receiver.identity.account, at: account, owner.isManaged || sender.isManaged)
    }

    private static func isAnotherAccount(_ owner: Account?, than sender: Account?) -> Bool {
      guard let owner else { return false }
      guard let sender else { return true }
      return !owner.isSame(as: sender)
    }

    private static func look(from here: Account?, at there: Account?, _ isManaged: Bool) -> FarEnd {
      guard isManaged else { return .unmanaged }
      guard let here, let there else { return .otherTenant }
      if here.isSame(as: there) { return .sameAccount }
      return here.isSameTenant(as: there) ? .sameTenant : .otherTenant
    }
  }
}
