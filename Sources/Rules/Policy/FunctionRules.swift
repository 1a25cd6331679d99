import Model

/// A function of the system that can receive org data. Each function belongs to one channel.
enum SystemFunction {
  case documentPickerExport
  case mailComposer
  case messageComposer
  case print
  case notification
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
  case backup
  case screenCapture
  case writingTools
  case genmoji
  case webView
  case safariExtension
  case fileEncryption
}

/// The rules for transfers of org data to functions of the system, such as printers, notifications, Siri and the
/// screen.
enum FunctionRules {
  static func apply(
    _ function: SystemFunction, to request: TransferRequest, into reasons: inout [Reason]
  ) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { apply(policy, .owner, function, request, into: &reasons) }
    if let policy = policies.sender { apply(policy, .sender, function, request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func apply(
    _ policy: EffectivePolicy, _ side: Side, _ function: SystemFunction,
    _ request: TransferRequest, into reasons: inout [Reason]
  ) {
    func either(_ isBlocked: Bool, _ blocked: Rule, _ allowed: Rule, _ setting: Setting) {
      reasons.append(Reason(isBlocked ? blocked : allowed, side, setting))
    }
    switch function {
    case .documentPickerExport: reasons.append(SendRules.toSystem(policy, side))
    case .mailComposer: composeMail(policy, side, request.sender.app, into: &reasons)
    case .messageComposer: composeMessage(policy, side, request.sender.app, into: &reasons)
    case .print:
      either(policy.settings.printBlocked, .printingBlocked, .printingAllowed, .printBlocked)
    case .notification: reasons.append(notification(policy, side))
    case .contactSync:
      either(
        policy.settings.contactSyncBlocked, .contactSyncBlocked, .contactSyncAllowed,
        .contactSyncBlocked)
    case .widget:
      either(
        !policy.settings.allowWidgetContentSync, .widgetSyncBlocked, .widgetSyncAllowed,
        .allowWidgetContentSync)
    case .spotlight, .siriIntents, .appIntents:
      reasons.append(send(policy, side, otherwise: .systemFeatureBlocked))
    case .backup:
      either(policy.settings.dataBackupBlocked, .backupBlocked, .backupAllowed, .dataBackupBlocked)
    case .screenCapture: capture(policy, side, request.sender.app, into: &reasons)
    case .writingTools:
      feature(
        policy, side, request.sender.app, .writingToolsConfigurationState,
        policy.settings.writingToolsConfigurationState, allowed: .writingToolsAllowed,
        blocked: .writingToolsBlocked, followsSend: .writingToolsFollowSend, into: &reasons)
    case .genmoji:
      feature(
        policy, side, request.sender.app, .genmojiConfigurationState,
        policy.settings.genmojiConfigurationState, allowed: .genmojiAllowed,
        blocked: .genmojiBlocked, followsSend: .genmojiFollowsSend, into: &reasons)
    case .webView: browse(policy, side, request, into: &reasons)
    case .safariExtension:
      either(
        policy.settings.allowedOutboundDataTransferDestinations == .none, .sendNone,
        .sharingUIAvailable, .allowedOutboundDataTransferDestinations)
    case .fileEncryption: reasons.append(encryption(policy, side, request.device))
    }
  }

  /// Returns the reason why the SDK's `isFileEncryptionRequired` is true or false. It is true only if both the policy
  /// ("Encrypt org data") and the device require encryption. If only the policy requires it, the system encrypts the
  /// files, and the app need not.
  private static func encryption(
    _ policy: EffectivePolicy, _ side: Side, _ device: DeviceRestrictions
  ) -> Reason {
    let isRequired = device.isFileEncryptionRequired && policy.encryptsFiles
    return Reason(
      isRequired ? .fileEncryptionRequired : .fileEncryptionByDevice, side, .appDataEncryptionType)
  }

  private static func notification(_ policy: EffectivePolicy, _ side: Side) -> Reason {
    let rule: Rule =
      switch policy.settings.notificationRestriction {
      case .allow: .notificationsAllowed
      case .blockOrganizationalData: .notificationsWithoutOrgData
      case .block: .notificationsBlocked
      }
    return Reason(rule, side, .notificationRestriction)
  }

  /// Returns the reason from "Send org data to other apps". If the setting is "All apps", the reason allows the
  /// transfer; otherwise, the reason's rule is `blocked`.
  private static func send(_ policy: EffectivePolicy, _ side: Side, otherwise blocked: Rule)
    -> Reason
  {
    let isOpen = policy.settings.allowedOutboundDataTransferDestinations == .allApps
    return Reason(
      isOpen ? .sendAllApps : blocked, side, .allowedOutboundDataTransferDestinations)
  }

  /// Returns whether a system feature's own setting decides: the policy sets it, and the app's SDK reads it. If so,
  /// adds the reason. If the policy sets it but the SDK does not read it, adds a reason that states this, and returns
  /// false.
  private static func isDecided(
    by setting: Setting, _ state: Settings.ConfigurationState?, _ side: Side, _ app: AppState,
    allowed: Rule, blocked: Rule, into reasons: inout [Reason]
  ) -> Bool {
    guard let state else { return false }
    guard app.reads(setting) else {
      reasons.append(Reason(.settingNotRead, side, setting))
      return false
    }
    reasons.append(Reason(state == .blocked ? blocked : allowed, side, setting))
    return true
  }

  private static func feature(
    _ policy: EffectivePolicy, _ side: Side, _ app: AppState, _ setting: Setting,
    _ state: Settings.ConfigurationState?, allowed: Rule, blocked: Rule, followsSend: Rule,
    into reasons: inout [Reason]
  ) {
    guard
      !isDecided(
        by: setting, state, side, app, allowed: allowed, blocked: blocked, into: &reasons)
    else { return }
    reasons.append(send(policy, side, otherwise: followsSend))
  }

  private static func capture(
    _ policy: EffectivePolicy, _ side: Side, _ app: AppState, into reasons: inout [Reason]
  ) {
    guard
      !isDecided(
        by: .screenCaptureConfigurationState, policy.settings.screenCaptureConfigurationState, side,
        app, allowed: .screenCaptureAllowed, blocked: .screenCaptureBlocked, into: &reasons)
    else { return }
    if app.isScreenCaptureControlDisabled {
      reasons.append(Reason(.screenCaptureControlDisabled, side, .screenCaptureControl))
    } else if app.has(.screenCaptureFollowsSend) {
      reasons.append(send(policy, side, otherwise: .screenCaptureFollowsSend))
    } else {
      reasons.append(Reason(.screenCaptureNotControlled, side))
    }
  }

  private static func composeMail(
    _ policy: EffectivePolicy, _ side: Side, _ app: AppState, into reasons: inout [Reason]
  ) {
    guard !isExempted("mailto", policy, side, app, into: &reasons) else { return }
    reasons.append(SendRules.toSystem(policy, side))
  }

  private static func composeMessage(
    _ policy: EffectivePolicy, _ side: Side, _ app: AppState, into reasons: inout [Reason]
  ) {
    guard !isExempted("sms", policy, side, app, into: &reasons) else { return }
    if app.reads(.protectedMessagingRedirectAppType) {
      reasons.append(URLRules.messaging(policy, side, .system))
    } else if policy.settings.protectedMessagingRedirectAppType != .anyApp {
      reasons.append(Reason(.settingNotRead, side, .protectedMessagingRedirectAppType))
    }
    reasons.append(SendRules.toSystem(policy, side))
  }

  /// Returns whether a mail or message composer inside the app is exempted by its URL scheme. Composers are otherwise
  /// unmanaged receivers. If the policy exempts the scheme, adds a reason, even if the app's SDK does not apply
  /// exemptions to composers and the result is false.
  private static func isExempted(
    _ scheme: String, _ policy: EffectivePolicy, _ side: Side, _ app: AppState,
    into reasons: inout [Reason]
  ) -> Bool {
    guard policy.settings.exemptedAppProtocols.contains(scheme) else { return false }
    let isRead = app.has(.composerExemptions)
    reasons.append(Reason(isRead ? .exemptedScheme : .settingNotRead, side, .exemptedAppProtocols))
    return isRead
  }

  private static func browse(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    switch request.sender.app.webViews {
    case .currentIdentity where !request.content.isExternalPage:
      reasons.append(Reason(.webViewOfIdentity, side))
    case .currentIdentityWithoutUpload where !request.content.isExternalPage:
      reasons.append(Reason(.webViewWithoutUpload, side))
    case .unmanaged, .currentIdentity, .currentIdentityWithoutUpload:
      reasons.append(Reason(.webViewUnmanaged, side))
      reasons.append(SendRules.toSystem(policy, side))
    }
  }
}

// MARK: - Keyboards

/// The rules of "Third-party keyboards". The setting applies to a whole app: if the policy of one account blocks these
/// keyboards, no account in the app can use them. Before SDK release 12.0.16, the app's other accounts could still use
/// them.
enum KeyboardRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    let app = request.sender.app
    let isRead = app.reads(.thirdPartyKeyboardsBlocked)
    for (policy, side) in [(policies.owner, Side.owner), (policies.sender, .sender)] {
      if let policy { reasons.append(reason(policy, side, isRead: isRead)) }
    }
    if let policy = request.appPolicy, policy !== policies.owner, policy !== policies.sender {
      reasons.append(reason(policy, .app, isRead: app.has(.keyboardsOfAllAccounts)))
    }
    if reasons.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func reason(_ policy: EffectivePolicy, _ side: Side, isRead: Bool) -> Reason {
    let rule: Rule =
      if !policy.settings.thirdPartyKeyboardsBlocked {
        .keyboardsAllowed
      } else {
        isRead ? .keyboardsBlocked : .settingNotRead
      }
    return Reason(rule, side, .thirdPartyKeyboardsBlocked)
  }
}
