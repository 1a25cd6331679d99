import Model
import Policy

/// An independent evaluator for every transfer.
///
/// It states the specification as plain tables, without reasons and rules. An error in the engine
/// is therefore unlikely to be repeated here.
enum NaiveEvaluator {
  static func outcome(of request: TransferRequest) -> Outcome {
    min(byPolicies(request), byRestrictions(request))
  }

  /// Returns the answer of app protection.
  private static func byPolicies(_ request: TransferRequest) -> Outcome {
    switch request.channel {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop: transfer(request)
    case .clipboard: paste(request)
    case .contactRead: .allowed
    case .openURL: each(request) { mayOpen($0, request, by: .scheme) }
    case .universalLink: each(request) { mayOpen($0, request, by: .universalLink) }
    case .appClip: each(request) { mayOpen($0, request, by: .appClip) }
    case .saveTo: saving(request)
    case .openFrom: opening(request)
    case .documentPickerExport: each(request, maySendAnywhere)
    case .documentPickerImport: picking(request)
    case .mailComposer: each(request) { mayMail($0, request.sender.app) }
    case .messageComposer: each(request) { mayMessage($0, request.sender.app) }
    case .print: each(request) { !$0.printBlocked }
    case .notification: each(request) { $0.notificationRestriction == .allow }
    case .contactSync: each(request) { !$0.contactSyncBlocked }
    case .widget: each(request) { $0.allowWidgetContentSync }
    case .spotlight, .siriIntents, .appIntents: each(request, maySendAnywhere)
    case .backup: each(request) { !$0.dataBackupBlocked }
    case .screenCapture: each(request) { mayCapture($0, request.sender.app) }
    case .writingTools:
      each(request) { mayUse($0.writingToolsConfigurationState, $0, request.sender.app) }
    case .genmoji:
      each(request) { mayUse($0.genmojiConfigurationState, $0, request.sender.app) }
    case .keyboard: typing(request)
    case .webView: each(request) { mayUpload($0, request) }
    case .safariExtension: each(request) { $0.allowedOutboundDataTransferDestinations != .none }
    case .fileEncryption: writing(request)
    }
  }

  // MARK: The sending side

  /// A policy of the sending side, with its account.
  struct Speaker {
    var policy: EffectivePolicy
    var account: Account?
  }

  /// Returns the active identity's policy, and the owner's policy if the owner is another account.
  static func sendingSide(of request: TransferRequest) -> [Speaker] {
    var speakers: [Speaker] = []
    if let policy = request.sender.policy {
      speakers.append(Speaker(policy: policy, account: request.sender.identity.account))
    }
    if let policy = request.owner.policy,
      isAnotherAccount(request.owner.account, than: request.sender.identity.account)
    {
      speakers.append(Speaker(policy: policy, account: request.owner.account))
    }
    return speakers
  }

  /// Returns the outcome. A transfer is allowed if every policy of the sending side allows it, or
  /// if there is none.
  static func each(_ request: TransferRequest, _ isAllowed: (Settings) -> Bool) -> Outcome {
    for speaker in sendingSide(of: request) where !isAllowed(speaker.policy.settings) {
      return .blocked
    }
    return .allowed
  }

  static func maySendAnywhere(_ settings: Settings) -> Bool {
    switch settings.allowedOutboundDataTransferDestinations {
    case .allApps: true
    case .managedApps, .none: false
    }
  }

  // MARK: Relations of accounts

  /// Returns whether `account` is known and differs from `other`.
  static func isAnotherAccount(_ account: Account?, than other: Account?) -> Bool {
    guard let account else { return false }
    guard let other else { return true }
    return !account.isSameUser(as: other)
  }

  /// The relation of one end of a transfer to the account at the opposite end.
  enum FarEnd {
    case unmanaged, otherTenant, sameTenant, sameAccount

    init(from here: Account?, to there: Account?, isManaged: Bool) {
      if !isManaged {
        self = .unmanaged
      } else if let here, let there, here.isSameUser(as: there) {
        self = .sameAccount
      } else if let here, let there, here.isSameTenant(as: there) {
        self = .sameTenant
      } else {
        self = .otherTenant
      }
    }

    /// Whether data may be passed between the two apps as policy-managed.
    var isTrusted: Bool {
      switch self {
      case .unmanaged, .otherTenant: false
      case .sameTenant, .sameAccount: true
      }
    }
  }

  /// The settings that apply between two apps, and the relation of each side to the opposite side.
  struct Facts {
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
        && !(sender.isMixedView || receiver.isMixedView)
        && sender.identity.isSameUser(as: receiver.identity)
      let isForeignData = isAnotherAccount(owner.account, than: sender.identity.account)
      senderSpeaks = !staysAtHome
      ownerSpeaks = isForeignData
      receiverSpeaks = !staysAtHome || isForeignData
    }

    var receiverAsSeenBySender: FarEnd {
      FarEnd(
        from: sender.identity.account, to: receiver.identity.account,
        isManaged: receiver.isManaged)
    }

    var receiverAsSeenByOwner: FarEnd {
      FarEnd(from: owner.account, to: receiver.identity.account, isManaged: receiver.isManaged)
    }

    /// The source of the data. It is the owner if managed, otherwise the identity that copied.
    var sourceAsSeenByReceiver: FarEnd {
      let account = owner.isManaged ? owner.account : sender.identity.account
      return FarEnd(
        from: receiver.identity.account, to: account,
        isManaged: owner.isManaged || sender.isManaged)
    }
  }

  // MARK: Releases of the SDK

  /// Returns whether the app's SDK is at least as new as `release`. An unstated release is the
  /// newest.
  static func has(_ app: AppState, _ release: Version) -> Bool {
    app.sdkVersion.map { $0 >= release } ?? true
  }
}

/// Evaluates transfers from one app to another.
extension NaiveEvaluator {
  static func transfer(_ request: TransferRequest) -> Outcome {
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
    if facts.senderSpeaks, needsAnAccount(request) { outcome = .blocked }
    return outcome
  }

  /// Returns whether org data is offered to an app without the account that its configuration requires.
  private static func needsAnAccount(_ request: TransferRequest) -> Bool {
    let isOrgData =
      request.sender.policy != nil || request.owner.policy != nil
      || (request.owner.account == nil && request.sender.app.isMDMManaged)
    return request.device.isMDMEnrolled && request.receiver.app.lacksRequiredAccount
      && has(request.receiver.app, Version(12, 3, 3)) && isOrgData
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

  /// Returns the outcome for "Policy managed apps" and an unmanaged destination that the SDK's own
  /// sharing UI does not filter.
  private static func openedByTheSystem(
    _ settings: Settings, _ request: TransferRequest
  ) -> Outcome {
    let filter =
      settings.filterOpenInToOnlyManagedApps && has(request.sender.app, Version(8, 0, 2))
    let sharing =
      settings.disableProtectionOfManagedOutboundOpenInData && request.device.isMDMEnrolled
      && request.sender.app.hasEnrolledUPN
    let isLetThrough =
      request.receiver.app.isMDMManaged || request.device.allowOpenFromManagedToUnmanaged
    switch (filter: filter, sharing: sharing, isLetThrough, linksSDK: request.receiver.app.linksSDK)
    {
    case (filter: true, sharing: _, _, linksSDK: _): return .blocked
    case (filter: false, sharing: false, _, linksSDK: _): return .encrypted
    case (filter: false, sharing: true, true, linksSDK: false): return .allowed
    case (filter: false, sharing: true, true, linksSDK: true): return .encrypted
    case (filter: false, sharing: true, false, linksSDK: _): return .blocked
    }
  }

  static func received(_ settings: Settings, isOwnerManaged: Bool) -> Outcome {
    switch (settings.allowedInboundDataTransferSources, isOwnerManaged) {
    case (.allApps, _): .allowed
    case (.managedApps, true): .allowed
    case (.managedApps, false): .blocked
    case (.none, _): .blocked
    }
  }
}

/// Evaluates pasting.
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

  /// Returns whether every policy that protects the data grants its exception for a text of this
  /// length.
  private static func isShortEnough(_ request: TransferRequest) -> Bool {
    guard let characters = request.content.characters, has(request.sender.app, Version(9, 0, 14)),
      !request.receiver.isMixedView
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

/// Evaluates the system's use of an app's data.
extension NaiveEvaluator {
  static func mayCapture(_ settings: Settings, _ app: AppState) -> Bool {
    switch readsStates(app) ? settings.screenCaptureConfigurationState : nil {
    case .blocked: false
    case .notBlocked: true
    case nil:
      app.isScreenCaptureControlDisabled || !controlsScreenCapture(app)
        || maySendAnywhere(settings)
    }
  }

  /// Returns whether the SDK controls screen capture. It does so in 19.x from 19.7.6, in 20.x from
  /// 20.2.1, and in all later releases.
  private static func controlsScreenCapture(_ app: AppState) -> Bool {
    guard let version = app.sdkVersion else { return true }
    return switch version.major {
    case ..<19: false
    case 19: version >= Version(19, 7, 6)
    case 20: version >= Version(20, 2, 1)
    default:  // open: any later line
      true
    }
  }

  /// Returns whether the SDK reads the three states. It does so in 19.x from 19.7.12, in 20.x from
  /// 20.4, and in all later releases.
  private static func readsStates(_ app: AppState) -> Bool {
    guard let version = app.sdkVersion else { return true }
    return switch version.major {
    case ..<19: false
    case 19: version >= Version(19, 7, 12)
    case 20: version >= Version(20, 4)
    default:  // open: any later line
      true
    }
  }

  static func mayUse(
    _ state: Settings.ConfigurationState?, _ settings: Settings, _ app: AppState
  ) -> Bool {
    switch readsStates(app) ? state : nil {
    case .blocked: false
    case .notBlocked: true
    case nil: maySendAnywhere(settings)
    }
  }

  static func mayUpload(_ settings: Settings, _ request: TransferRequest) -> Bool {
    switch (request.sender.app.webViews, isExternal: request.content.isExternalPage) {
    case (.unmanaged, isExternal: _), (_, isExternal: true): maySendAnywhere(settings)
    case (.currentIdentity, isExternal: false): true
    case (.currentIdentityWithoutUpload, isExternal: false): false
    }
  }

  /// Returns the outcome for the keyboard. Either the whole app may use it, or no account may. Before 12.0.16, each
  /// account with a policy that allows the keyboard may use it. Before 8.0.14, all accounts may.
  static func typing(_ request: TransferRequest) -> Outcome {
    let app = request.sender.app
    let own = each(request) { !$0.thirdPartyKeyboardsBlocked || !has(app, Version(8, 0, 14)) }
    let speakers = sendingSide(of: request).map(\.policy)
    guard let held = request.appPolicy, held.settings.thirdPartyKeyboardsBlocked,
      !speakers.contains(where: { $0 === held }), has(app, Version(12, 0, 16))
    else { return own }
    return .blocked
  }

  static func writing(_ request: TransferRequest) -> Outcome {
    for speaker in sendingSide(of: request) {
      switch speaker.policy.settings.appDataEncryptionType {
      case .useDeviceSettings: continue
      case .afterDeviceRestart, .whenDeviceLockedExceptOpenFiles, .whenDeviceLocked:
        if request.device.isFileEncryptionRequired { return .encrypted }
      }
    }
    return .allowed
  }
}

/// Evaluates the restrictions of the device's MDM profile, which are independent of policies.
extension NaiveEvaluator {
  static func byRestrictions(_ request: TransferRequest) -> Outcome {
    let device = request.device
    guard device.isMDMEnrolled else { return .allowed }
    let isRestricted =
      switch request.channel {
      case .share, .openIn, .import, .extensionResult, .dragAndDrop: crossesLine(request)
      case .clipboard: device.requireManagedPasteboard && crossesLine(request)
      case .contactRead:
        request.sender.app.isMDMManaged && !request.receiver.app.isMDMManaged
          && !device.allowOpenFromManagedToUnmanaged
          && !device.allowUnmanagedToReadManagedContacts
      case .contactSync:
        request.sender.app.isMDMManaged && !device.allowOpenFromManagedToUnmanaged
          && !device.allowManagedToWriteUnmanagedContacts
      case .screenCapture: !device.allowScreenShot
      case .writingTools: !device.allowWritingTools
      case .genmoji: !device.allowGenmoji
      case .openURL, .universalLink, .appClip, .saveTo, .openFrom, .documentPickerExport,
        .documentPickerImport, .mailComposer, .messageComposer, .print, .notification, .widget,
        .spotlight, .siriIntents, .appIntents, .backup, .keyboard, .webView, .safariExtension,
        .fileEncryption:
        false
      }
    return isRestricted ? .blocked : .allowed
  }

  /// Returns whether data would move between a managed and an unmanaged app in a forbidden
  /// direction. Inside one app, there is no such restriction.
  private static func crossesLine(_ request: TransferRequest) -> Bool {
    let (sender, receiver) = (request.sender.app, request.receiver.app)
    guard sender.bundleID != receiver.bundleID else { return false }
    return switch (sender.isMDMManaged, receiver.isMDMManaged) {
    case (true, false): !request.device.allowOpenFromManagedToUnmanaged
    case (false, true): !request.device.allowOpenFromUnmanagedToManaged
    case (true, true), (false, false): false
    }
  }
}
