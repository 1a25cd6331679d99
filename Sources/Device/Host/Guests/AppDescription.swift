package import Activation
package import Model
package import UniformTypes
package import Wire

/// An app or extension as it is installed on a device.
package struct AppDescription: Sendable {
  /// The app's name on the device; its guests are named after it.
  package var name: String
  package var bundleID: String
  /// The publisher's team identifier, the prefix of its keychain groups.
  package var team: String
  package var kind: Kind
  package var program: Program
  /// The folder of the app's bundle, absolute, which its program may read and finds as `Bundle.main`; nil: there is none.
  package var bundlePath: String?
  /// Whether the program has worker threads of libdispatch, as `Task` and `DispatchQueue` do: then it may read
  /// the files of `/proc`, which tell it the command line of every process.
  package var usesDispatch: Bool
  /// Whether the app integrates the Intune App SDK; without it no policy applies in the app.
  package var integratesSDK: Bool
  /// The SDK's version; nil: the newest.
  package var sdkVersion: Version?
  /// The app's own version; nil: the app states none, which meets no minimum.
  package var version: Version?
  /// The identities that the app's web views act for.
  package var webViews: WebViewPolicy
  /// `IntuneMAMSettings.MultiIdentity`: whether the app acts for several identities.
  package var isMultiIdentity: Bool
  /// `IntuneMAMSettings.MultiManagedIdentities`: whether the app takes several managed accounts.
  package var allowsSeveralManagedAccounts = false
  /// Whether MDM installed the app, which is Apple's "managed" and not Intune's.
  package var isMDMManaged: Bool
  /// Whether MDM may take the app over from its user.
  package var management = Management.possible
  /// Names of the servers that the app may reach.
  package var servers: [String] = []
  /// URL schemes that the app registers, lower case, without colon.
  package var schemes: [String]
  /// The `com.apple.developer.associated-domains` entitlement: `applinks:contoso.com` claims universal links,
  /// `appclips:contoso.com` links of an App Clip.
  package var associatedDomains: [String]
  /// The `keychain-access-groups` entitlement.
  package var keychainAccessGroups: [String]
  /// The `com.apple.security.application-groups` entitlement.
  package var appGroups: [String]
  /// App configuration, such as `IntuneMAMUPN`.
  package var configuration: [String: String]
  /// The configuration from documents for managed devices, which comes by MDM like ``configuration``, which wins.
  var managedConfiguration: [String: ConfigurationValue] = [:]
  /// `IntuneMAMSettings.MAMTelemetryDisabled`: whether the SDK reports nothing on the app.
  package var isTelemetryDisabled = false
  /// `IntuneMAMSettings.ValuesToScrubFromLogging`: keys of the configuration whose values no report tells, even on
  /// request.
  package var scrubbedKeys: [String] = []
  /// Whether a keyboard has full access (`RequestsOpenAccess`, and the user's consent).
  package var hasFullAccess = false
  /// `IntuneMAMSettings.OpenInActionExtension`: whether the SDK carries out the action, handing a document on to its
  /// app.
  package var isOpenInAction = false
  /// `IntuneMAMSettings.AutoEnrollOnLaunch`: whether the SDK enrolls a known account when the app starts.
  package var enrollsOnLaunch = false
  /// `IntuneMAMSettings.MAMPolicyRequired`: whether the app does not go on without a policy.
  package var requiresPolicy = false
  /// `IntuneMAMSettings.MAMPolicyWarnAbsent`: whether the user is warned where there is no policy.
  package var warnsWithoutPolicy = false
  /// The content for which the share sheet offers the extension.
  package var activation = Activation.always
  /// Types that the app declares.
  package var declaredTypes: [TypeDeclaration] = []
  /// The answers of the ready-made guest to questions; it is told them whenever it starts.
  package var behaviour: Behaviour

  /// The possibility that MDM takes the app over from its user.
  package enum Management: String, Sendable, CaseIterable {
    case possible
    /// The user keeps the app to themselves.
    case refused
  }

  /// The kind of a program: an app, or an extension in an app.
  package enum Kind: Sendable, Equatable {
    case app
    /// An extension at the extension point, in the app of that bundle id.
    case `extension`(ExtensionPoint, in: String)

    /// Bundle id of the containing app; nil for an app.
    package var containingApp: String? {
      if case .extension(_, let app) = self { app } else { nil }
    }

    /// The extension point; nil for an app.
    package var extensionPoint: ExtensionPoint? {
      if case .extension(let point, _) = self { point } else { nil }
    }

    /// Memory limit in bytes; nil: only the device's own limits.
    var memoryLimit: Int? { extensionPoint?.memoryLimit }
  }

  /// The content for which the share sheet offers an extension.
  package enum Activation: Sendable {
    /// Any content: nothing else was stated.
    case always
    /// No content: the extension states no rule.
    case never
    case rule(ActivationRule)

    /// Whether the extension is offered for these items.
    func offers(_ items: [SharedItem], types: TypeLibrary) -> Bool {
      switch self {
      case .always: true
      case .never: false
      case .rule(let rule): rule.matches(items, types: types)
      }
    }

    /// The types that the rule names, each before its alias.
    var namedTypes: [String] {
      guard case .rule(let rule) = self else { return [] }
      return rule.typeIdentifiers.flatMap { [IntuneTypeAlias.original(of: $0) ?? $0, $0] }
    }
  }

  /// Whether the app is a keyboard without full access: what is typed reaches it, and it reaches nobody.
  var isClosedKeyboard: Bool { kind.extensionPoint == .keyboard && !hasFullAccess }

  /// App groups whose containers the app's process may use.
  var accessibleGroups: [String] { isClosedKeyboard ? [] : appGroups }

  /// The program of a guest's process.
  package enum Program: Sendable, Equatable {
    /// `sluice-guest`, which does what steps tell it.
    case readyMade
    /// Any executable, started by `sluice-launch`.
    case executable(path: String, arguments: [String])
    /// A script in Lua at an absolute path, run by `sluice-guest`.
    case script(path: String)
  }

  /// Creates a description, with defaults for everything that is not stated.
  package init(
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
