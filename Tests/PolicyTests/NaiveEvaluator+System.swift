import Model
import Policy

/// What the system does with an app's data.
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

  /// The line of 19 has it from 19.7.6 on, that of 20 from 20.2.1 on, and all later ones.
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

  /// The line of 19 reads the three states from 19.7.12 on, that of 20 from 20.4 on, and all later ones.
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

  /// The keyboard is there or not for the whole app; before 12.0.16 for those accounts alone whose policy blocks it, and
  /// before 8.0.14 for everybody.
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
