internal import Activation
internal import Analysis
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy
internal import Predicates

/// The device on which the workbench shows share sheets. It has apps that the policy protects, with a work and a
/// personal account, and apps that no policy can protect.
struct SampleDevice {
  struct App {
    var bundleID: String
    /// The URL scheme that the app registers; nil if none is known.
    var scheme: String?
    /// Whether the policy applies to the work account in the app.
    var isProtected: Bool
    /// The uniform types of the documents that the app opens.
    var documentTypes = ["public.data"]

    var name: String { AppName.short(bundleID) }
  }

  /// The accounts of a protected app. The raw value is the account's name on the page.
  enum Persona: String, CaseIterable {
    case work = "the work account"
    case personal = "the personal account"
  }

  let apps: [App]
  private let policy: EffectivePolicy
  private let state: ManagementState

  /// Creates the device for a policy.
  ///
  /// - Parameter document: The policy. If it targets no app, the most common apps are protected.
  init(_ document: PolicyDocument) {
    // Without origins: texts name settings, and the lines of a draft have no meaning for its reader.
    policy = EffectivePolicy(settings: document.settings)
    state = document.states.first ?? .unenrolled
    let isTargeted = { (bundleID: String) in
      ManagementState.allCases.contains { state in
        document.targets(bundleID: bundleID, state: state).isTargeted
      }
    }
    let known = Self.protectable.filter { isTargeted($0.bundleID) }
    let names = Set(Self.protectable.map { $0.bundleID.lowercased() })
    let others = document.targeting.bundleIDs.subtracting(names).sorted().map {
      App(bundleID: $0, isProtected: true)
    }
    let targeted = known + others
    let protected = (targeted.isEmpty ? Self.protectable : targeted).prefix(Self.protectedCount)
    let installed = Set(protected.map { $0.bundleID.lowercased() })
    apps = protected + Self.open.filter { !installed.contains($0.bundleID.lowercased()) }
  }

  private static let protectedCount = 2

  /// Apps that administrators often protect, the most common ones first.
  private static let protectable = [
    ("com.microsoft.Office.Outlook", "ms-outlook"), ("com.microsoft.skype.teams", "msteams"),
    ("com.microsoft.skydrive", "ms-onedrive"), ("com.microsoft.Office.Word", "ms-word"),
    ("com.microsoft.Office.Excel", "ms-excel"),
    ("com.microsoft.Office.Powerpoint", "ms-powerpoint"),
    ("com.microsoft.msedge", "microsoft-edge"),
  ].map { bundleID, scheme in
    App(bundleID: bundleID, scheme: scheme, isProtected: true)
  }

  private static let open = [
    App(bundleID: "net.whatsapp.WhatsApp", scheme: "whatsapp", isProtected: false),
    App(
      bundleID: "com.adobe.Adobe-Reader", isProtected: false, documentTypes: ["com.adobe.pdf"]),
  ]

  private static let work = Account(upn: "anna@contoso.com")
  private static let personal = Account(upn: "anna@example.org")

  var restrictions: DeviceRestrictions { DeviceRestrictions(isMDMEnrolled: state != .unenrolled) }

  // MARK: Parties

  /// Returns an app that acts for one of its accounts.
  ///
  /// - Parameter persona: The account; nil for an app without accounts.
  func party(_ app: App, as persona: Persona?) -> Party {
    let identity: Identity =
      switch persona {
      case .work?: .account(Self.work)
      case .personal?: .account(Self.personal)
      case nil: .unset
      }
    return Party(
      app: AppState(
        bundleID: app.bundleID, isMultiIdentity: app.isProtected,
        isMDMManaged: app.isProtected && state != .unenrolled,
        hasEnrolledUPN: app.isProtected && state == .enrolled, linksSDK: app.isProtected,
        schemes: Set(schemes(of: app))),
      identity: identity, policy: persona == .work ? policy : nil)
  }

  /// Returns the policy of the app's work account; nil if the app is not protected.
  func policy(of app: App) -> EffectivePolicy? { app.isProtected ? policy : nil }

  /// Returns the URL schemes of an app. For a protected app, this includes the `-intunemam` variant, by which the SDK
  /// opens the app.
  private func schemes(of app: App) -> [String] {
    guard let scheme = app.scheme else { return [] }
    return app.isProtected ? [scheme, "\(scheme)-intunemam"] : [scheme]
  }

  // MARK: Share sheets

  /// The apps as destinations of a share sheet. Protected apps act for the work account.
  var destinations: [SheetApp] {
    apps.map { app in
      SheetApp(
        name: app.name, party: party(app, as: app.isProtected ? .work : nil),
        documentTypes: app.documentTypes, schemes: schemes(of: app))
    }
  }

  /// The Open-In actions of protected apps, and a share extension of the first app without protection. The actions open
  /// documents that the SDK shares under its own aliases of their types.
  var extensions: [SheetExtension] {
    let actions = apps.filter(\.isProtected).map { app in
      `extension`(
        of: app, "\(app.name) Open-In", .action,
        """
        SUBQUERY (extensionItems, $extensionItem,
          SUBQUERY ($extensionItem.attachments, $attachment,
            ANY $attachment.registeredTypeIdentifiers BEGINSWITH "com.microsoft.intune.mam."
          ).@count > 0
        ).@count > 0
        """)
    }
    let shares = apps.filter { !$0.isProtected }.prefix(1).map { app in
      `extension`(of: app, app.name, .share, "TRUEPREDICATE")
    }
    return actions + shares
  }

  private func `extension`(
    of app: App, _ name: String, _ kind: SheetExtension.Kind, _ rule: String
  ) -> SheetExtension {
    var party = party(app, as: app.isProtected ? .work : nil)
    party.app.bundleID = "\(app.bundleID).\(kind.rawValue)"
    party.app.containingApp = app.bundleID
    return SheetExtension(
      name: name, kind: kind, party: party, containingApp: app.bundleID,
      // The rules are valid.
      rule: (try? Predicate(parsing: rule)).map(ActivationRule.predicate),
      isOpenInAction: kind == .action)
  }
}
