internal import Model
internal import Policy

/// The SDK's reports on the apps that integrate it, where the configuration asks for them and the app has not opted
/// out.
extension AuditLog {
  func reportLaunch(of guest: Guest) { report(.launch, of: guest) }

  /// Reports the result of an enrollment call.
  ///
  /// - Parameter result: `enrolled`, `notTargeted`, `refused` or `unenrolled`, or the name of the status that answers
  ///   the call.
  func reportEnrollment(_ call: EnrollmentCall, _ result: String, of guest: Guest) {
    report(.enrollment, of: guest, call.rawValue, result)
  }

  /// Reports a request of the app, except for requests that bypass the SDK, and for those of enrollment or tokens.
  func reportAction(
    _ operation: Operation, via path: SharingPath?, _ outcome: Outcome, of guest: Guest
  ) {
    guard configuration.recordsTelemetry, path != .os, operation.isAction else { return }
    report(.action, of: guest, operation.rawValue, outcome.rawValue)
  }

  private func report(
    _ kind: Telemetry.Kind, of guest: Guest, _ call: String? = nil, _ result: String? = nil
  ) {
    let app = guest.app
    guard configuration.recordsTelemetry, app.integratesSDK, !app.isTelemetryDisabled else {
      return
    }
    let management = Telemetry.Management(
      hasManagedAccount: guest.appPolicy != nil,
      isMDMManaged: configuration.state.isMDMEnrolled && app.isMDMManaged)
    let telemetry = Telemetry(
      app: app.bundleID, kind: kind, management: management, call: call, result: result)
    if kind == .launch {
      record(.telemetryRecorded(telemetry), of: guest)
    } else {
      record(.telemetryRecorded(telemetry))
    }
  }
}

extension Operation {
  fileprivate var isAction: Bool {
    switch self {
    case .signIn, .signOut, .enroll, .unenroll, .remediate, .acquireToken: false
    // By a channel
    case .share, .openIn, .import, .dragAndDrop, .contactRead, .openURL, .universalLink, .appClip,
      .saveTo, .openFrom, .documentPickerExport, .documentPickerImport, .mailComposer,
      .messageComposer, .print, .notification, .contactSync, .widget, .spotlight, .siriIntents,
      .appIntents, .backup, .screenCapture, .writingTools, .genmoji, .keyboard, .webView,
      .safariExtension, .fileEncryption:
      true
    // On the app's own data and identities
    case .copy, .paste, .canReceive, .keychainAdd, .keychainQuery, .keychainDelete,
      .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .conditionalLaunch:
      true
    // With extensions and other devices
    case .loadItem, .completeExtension, .extensionCall, .airDrop, .openReceived,
      .universalClipboard:
      true
    // On what the administrator provides
    case .managedConfiguration, .legacyManagedConfiguration, .managedIdentifiers,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSignature, .managedReport:
      true
    }
  }
}
