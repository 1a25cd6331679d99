package import Activation
public import Model
package import UniformTypes
public import Wire

/// An app or extension as it is installed on a device.
public struct AppDescription: Sendable {
  /// What the device calls it; its guests are named after it.
  public var name: String
  public var bundleID: String
  /// The publisher's team identifier, the prefix of its keychain groups.
  public var team: String
  public var kind: Kind
  public var program: Program
  /// Whether the program has worker threads of libdispatch, as `Task` and `DispatchQueue` do: then it may read
  /// the files of `/proc`, which tell it the command line of every process.
  public var usesDispatch: Bool
  /// Whether the app integrates the Intune App SDK; without it no policy applies in the app.
  public var integratesSDK: Bool
  /// The SDK's version; nil: the newest.
  public var sdkVersion: Version?
  /// The app's own version; nil: the app states none, which meets no minimum.
  public var version: Version?
  /// What the app's web views act for.
  public var webViews: WebViewPolicy
  /// `IntuneMAMSettings.MultiIdentity`.
  public var isMultiIdentity: Bool
  /// `IntuneMAMSettings.MultiManagedIdentities`: whether the app takes several managed accounts.
  public var allowsSeveralManagedAccounts = false
  /// Whether MDM installed it, which is Apple's "managed" and not Intune's.
  public var isMDMManaged: Bool
  /// Whether MDM may take the app over from its user.
  public var management = Management.possible
  /// Names of the servers that the app may reach.
  public var servers: [String] = []
  /// URL schemes that the app registers, lower case, without colon.
  public var schemes: [String]
  /// The `com.apple.developer.associated-domains` entitlement: `applinks:contoso.com` claims universal links,
  /// `appclips:contoso.com` links of an App Clip.
  public var associatedDomains: [String]
  /// The `keychain-access-groups` entitlement.
  public var keychainAccessGroups: [String]
  /// The `com.apple.security.application-groups` entitlement.
  public var appGroups: [String]
  /// App configuration, such as `IntuneMAMUPN`.
  public var configuration: [String: String]
  /// What documents for managed devices configure the app with, by the way of MDM as ``configuration``, which wins.
  var managedConfiguration: [String: ConfigurationValue] = [:]
  /// `IntuneMAMSettings.MAMTelemetryDisabled`.
  public var isTelemetryDisabled = false
  /// `IntuneMAMSettings.ValuesToScrubFromLogging`: keys of the configuration whose values no report tells, even asked.
  public var scrubbedKeys: [String] = []
  /// Whether a keyboard has full access (`RequestsOpenAccess`, and its user agrees).
  public var hasFullAccess = false
  /// `IntuneMAMSettings.OpenInActionExtension`: an action that the SDK carries out, which hands a document on to its app.
  package var isOpenInAction = false
  /// `IntuneMAMSettings.AutoEnrollOnLaunch`.
  public var enrollsOnLaunch = false
  /// `IntuneMAMSettings.MAMPolicyRequired`: whether the app does not go on without a policy.
  public var requiresPolicy = false
  /// `IntuneMAMSettings.MAMPolicyWarnAbsent`: whether its user is warned then.
  public var warnsWithoutPolicy = false
  /// What an extension of the share sheet is offered for.
  package var activation = Activation.always
  /// Types that the app declares.
  package var declaredTypes: [TypeDeclaration] = []
  /// How the ready-made guest answers what it is asked; it hears of this whenever it starts.
  public var behaviour: Behaviour

  public enum Management: String, Sendable, CaseIterable {
    case possible
    /// The user keeps the app for himself.
    case refused
  }

  public enum Kind: Sendable, Equatable {
    case app
    /// In the app of that bundle id.
    case `extension`(ExtensionPoint, in: String)

    /// Bundle id of the containing app; nil for an app.
    public var containingApp: String? {
      if case .extension(_, let app) = self { app } else { nil }
    }

    /// nil for an app.
    public var extensionPoint: ExtensionPoint? {
      if case .extension(let point, _) = self { point } else { nil }
    }

    /// In bytes; nil: only the device's own limits.
    var memoryLimit: Int? { extensionPoint?.memoryLimit }
  }

  /// When the share sheet offers an extension.
  package enum Activation: Sendable {
    /// Whatever is shared: nobody has said otherwise.
    case always
    /// It states no rule.
    case never
    case rule(ActivationRule)
  }

  /// Whether it is a keyboard without full access: what is typed reaches it, and it reaches nobody.
  var isClosedKeyboard: Bool { kind.extensionPoint == .keyboard && !hasFullAccess }

  /// App groups whose containers its process may use.
  var accessibleGroups: [String] { isClosedKeyboard ? [] : appGroups }

  /// What runs as the guest's process.
  public enum Program: Sendable, Equatable {
    /// `sluice-guest`, which does what steps tell it.
    case readyMade
    /// Any executable, started by `sluice-launch`.
    case executable(path: String, arguments: [String])
    /// A script in Lua, run by `sluice-guest`. An absolute path.
    case script(path: String)
  }

  public init(
    name: String, bundleID: String, team: String = "SLUICETEAM", kind: Kind = .app,
    program: Program = .readyMade, usesDispatch: Bool = false, integratesSDK: Bool = false,
    isMultiIdentity: Bool = false, isMDMManaged: Bool = false, schemes: [String] = [],
    associatedDomains: [String] = [], keychainAccessGroups: [String] = [], appGroups: [String] = [],
    configuration: [String: String] = [:], sdkVersion: Version? = nil, version: Version? = nil,
    webViews: WebViewPolicy = .currentIdentity,
    behaviour: Behaviour = Behaviour()
  ) {
    self.name = name
    self.bundleID = bundleID
    self.team = team
    self.kind = kind
    self.program = program
    self.usesDispatch = usesDispatch
    self.integratesSDK = integratesSDK
    self.isMultiIdentity = isMultiIdentity
    self.isMDMManaged = isMDMManaged
    self.schemes = schemes
    self.associatedDomains = associatedDomains
    self.sdkVersion = sdkVersion
    self.version = version
    self.webViews = webViews
    self.keychainAccessGroups = keychainAccessGroups
    self.appGroups = appGroups
    self.configuration = configuration
    self.behaviour = behaviour
  }
}
