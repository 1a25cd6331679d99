import Model
import Policy

/// A second opinion on every transfer: the specification as plain tables, without reasons and without
/// rules, so that a slip in the engine is unlikely to be repeated here.
enum NaiveEvaluator {
  static func outcome(of request: TransferRequest) -> Outcome {
    min(byPolicies(request), byRestrictions(request))
  }

  /// What app protection says.
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

  /// A policy that speaks for the sending side, and whose it is.
  struct Speaker {
    var policy: EffectivePolicy
    var account: Account?
  }

  /// The active identity's policy, and the owner's where the owner is another account.
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

  /// Allowed where every policy of the sending side says so; allowed where there is none.
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

  // MARK: Who is who

  /// Whether `account` is somebody, and somebody else than `other`.
  static func isAnotherAccount(_ account: Account?, than other: Account?) -> Bool {
    guard let account else { return false }
    guard let other else { return true }
    return !account.isSame(as: other)
  }

  /// One end of a transfer as the account at the other end sees it.
  enum FarEnd {
    case unmanaged, otherTenant, sameTenant, sameAccount

    init(from here: Account?, to there: Account?, isManaged: Bool) {
      if !isManaged {
        self = .unmanaged
      } else if let here, let there, here.isSame(as: there) {
        self = .sameAccount
      } else if let here, let there, here.isSameTenant(as: there) {
        self = .sameTenant
      } else {
        self = .otherTenant
      }
    }

    /// Whether data of the one may be shown to the other as policy-managed.
    var isTrusted: Bool {
      switch self {
      case .unmanaged, .otherTenant: false
      case .sameTenant, .sameAccount: true
      }
    }
  }

  /// Whose settings count between two apps, and what each finds at the other end.
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
        && sender.identity.isSame(as: receiver.identity)
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

    /// The source is the owner where managed, else the identity that copied.
    var sourceAsSeenByReceiver: FarEnd {
      let account = owner.isManaged ? owner.account : sender.identity.account
      return FarEnd(
        from: receiver.identity.account, to: account,
        isManaged: owner.isManaged || sender.isManaged)
    }
  }

  // MARK: Releases of the SDK

  /// Whether the app's SDK is no older than `release`; one that states no release is the newest.
  static func has(_ app: AppState, _ release: Version) -> Bool {
    app.sdkVersion.map { $0 >= release } ?? true
  }
}
