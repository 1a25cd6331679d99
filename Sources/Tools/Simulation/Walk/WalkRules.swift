internal import Model
internal import Policy

/// The part of the policy that the walk's model depends on. That data of the organisation reaches nobody else does not
/// come from the policy: that is what a walk is to show of a policy.
struct WalkRules {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// The settings of a walk without policies: the strictest that let managed apps work together.
  static let standard: Settings = {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedApps
    settings.appDataEncryptionType = .whenDeviceLocked
    settings.pinRequired = true
    return settings
  }()

  /// Whether files of the organisation are encrypted.
  var encryptsFiles: Bool { settings.appDataEncryptionType != .useDeviceSettings }

  /// The answer to data of the organisation that is handed to an account.
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

  /// Whether the organisation's account takes data that is not the organisation's.
  var receivesPersonal: Bool { settings.allowedInboundDataTransferSources == .allApps }

  func paste(ofWork isWork: Bool) -> WalkAnswer {
    switch settings.allowedOutboundClipboardSharingLevel {
    case .allApps, .managedAppsWithPasteIn: .allowed
    case .managedApps: isWork ? .allowed : .refused
    case .blocked: .refused
    }
  }

  /// The answer to a screen capture while the organisation's account is active.
  var screenCapture: WalkAnswer {
    switch settings.screenCaptureConfigurationState {
    case .blocked: .refused
    case .notBlocked: .allowed
    case nil: settings.allowedOutboundDataTransferDestinations == .allApps ? .allowed : .refused
    }
  }
}
