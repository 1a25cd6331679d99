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
      compose(policy, side, request.channel, into: &reasons)
    case .webView: browse(policy, side, request, into: &reasons)
    case .screenCapture: reasons.append(capture(policy, side, request.sender.app))
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
    case .writingTools:
      return state(
        policy.settings.writingToolsConfigurationState, .writingToolsConfigurationState,
        allowed: .writingToolsAllowed, blocked: .writingToolsBlocked
      )
      .map { Reason($0, side, $1) } ?? send(policy, side, otherwise: .writingToolsFollowSend)
    case .genmoji:
      return state(
        policy.settings.genmojiConfigurationState, .genmojiConfigurationState,
        allowed: .genmojiAllowed,
        blocked: .genmojiBlocked
      )
      .map { Reason($0, side, $1) } ?? send(policy, side, otherwise: .genmojiFollowsSend)
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

  private static func state(
    _ state: Settings.ConfigurationState?, _ setting: Setting, allowed: Rule, blocked: Rule
  ) -> (Rule, Setting)? {
    state.map { ($0 == .blocked ? blocked : allowed, setting) }
  }

  private static func capture(_ policy: EffectivePolicy, _ side: Side, _ app: AppState) -> Reason {
    if let state = state(
      policy.settings.screenCaptureConfigurationState, .screenCaptureConfigurationState,
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
    return send(policy, side, otherwise: .screenCaptureFollowsSend)
  }

  /// Judges a composer within the app: a way to an unmanaged destination, unless its scheme is exempted.
  private static func compose(
    _ policy: EffectivePolicy, _ side: Side, _ channel: Channel, into reasons: inout [Reason]
  ) {
    let scheme = channel == .mailComposer ? "mailto" : "sms"
    guard !policy.settings.exemptedAppProtocols.contains(scheme) else {
      reasons.append(Reason(.exemptedScheme, side, .exemptedAppProtocols))
      return
    }
    if channel == .messageComposer {
      reasons.append(URLRules.messaging(policy, side, .system))
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
