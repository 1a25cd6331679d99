package import Model
package import Policy

/// A question of an experiment to a phone, in the form that Sluice's rules evaluate.
package enum Question: Sendable {
  case transfer(TransferRequest)
  case launch(LaunchRequest)
  case pinChange(PINChange)
  case signIn(SignInRequest)
  case file(FileRequest)
  /// A request that the device itself decides, for these reasons.
  case device([Reason])

  package var verdict: Verdict {
    switch self {
    case .transfer(let request): evaluate(request)
    case .launch(let request): evaluateLaunch(request)
    case .pinChange(let change): evaluatePINChange(change)
    case .signIn(let request): evaluateSignIn(request)
    case .file(let request): evaluateFile(request)
    case .device(let reasons): Verdict(reasons)
    }
  }

  /// Returns the same question with other policy settings.
  ///
  /// - Parameter edit: Changes the settings of one policy. Its second argument returns whether the policy states a
  ///   setting.
  func changingSettings(
    _ edit: (inout Settings, (Setting) -> Bool) -> Void
  ) -> Question {
    // Requests compare policies by identity, so a policy is changed once.
    var changed: [ObjectIdentifier: EffectivePolicy] = [:]
    func change(_ policy: inout EffectivePolicy?) {
      guard let old = policy else { return }
      if let known = changed[ObjectIdentifier(old)] {
        policy = known
        return
      }
      var settings = old.settings
      edit(&settings) { old.origins[$0] != nil }
      let new = EffectivePolicy(settings: settings, origins: old.origins)
      changed[ObjectIdentifier(old)] = new
      policy = new
    }
    switch self {
    case .transfer(var request):
      change(&request.sender.policy)
      change(&request.owner.policy)
      change(&request.receiver.policy)
      change(&request.appPolicy)
      return .transfer(request)
    case .launch(var request):
      change(&request.policy)
      return .launch(request)
    case .pinChange(var request):
      change(&request.policy)
      return .pinChange(request)
    case .file(var request):
      change(&request.owner.policy)
      return .file(request)
    case .signIn, .device: return self
    }
  }
}

// MARK: - Alternatives

/// A possible difference between phones and Sluice. On phones, an open rule (``Rule/open``) has another effect, or open
/// rules have other conditions.
package struct Alternative: Sendable {
  /// Changes the facts of a question. If the alternative is true, phones answer the original question as Sluice answers
  /// the changed one.
  package typealias Change = @Sendable (Question) -> Question

  /// The open rules that do not hold under this alternative. A verdict with none of these rules among its reasons is
  /// unchanged.
  package let rules: [Rule]
  /// The phones' behaviour under this alternative, as a clause.
  package let text: String
  /// The path of the public statement that supports the alternative, without its extension; nil for none.
  package let statement: String?
  private let effect: Outcome?
  private let change: Change

  /// Creates an alternative in which rules have other conditions.
  package init(
    _ rules: Rule..., text: String, statement: String? = nil, change: @escaping Change
  ) {
    self.rules = rules
    self.text = text
    self.statement = statement
    effect = nil
    self.change = change
  }

  /// Creates an alternative in which a rule has another effect.
  package init(_ rule: Rule, has effect: Outcome) {
    rules = [rule]
    let verb =
      switch effect {
      case .allowed: "allow"
      case .encrypted: "encrypt"
      case .blocked: "block"
      }
    text = "phones \(verb) what `\(rule.rawValue)` \(rule.effect.verb)"
    statement = nil
    self.effect = effect
    change = { $0 }
  }

  /// Returns the expected outcome on phones if the alternative is true.
  package func outcome(of question: Question) -> Outcome {
    let verdict = question.verdict
    guard verdict.reasons.contains(where: { rules.contains($0.rule) }) else {
      return verdict.outcome
    }
    guard let effect else { return change(question).verdict.outcome }
    return verdict.reasons.reduce(.allowed) { outcome, reason in
      min(outcome, rules.contains(reason.rule) ? effect : reason.rule.effect)
    }
  }
}

extension Outcome {
  fileprivate var verb: String {
    switch self {
    case .allowed: "allows"
    case .encrypted: "encrypts"
    case .blocked: "blocks"
    }
  }
}

// MARK: - Known alternatives

extension Alternative {
  /// Returns a change that applies to transfer requests, and leaves other questions unchanged.
  package static func transfer(
    _ edit: @escaping @Sendable (inout TransferRequest) -> Void
  ) -> Change {
    { question in
      guard case .transfer(var request) = question else { return question }
      edit(&request)
      return .transfer(request)
    }
  }

  /// Returns a change that applies `edit` to the settings of each policy in a question. The second argument of `edit`
  /// returns whether the policy states a setting.
  package static func settings(
    _ edit: @escaping @Sendable (inout Settings, (Setting) -> Bool) -> Void
  ) -> Change {
    { $0.changingSettings(edit) }
  }

  /// The alternatives from public statements and `docs/ASSUMPTIONS.md`, followed by the alternatives in which an open
  /// rule has another effect.
  package static let all: [Alternative] = named + Rule.open.flatMap(otherEffects)

  /// Returns the alternatives in which the rule has another effect. The other effect can be encryption only for rules
  /// on transfers between apps and on files.
  package static func otherEffects(of rule: Rule) -> [Alternative] {
    let effects: [Outcome] =
      if rule == .fileEncryptionByDevice {
        [.encrypted]
      } else {
        [.allowed, .blocked] + (encryptable.contains(rule) ? [.encrypted] : [])
      }
    return effects.filter { $0 != rule.effect }.map { Alternative(rule, has: $0) }
  }

  private static let encryptable: Set<Rule> = [
    .sameTenant, .otherTenant, .ownerNotSignedIn, .toAnotherDevice, .fromAnotherDevice,
  ]

  private static let named: [Alternative] = [
    Alternative(
      .dialerAnyApp, text: "“Any dialer app” stands for any managed dialer",
      statement: "evidence-open/links/dialer-any-must-be-managed",
      change: settings { settings, _ in settings.dialerRestrictionLevel = .managedApps }),
    Alternative(
      .dialerSpecificApp, text: "a specific dialer must also be managed",
      statement: "evidence-open/links/dialer-specific-must-be-managed",
      change: settings { settings, _ in settings.dialerRestrictionLevel = .managedApps }),
    Alternative(
      .managedBrowserRequired, text: "under “All apps”, a universal link opens its app",
      statement: "evidence-open/links/universal-link-under-all-apps",
      change: settings { settings, _ in
        guard settings.allowedOutboundDataTransferDestinations == .allApps else { return }
        settings.managedBrowser = .notConfigured
        settings.managedBrowserToOpenLinksRequired = false
      }),
    Alternative(
      .managedBrowserRequired,
      text: "a managed universal link opens any app that integrates the SDK",
      statement: "evidence-open/links/managed-universal-link-supported-app",
      change: transfer { request in
        if request.receiver.app.linksSDK { request.receiver.policy = request.sender.policy }
      }),
    Alternative(
      .managedBrowserUsed, text: "an Edge that no policy targets opens no links of managed apps",
      statement: "evidence-open/links/edge-without-a-policy",
      change: transfer { request in
        if !request.receiver.isManaged { request.content.opensInManagedBrowser = false }
      }),
    Alternative(
      .saveServiceNotSelected, text: "selecting OneDrive also selects SharePoint",
      statement: "evidence-open/storage/onedrive-choice-covers-sharepoint-online",
      change: settings { settings, _ in
        guard settings.allowedDataStorageLocations.contains(.oneDriveForBusiness) else { return }
        settings.allowedDataStorageLocations.insert(.sharePoint)
      }),
    Alternative(
      .saveServiceNotSelected, text: "Outlook saves images of messages to Photos",
      statement: "evidence-open/storage/outlook-images-are-not-restricted",
      change: transfer { request in
        guard PublicApp.outlook.bundleID == request.sender.app.bundleID,
          request.content.location == .cameraRoll
        else { return }
        request.sender.policy = nil
        request.owner.policy = nil
      }),
    Alternative(
      .saveServiceNotSelected,
      text: "data can be saved to the phone's own storage without selecting it",
      change: settings { settings, _ in
        settings.allowedDataStorageLocations.insert(.localStorage)
      }),
    Alternative(
      .saveServiceNotSelected, text: "if the list is absent, every service is selected for saving",
      change: settings { settings, isStated in
        guard !isStated(.allowedDataStorageLocations) else { return }
        settings.allowedDataStorageLocations = Set(Settings.StorageService.allCases)
      }),
    Alternative(
      .saveNotRestricted, text: "only “All apps” lets data be saved to Photos",
      statement: "evidence-open/storage/photo-library-blocked-by-send",
      change: { question in
        guard case .transfer(let request) = question, request.content.location == .cameraRoll else {
          return question
        }
        return question.changingSettings { settings, _ in
          settings.saveAsBlocked = true
          settings.allowedDataStorageLocations = []
        }
      }),
    Alternative(
      .openServiceNotSelected, text: "if the list is absent, every service is selected for opening",
      statement: "evidence-open/storage/absent-list-of-open-locations",
      change: settings { settings, isStated in
        guard !isStated(.allowedDataIngestionLocations) else { return }
        settings.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
      }),
    Alternative(
      .widgetSyncAllowed, .widgetSyncBlocked,
      text: "the setting for sync with native apps also applies to widgets",
      statement: "evidence-open/functions/widgets-follow-native-sync",
      change: settings { settings, _ in
        settings.allowWidgetContentSync = !settings.contactSyncBlocked
      }),
    Alternative(
      .widgetSyncBlocked, text: "`allowWidgetContentSync` counts as true if it is absent",
      statement: "evidence-open/functions/widgets-by-default",
      change: settings { settings, isStated in
        if !isStated(.allowWidgetContentSync) { settings.allowWidgetContentSync = true }
      }),
    Alternative(
      .screenCaptureControlDisabled,
      text: "the key `com.microsoft.intune.mam.screencapturecontrol` has no effect under MDM",
      statement: "evidence-open/functions/screen-capture-key-on-managed-devices",
      change: transfer { $0.sender.app.isScreenCaptureControlDisabled = false }),
    Alternative(
      .fileEncryptionByDevice, text: "“Encrypt org data” requires encryption by the app",
      statement: "evidence-open/files/file-encryption-required-in-a-log",
      change: transfer { $0.device.isFileEncryptionRequired = true }),
    Alternative(
      .otherTenant, text: "an account of another tenant counts as unmanaged",
      change: transfer { request in request.receiver.policy = nil }),
    Alternative(
      .otherTenant, text: "an account of another tenant counts as policy managed",
      change: transfer { request in
        guard let theirs = request.receiver.identity.account else { return }
        request.receiver.identity = .account(
          Account(upn: theirs.upn, tenantID: request.sender.identity.account?.tenantID))
      }),
    Alternative(
      .sameTenant, text: "another account of the tenant counts as unmanaged",
      change: transfer { request in request.receiver.policy = nil }),
    Alternative(
      .universalClipboard, text: "no policy restricts pasting on the user's other devices",
      change: transfer { request in
        request.sender.policy = nil
        request.owner.policy = nil
      }),
    Alternative(
      .toAnotherDevice, text: "the SDK's own sharing path decides on AirDrop",
      change: transfer { $0.via = .sdk }),
    Alternative(
      .fromAnotherDevice, text: "data from the user's other devices belongs to the account",
      change: transfer { request in
        request.owner = Owner(
          account: request.receiver.identity.account, policy: request.receiver.policy)
      }),
    Alternative(
      .offlineGraceBlocks, text: "a check-in of one app restarts the offline timer of all apps",
      statement: "evidence-open/launch/grace-shared-by-publisher",
      change: { question in
        guard case .launch(var request) = question else { return question }
        request.account.lastCheckIn = request.now
        return .launch(request)
      }),
    Alternative(
      .pinDescending, text: "“Simple PIN: Block” accepts descending runs",
      change: settings { settings, _ in settings.simplePinBlocked = false }),
    Alternative(
      .singleManagedAccount,
      text: "the user chooses which managed account stays, and the other one is removed",
      statement: "evidence-open/enrollment/second-managed-account-replaces-the-first",
      change: { question in
        guard case .signIn(var request) = question else { return question }
        request.managedAccounts = []
        return .signIn(request)
      }),
  ]
}

extension Rule {
  /// The rules that public statements contest, do not support, or support for only some cases.
  package static let open = allCases.filter {
    $0.standing.level <= .assumed || rulesWithOpenCases.contains($0)
  }

  /// Rules that public statements support for only some cases. The statements do not cover a feature whose state is not
  /// set, or a PIN whose characters no longer suffice.
  private static let rulesWithOpenCases: Set<Rule> = [
    .writingToolsFollowSend, .genmojiFollowsSend, .pinOutdated,
  ]
}
