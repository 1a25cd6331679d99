import Model
import Policy

/// What the system does with an app's data.
extension NaiveEvaluator {
  static func mayCapture(_ settings: Settings, _ app: AppState) -> Bool {
    switch settings.screenCaptureConfigurationState {
    case .blocked: false
    case .notBlocked: true
    case nil:
      app.isScreenCaptureControlDisabled || !controlsScreenCapture(app)
        || maySendAnywhere(settings)
    }
  }

  /// The line of 19 has it from 19.7.6 on, that of 20 from 20.2.1 on, and all later ones.
  private static func controlsScreenCapture(_ app: AppState) -> Bool {
    guard let version = app.sdkVersion else { return true }
    return switch version.major {
    case ..<19: false
    case 19: version >= Version(19, 7, 6)
    case 20: version >= Version(20, 2, 1)
    default: true
    }
  }

  static func mayUse(_ state: Settings.ConfigurationState?, _ settings: Settings) -> Bool {
    switch state {
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

  /// The keyboard is there or not for the whole app.
  static func typing(_ request: TransferRequest) -> Outcome {
    if let policy = request.appPolicy, policy.settings.thirdPartyKeyboardsBlocked {
      return .blocked
    }
    return each(request) { !$0.thirdPartyKeyboardsBlocked }
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
