package import Activation
public import JSON
public import Model

/// An app or extension of the device, and how its guests behave.
public struct AppSpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the app.
  public var name: String
  /// Bundle id; empty where the bundle at ``path`` states it.
  public var bundle: String
  /// Team prefix of the publisher; nil: that of the bundle at ``path``, or one that no other app has.
  public var team: String?
  /// Whether the app integrates the Intune App SDK.
  public var usesSDK: Bool
  /// The SDK's version; nil: the newest.
  public var sdkVersion: Version?
  /// The app's own version; nil: the app states none, which meets no minimum.
  public var version: Version?
  /// What the app's web views act for.
  public var webViews: WebViewPolicy
  /// `IntuneMAMSettings.MultiIdentity`.
  public var isMultiIdentity: Bool
  /// Installed by MDM.
  public var isMDMManaged: Bool
  /// A program to run as the guest, as written: relative to the scenario file; nil: the ready-made guest.
  public var executable: String?
  /// Whether the program has worker threads of libdispatch, and may read the files of `/proc` for it.
  public var usesDispatch: Bool
  /// A bundle folder to take Info.plist and entitlements from, as written; nil: none.
  public var path: String?
  /// How many guests run the app: 1 to 100,000.
  public var count: Int
  /// Names of the servers that the app may reach.
  public var servers: [String] = []
  /// URL schemes that the app registers, lower case, without colon.
  public var schemes: [String]
  /// Entitlement `com.apple.developer.associated-domains`, such as `applinks:contoso.com`.
  public var associatedDomains: [String]
  /// Entitlement `keychain-access-groups`, with the team's prefix.
  public var keychainGroups: [String]
  /// Entitlement `com.apple.security.application-groups`.
  public var appGroups: [String]
  /// App configuration: keys and values.
  public var configuration: [String: String]
  /// Names of the accounts that are signed in when a case begins, in this order.
  public var signedIn: [String]
  /// Text of the item that the app gives to those who import from it; nil: it has nothing to give.
  public var provides: String?
  /// How the app answers when it is asked to switch identity.
  public var switchAnswer: SwitchAnswer
  /// nil: this is an app.
  public var extensionKind: ExtensionKind?
  /// Name of the app that contains this extension; nil for an app.
  public var containingApp: String?

  /// Values of build variables in the bundle, as in `$(PRODUCT_BUNDLE_IDENTIFIER)`; scenarios state none.
  public var buildVariables: [String: String] = [:]
  /// `IntuneMAMSettings.ValuesToScrubFromLogging`: keys of the configuration.
  public var scrubbedKeys: [String] = []
  /// `IntuneMAMSettings.MAMTelemetryDisabled`.
  public var isTelemetryDisabled = false
  /// Whether the ready-made guest runs it, whatever program its bundle has.
  package var isReadyMade = false
  /// Whether an administrator may take the app over from its user.
  public var management = Management.possible
  /// Whether a keyboard has full access.
  public var hasFullAccess = false
  /// Uniform types of the documents that the app opens, beside those of its bundle.
  public var documentTypes: [String] = []
  /// When the extension is offered; nil: as its bundle says, or never.
  package var activationRule: ActivationRule?
  /// `IntuneMAMSettings.OpenInActionExtension`.
  public var isOpenInAction = false
  /// How the app answers when an account is to be wiped from it.
  public var wipe = WipeAnswer.failed
  /// How the app answers when the SDK asks it to add an account, and to block one.
  public var addAnswer = SwitchAnswer.success
  public var blockAnswer = SwitchAnswer.success
  /// `IntuneMAMSettings.MultiManagedIdentities`.
  public var allowsSeveralManagedAccounts = false

  /// `IntuneMAMSettings.AutoEnrollOnLaunch`; nil: as its bundle says.
  public var enrollsOnLaunch: Bool?
  /// `IntuneMAMSettings.MAMPolicyRequired`; nil: as its bundle says.
  public var requiresPolicy: Bool?
  /// `IntuneMAMSettings.MAMPolicyWarnAbsent`; nil: as its bundle says.
  public var warnsWithoutPolicy: Bool?
  /// What the app declares to the token service.
  public var capabilities: [String] = []

  public enum WipeAnswer: String, Sendable, CaseIterable {
    /// It removes the account's files, and says so.
    case success
    /// It leaves the files to the SDK.
    case failed
    case crash
    case hang
    /// It says that it removed the files, and did not.
    case lie
  }

  public enum Management: String, Sendable, CaseIterable {
    case possible
    /// The user keeps the app for himself.
    case refused
  }

  public enum SwitchAnswer: String, Sendable, CaseIterable {
    case success, failed
  }

  /// What a scenario calls the extension points.
  public enum ExtensionKind: String, Sendable, CaseIterable {
    case share, action, service, notificationService, keyboard, safariWebExtension, fileProvider,
      packetTunnel, singleSignOn

    public var point: ExtensionPoint {
      switch self {
      case .share: .share
      case .action: .action
      case .service: .service
      case .notificationService: .notificationService
      case .keyboard: .keyboard
      case .safariWebExtension: .safariWebExtension
      case .fileProvider: .fileProvider
      case .packetTunnel: .packetTunnel
      case .singleSignOn: .singleSignOn
      }
    }
  }

  public init(
    position: Position, name: String, bundle: String, team: String? = nil, usesSDK: Bool = false,
    sdkVersion: Version? = nil, version: Version? = nil,
    webViews: WebViewPolicy = .currentIdentity, isMultiIdentity: Bool = false,
    isMDMManaged: Bool = false, executable: String? = nil, usesDispatch: Bool = false,
    path: String? = nil, count: Int = 1, schemes: [String] = [],
    associatedDomains: [String] = [], keychainGroups: [String] = [],
    appGroups: [String] = [], configuration: [String: String] = [:], signedIn: [String] = [],
    provides: String? = nil, switchAnswer: SwitchAnswer = .success,
    extensionKind: ExtensionKind? = nil, containingApp: String? = nil
  ) {
    self.position = position
    self.name = name
    self.bundle = bundle
    self.team = team
    self.usesSDK = usesSDK
    self.isMultiIdentity = isMultiIdentity
    self.isMDMManaged = isMDMManaged
    self.executable = executable
    self.usesDispatch = usesDispatch
    self.path = path
    self.count = count
    self.schemes = schemes
    self.sdkVersion = sdkVersion
    self.version = version
    self.webViews = webViews
    self.associatedDomains = associatedDomains
    self.keychainGroups = keychainGroups
    self.appGroups = appGroups
    self.configuration = configuration
    self.signedIn = signedIn
    self.provides = provides
    self.switchAnswer = switchAnswer
    self.extensionKind = extensionKind
    self.containingApp = containingApp
  }

  /// Names of the app's guests: that of the app, or with a count above 1, `mail-1`, `mail-2`, ….
  public var guests: [String] {
    count == 1 ? [name] : (1...count).map { "\(name)-\($0)" }
  }

  /// Whether one of the app's guests has that name.
  public func hasGuest(_ guest: String) -> Bool {
    guard count > 1 else { return guest == name }
    guard guest.hasPrefix("\(name)-") else { return false }
    let digits = guest.dropFirst(name.count + 1)
    return Int(digits).map { (1...count).contains($0) && String($0) == digits } ?? false
  }
}
