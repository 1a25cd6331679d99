import Transfer

/// What managed accounts may hand to the system: printers, notifications, Siri, the screen.
enum FunctionRules {
  static func apply(to request: TransferRequest, into reasons: inout [Reason]) {
    let policies = request.sendingPolicies
    if let policy = policies.owner { apply(policy.settings, .owner, request, into: &reasons) }
    if let policy = policies.sender { apply(policy.settings, .sender, request, into: &reasons) }
    if policies.isEmpty { reasons.append(Reason(.noRuleApplied, .device)) }
  }

  private static func apply(
    _ settings: Settings, _ side: Side, _ request: TransferRequest, into reasons: inout [Reason]
  ) {
    switch request.channel {
    case .mailComposer, .messageComposer:
      compose(settings, side, request.channel, into: &reasons)
    case .webView: browse(settings, side, request, into: &reasons)
    case .screenCapture: reasons.append(capture(settings, side, request.sender.app))
    default: reasons.append(reason(settings, side, request.channel))
    }
  }

  private static func reason(_ settings: Settings, _ side: Side, _ channel: Channel) -> Reason {
    func either(_ isBlocked: Bool, _ blocked: Rule, _ allowed: Rule, _ setting: Setting) -> Reason {
      Reason(isBlocked ? blocked : allowed, side, setting)
    }
    switch channel {
    case .print:
      return either(settings.printBlocked, .printingBlocked, .printingAllowed, .printBlocked)
    case .contactSync:
      return either(
        settings.contactSyncBlocked, .contactSyncBlocked, .contactSyncAllowed, .contactSyncBlocked)
    case .widget:
      return either(
        !settings.allowWidgetContentSync, .widgetSyncBlocked, .widgetSyncAllowed,
        .allowWidgetContentSync)
    case .backup:
      return either(settings.dataBackupBlocked, .backupBlocked, .backupAllowed, .dataBackupBlocked)
    case .notification: return notification(settings, side)
    case .writingTools:
      return state(
        settings.writingToolsConfigurationState, .writingToolsConfigurationState,
        allowed: .writingToolsAllowed, blocked: .writingToolsBlocked
      )
      .map { Reason($0, side, $1) } ?? send(settings, side, otherwise: .writingToolsFollowSend)
    case .genmoji:
      return state(
        settings.genmojiConfigurationState, .genmojiConfigurationState, allowed: .genmojiAllowed,
        blocked: .genmojiBlocked
      )
      .map { Reason($0, side, $1) } ?? send(settings, side, otherwise: .genmojiFollowsSend)
    case .spotlight, .siriIntents, .appIntents:
      return send(settings, side, otherwise: .systemFeatureBlocked)
    case .safariExtension:
      let isBlocked = settings.allowedOutboundDataTransferDestinations == .none
      return either(
        isBlocked, .sendNone, .sharingUIAvailable, .allowedOutboundDataTransferDestinations)
    case .fileEncryption:
      return either(
        settings.appDataEncryptionType != .useDeviceSettings, .fileEncryptionRequired,
        .fileEncryptionByDevice, .appDataEncryptionType)
    default: return SendRules.toSystem(settings, side)
    }
  }

  private static func notification(_ settings: Settings, _ side: Side) -> Reason {
    let rule: Rule =
      switch settings.notificationRestriction {
      case .allow: .notificationsAllowed
      case .blockOrganizationalData: .notificationsWithoutOrgData
      case .block: .notificationsBlocked
      }
    return Reason(rule, side, .notificationRestriction)
  }

  /// Allowed where org data may go to any app, else `blocked`.
  private static func send(_ settings: Settings, _ side: Side, otherwise blocked: Rule) -> Reason {
    let isOpen = settings.allowedOutboundDataTransferDestinations == .allApps
    return Reason(
      isOpen ? .sendAllApps : blocked, side, .allowedOutboundDataTransferDestinations)
  }

  private static func state(
    _ state: Settings.ConfigurationState?, _ setting: Setting, allowed: Rule, blocked: Rule
  ) -> (Rule, Setting)? {
    state.map { ($0 == .blocked ? blocked : allowed, setting) }
  }

  private static func capture(_ settings: Settings, _ side: Side, _ app: AppState) -> Reason {
    if let state = state(
      settings.screenCaptureConfigurationState, .screenCaptureConfigurationState,
      allowed: .screenCaptureAllowed, blocked: .screenCaptureBlocked)
    {
      return Reason(state.0, side, state.1)
    }
    if app.isScreenCaptureControlDisabled {
      return Reason(.screenCaptureControlDisabled, side, .screenCaptureControl)
    }
    guard app.has(.screenCaptureFollowsSend) else {
      return Reason(.screenCaptureNotControlled, side)
    }
    return send(settings, side, otherwise: .screenCaptureFollowsSend)
  }

  /// A composer within the app is a way to an unmanaged destination, unless its scheme is exempted.
  private static func compose(
    _ settings: Settings, _ side: Side, _ channel: Channel, into reasons: inout [Reason]
  ) {
    let scheme = channel == .mailComposer ? "mailto" : "sms"
    guard !settings.exemptedAppProtocols.contains(scheme) else {
      reasons.append(Reason(.exemptedScheme, side, .exemptedAppProtocols))
      return
    }
    if channel == .messageComposer {
      reasons.append(URLRules.messaging(settings, side, false))
    }
    reasons.append(SendRules.toSystem(settings, side))
  }

  private static func browse(
    _ settings: Settings, _ side: Side, _ request: TransferRequest, into reasons: inout [Reason]
  ) {
    switch request.sender.app.webViews {
    case .currentIdentity where !request.content.isExternalPage:
      reasons.append(Reason(.webViewOfIdentity, side))
    case .currentIdentityWithoutUpload where !request.content.isExternalPage:
      reasons.append(Reason(.webViewWithoutUpload, side))
    case .unmanaged, .currentIdentity, .currentIdentityWithoutUpload:
      reasons.append(Reason(.webViewUnmanaged, side))
      reasons.append(SendRules.toSystem(settings, side))
    }
  }
}
