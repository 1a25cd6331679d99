import Model
import Policy

/// The restrictions of the device's MDM profile, which know nothing of policies.
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

  /// Whether data would go from a managed app to an unmanaged one, or the other way, where that is not
  /// allowed. Within one app there is no such line.
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
