import Model

/// The functions of the system that managed accounts may hand data to: printers, notifications, Siri, the screen.
enum FunctionRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { apply(policy, .owner, request, into: &reasons) }
    if let policy = policies.sender { apply(policy, .sender, request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func apply(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    switch request.channel {
    case .mailComposer, .messageComposer:
      compose(policy, side, request, into: &reasons)
    case .webView: browse(policy, side, request, into: &reasons)
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
    case .fileEncryption: reasons.append(encryption(policy, side, request.device))
    default: reasons.append(reason(policy, side, request.channel))
    }
  }

  private static func reason(_ policy: EffectivePolicy, _ side: Side, _ channel: Channel) -> Reason
  {
    func either(_ isBlocked: Bool, _ blocked: Rule, _ allowed: Rule, _ setting: Setting) -> Reason {
      Reason(isBlocked ? blocked : allowed, side, setting)
    }
    switch channel {
    case .print:
      return either(policy.settings.printBlocked, .printingBlocked, .printingAllowed, .printBlocked)
    case .contactSync:
      return either(
        policy.settings.contactSyncBlocked, .contactSyncBlocked, .contactSyncAllowed,
        .contactSyncBlocked)
    case .widget:
      return either(
        !policy.settings.allowWidgetContentSync, .widgetSyncBlocked, .widgetSyncAllowed,
        .allowWidgetContentSync)
    case .backup:
      return either(
        policy.settings.dataBackupBlocked, .backupBlocked, .backupAllowed, .dataBackupBlocked)
    case .notification: return notification(policy, side)
    case .spotlight, .siriIntents, .appIntents:
      return send(policy, side, otherwise: .systemFeatureBlocked)
    case .safariExtension:
      let isBlocked = policy.settings.allowedOutboundDataTransferDestinations == .none
      return either(
        isBlocked, .sendNone, .sharingUIAvailable, .allowedOutboundDataTransferDestinations)
    default: return SendRules.toSystem(policy, side)
    }
  }

  /// The SDK's `isFileEncryptionRequired`. "Encrypt org data" alone has the system encrypt files, without the app.
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

  /// The reason that allows, where org data may go to any app; otherwise `blocked`.
  private static func send(_ policy: EffectivePolicy, _ side: Side, otherwise blocked: Rule)
    -> Reason
  {
    let isOpen = policy.settings.allowedOutboundDataTransferDestinations == .allApps
    return Reason(
      isOpen ? .sendAllApps : blocked, side, .allowedOutboundDataTransferDestinations)
  }

  /// Judges a feature of the system that a setting of its own allows or blocks. Adds the reason by the setting, and
  /// returns whether it decides: the policy states it, and the app's SDK reads it.
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

  /// Judges a composer within the app: a way to an unmanaged destination, unless its scheme is exempted.
  private static func compose(
    _ policy: EffectivePolicy, _ side: Side, _ request: TransferRequest,
    into reasons: inout [Reason]
  ) {
    let app = request.sender.app
    let scheme = request.channel == .mailComposer ? "mailto" : "sms"
    if policy.settings.exemptedAppProtocols.contains(scheme) {
      guard !app.has(.composerExemptions) else {
        reasons.append(Reason(.exemptedScheme, side, .exemptedAppProtocols))
        return
      }
      reasons.append(Reason(.settingNotRead, side, .exemptedAppProtocols))
    }
    if request.channel == .messageComposer {
      if app.reads(.protectedMessagingRedirectAppType) {
        reasons.append(URLRules.messaging(policy, side, .system))
      } else if policy.settings.protectedMessagingRedirectAppType != .anyApp {
        reasons.append(Reason(.settingNotRead, side, .protectedMessagingRedirectAppType))
      }
    }
    reasons.append(SendRules.toSystem(policy, side))
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
