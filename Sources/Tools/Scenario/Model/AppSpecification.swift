package import Activation
public import JSON
public import Model

/// An app or extension of the device, and the behaviour of its guests.
public struct AppSpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the app.
  public var name: String
  /// The bundle id; empty where the bundle at ``path`` states it.
  public var bundle: String
  /// The team prefix of the publisher; nil: that of the bundle at ``path``, or one that no other app has.
  public var team: String?
  /// Whether the app integrates the Intune App SDK.
  public var usesSDK: Bool
  /// The version of the SDK; nil: the newest.
  public var sdkVersion: Version?
  /// The version of the app; nil: the app states none, which meets no minimum.
  public var version: Version?
  /// The identity that the app's web views act for.
  public var webViews: WebViewPolicy
  /// Whether the app has several identities (`IntuneMAMSettings.MultiIdentity`).
  public var isMultiIdentity: Bool
  /// Whether MDM has installed the app.
  public var isMDMManaged: Bool
  /// A program to run as the guest, as written: relative to the scenario file; nil: the ready-made guest.
  public var executable: String?
  /// Whether the program has worker threads of libdispatch, and may read the files of `/proc` for them.
  public var usesDispatch: Bool
  /// A bundle folder to take Info.plist and entitlements from, as written; nil: none.
  public var path: String?
  /// The number of guests that run the app: 1 to 100,000.
  public var count: Int
  /// The names of the servers that the app may reach.
  public var servers: [String] = []
  /// The URL schemes that the app registers, in lower case, without colon.
  public var schemes: [String]
  /// Entitlement `com.apple.developer.associated-domains`, such as `applinks:contoso.com`.
  public var associatedDomains: [String]
  /// Entitlement `keychain-access-groups`, with the team's prefix.
  public var keychainGroups: [String]
  /// Entitlement `com.apple.security.application-groups`.
  public var appGroups: [String]
  /// The keys and values of the app configuration.
  public var configuration: [String: String]
  /// The names of the accounts that are signed in when a case begins, in this order.
  public var signedIn: [String]
  /// The text of the item that the app gives to apps that import from it; nil: it has nothing to give.
  public var provides: String?
  /// The app's answer when it is asked to switch identity.
  public var switchAnswer: SwitchAnswer
  /// The kind of extension; nil: this is an app.
  public var extensionKind: ExtensionKind?
  /// The name of the app that contains this extension; nil for an app.
  public var containingApp: String?

  /// The values of build variables in the bundle, as in `$(PRODUCT_BUNDLE_IDENTIFIER)`; scenarios state none.
  public var buildVariables: [String: String] = [:]
  /// The keys of the configuration whose values no log shows (`IntuneMAMSettings.ValuesToScrubFromLogging`).
  public var scrubbedKeys: [String] = []
  /// Whether the app sends no telemetry (`IntuneMAMSettings.MAMTelemetryDisabled`).
  public var isTelemetryDisabled = false
  /// Whether the ready-made guest runs the app, whatever program its bundle has.
  package var isReadyMade = false
  /// The answer of the app's user to an administrator who takes the app over.
  public var management = Management.possible
  /// Whether a keyboard has full access.
  public var hasFullAccess = false
  /// The uniform types of the documents that the app opens, beside those of its bundle.
  public var documentTypes: [String] = []
  /// The rule by which the extension is offered; nil: that of its bundle, or never.
  package var activationRule: ActivationRule?
  /// Whether the extension is an Open-In action (`IntuneMAMSettings.OpenInActionExtension`).
  public var isOpenInAction = false
  /// The app's answer when an account is to be wiped from it.
  public var wipe = WipeAnswer.failed
  /// The app's answers when the SDK asks it to add an account, and to block one.
  public var addAnswer = SwitchAnswer.success
  public var blockAnswer = SwitchAnswer.success
  /// Whether several managed accounts may be signed in (`IntuneMAMSettings.MultiManagedIdentities`).
  public var allowsSeveralManagedAccounts = false

  /// Whether the app enrolls on launch (`IntuneMAMSettings.AutoEnrollOnLaunch`); nil: as its bundle states.
  public var enrollsOnLaunch: Bool?
  /// Whether the app needs a policy to start (`IntuneMAMSettings.MAMPolicyRequired`); nil: as its bundle states.
  public var requiresPolicy: Bool?
  /// Whether the app warns without a policy (`IntuneMAMSettings.MAMPolicyWarnAbsent`); nil: as its bundle states.
  public var warnsWithoutPolicy: Bool?
  /// The client capabilities that the app declares to the token service.
  public var capabilities: [String] = []

  /// The answer of an app when an account is to be wiped from it.
  public enum WipeAnswer: String, Sendable, CaseIterable {
    /// The app removes the account's files, and reports so.
    case success
    /// The app leaves the files to the SDK.
    case failed
    case crash
    case hang
    /// The app reports that it removed the files, and did not.
    case lie
  }

  /// The answer to an administrator who takes the app over from its user.
  public enum Management: String, Sendable, CaseIterable {
    case possible
    /// The user keeps the app.
    case refused
  }

  /// The answer of an app that is asked to switch identity, or to add or block an account.
  public enum SwitchAnswer: String, Sendable, CaseIterable {
    case success, failed
  }

  /// The scenario's names for the extension points.
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

  /// Creates the specification of an app or extension, with the defaults of a scenario.
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

  /// The names of the app's guests: that of the app, or with a count above 1, `mail-1`, `mail-2`, ….
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
