internal import Policy
internal import Model

/// What the walk's model takes from the policy. That data of the organisation reaches nobody
/// else, it takes from nowhere: that is what
/// a walk is to show of a policy.
struct WalkRules {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// The policy that a walk has where it is given none: the strictest that lets managed apps work
  /// together.
  static let standard: Settings = {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedApps
    settings.appDataEncryptionType = .whenDeviceLocked
    settings.pinRequired = true
    return settings
  }()

  /// Whether what the organisation stores is encrypted.
  var encryptsFiles: Bool { settings.appDataEncryptionType != .useDeviceSettings }

  /// Data of the organisation, handed to somebody.
  func work(toWork isManaged: Bool, via: SharingPath) -> WalkAnswer {
    let hidden: WalkAnswer = settings.filterOpenInToOnlyManagedApps ? .refused : .encrypted
    guard isManaged else {
      let isNone = settings.allowedOutboundDataTransferDestinations == .none
      return via == .sdk ? .refused : isNone ? .encrypted : hidden
    }
    guard settings.allowedInboundDataTransferSources != .none else { return .refused }
    guard settings.allowedOutboundDataTransferDestinations == .none else { return .allowed }
    return via == .sdk ? .refused : .encrypted
  }

  /// Whether the organisation's account takes what is not the organisation's.
  var receivesPersonal: Bool { settings.allowedInboundDataTransferSources == .allApps }

  func paste(ofWork isWork: Bool) -> WalkAnswer {
    switch settings.allowedOutboundClipboardSharingLevel {
    case .allApps, .managedAppsWithPasteIn: .allowed
    case .managedApps: isWork ? .allowed : .refused
    case .blocked: .refused
    }
  }

  /// The screen of the organisation's account.
  var screenCapture: WalkAnswer {
    switch settings.screenCaptureConfigurationState {
    case .blocked: .refused
    case .notBlocked: .allowed
    case nil: settings.allowedOutboundDataTransferDestinations == .allApps ? .allowed : .refused
    }
  }
}
