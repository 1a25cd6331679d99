import Model

/// The rules of Apple's "managed open-in" restrictions in a device's MDM profile. They limit how documents, pasteboard
/// content and contacts move between apps that MDM manages and other apps. Accounts do not matter, and policies apply
/// in addition.
///
/// Source: Apple Device Management, Restrictions (`com.apple.applicationaccess`).
enum ManagedOpenInRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    guard let restriction = restriction(on: request),
      !reasons.contains(where: { $0.rule == restriction.rule })
    else { return }
    reasons.append(restriction)
  }

  /// Applies the restrictions to the pasteboard. They apply there only if the profile has `requireManagedPasteboard`.
  static func applyToPasteboard(_ request: TransferRequest, into reasons: inout [Reason]) {
    guard request.device.requireManagedPasteboard, let restriction = restriction(on: request)
    else { return }
    reasons.append(Reason(.managedPasteboard, .device, .requireManagedPasteboard))
    reasons.append(restriction)
  }

  static func applyToContactSync(_ request: TransferRequest, into reasons: inout [Reason]) {
    guard request.device.isMDMEnrolled, request.sender.app.isMDMManaged,
      !request.device.allowOpenFromManagedToUnmanaged,
      !request.device.allowManagedToWriteUnmanagedContacts
    else { return }
    reasons.append(
      Reason(.managedContactWriteRestriction, .device, .allowManagedToWriteUnmanagedContacts))
  }

  static func applyToContactRead(_ request: TransferRequest, into reasons: inout [Reason]) {
    let isRestricted =
      request.device.isMDMEnrolled && request.sender.app.isMDMManaged
      && !request.receiver.app.isMDMManaged && !request.device.allowOpenFromManagedToUnmanaged
      && !request.device.allowUnmanagedToReadManagedContacts
    reasons.append(
      isRestricted
        ? Reason(.managedContactReadRestriction, .device, .allowUnmanagedToReadManagedContacts)
        : Reason(.noRuleApplied, .device))
  }

  private static func restriction(on request: TransferRequest) -> Reason? {
    let device = request.device
    guard device.isMDMEnrolled, request.sender.app.bundleID != request.receiver.app.bundleID else {
      return nil
    }
    switch (request.sender.app.isMDMManaged, request.receiver.app.isMDMManaged) {
    case (true, false) where !device.allowOpenFromManagedToUnmanaged:
      return Reason(.managedOpenInRestriction, .device, .allowOpenFromManagedToUnmanaged)
    case (false, true) where !device.allowOpenFromUnmanagedToManaged:
      return Reason(.unmanagedOpenInRestriction, .device, .allowOpenFromUnmanagedToManaged)
    default:  // open: a direction that no restriction closes
      return nil
    }
  }
}

/// The rules of restrictions on system features in a device's MDM profile. They apply to every app and account, managed
/// or not.
///
/// Source: Apple Device Management, Restrictions (`allowScreenShot`, `allowWritingTools`, `allowGenmoji`).
enum FunctionRestrictionRules {
  /// A channel with the restriction that can block it.
  private struct Row: Sendable {
    var channel: Channel
    var allowance: any KeyPath<DeviceRestrictions, Bool> & Sendable
    var rule: Rule
    var setting: Setting
  }

  private static let rows = [
    Row(
      channel: .screenCapture, allowance: \.allowScreenShot, rule: .screenCaptureRestriction,
      setting: .allowScreenShot),
    Row(
      channel: .writingTools, allowance: \.allowWritingTools, rule: .writingToolsRestriction,
      setting: .allowWritingTools),
    Row(
      channel: .genmoji, allowance: \.allowGenmoji, rule: .genmojiRestriction,
      setting: .allowGenmoji),
  ]

  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    guard request.device.isMDMEnrolled else { return }
    for row in rows
    where row.channel == request.channel && !request.device[keyPath: row.allowance] {
      reasons.append(Reason(row.rule, .device, row.setting))
    }
  }
}
