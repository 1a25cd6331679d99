package import Activation
package import Model
package import UniformTypes
package import Wire

/// An app or extension installed on a device.
package struct AppDescription: Sendable {
  /// The app's name on the device, which is also the name of its guest.
  package var name: String
  package var bundleID: String
  /// The publisher's team identifier. It is the prefix of the publisher's keychain groups.
  package var team: String
  package var kind: Kind
  package var program: Program
  /// The absolute path of the app's bundle; nil if the app has none. The program can read the bundle and uses it as
  /// `Bundle.main`.
  package var bundlePath: String?
  /// Whether the program uses libdispatch's worker threads, for example through `Task` or `DispatchQueue`. If true, the
  /// program may read `/proc`, including the command lines of the processes listed there.
  package var usesDispatch: Bool
  /// Whether the app integrates the Intune App SDK. Without the SDK, no policy applies in the app.
  package var integratesSDK: Bool
  /// The SDK's version; nil for the newest.
  package var sdkVersion: Version?
  /// The app's version; nil if it states none. An app without a version meets no minimum version.
  package var version: Version?
  /// The account that the app's web views act for, and whether they block uploading and pasting.
  package var webViews: WebViewPolicy
  /// `IntuneMAMSettings.MultiIdentity`: whether the app acts for several identities.
  package var isMultiIdentity: Bool
  /// `IntuneMAMSettings.MultiManagedIdentities`: whether the app accepts several managed accounts.
  package var allowsSeveralManagedAccounts = false
  /// Whether MDM manages the app, because MDM installed it or a declaration manages it. This is Apple's meaning of
  /// "managed", not Intune's.
  package var isMDMManaged: Bool
  package var management = Management.possible
  /// Names of the servers that the app is allowed to reach.
  package var servers: [String] = []
  /// The URL schemes that the app registers, in lower case and without a colon.
  package var schemes: [String]
  /// The `com.apple.developer.associated-domains` entitlement. `applinks:contoso.com` claims
  /// universal links, and `appclips:contoso.com` claims links of an App Clip.
  package var associatedDomains: [String]
  /// The `keychain-access-groups` entitlement.
  package var keychainAccessGroups: [String]
  /// The `com.apple.security.application-groups` entitlement.
  package var appGroups: [String]
  /// The app's configuration, with keys such as `IntuneMAMUPN`.
  package var configuration: [String: String]
  /// The configuration from app configuration documents for managed devices. MDM delivers it together with
  /// ``configuration``. If both contain a key, the value in ``configuration`` applies.
  var managedConfiguration: [String: ConfigurationValue] = [:]
  /// `IntuneMAMSettings.MAMTelemetryDisabled`: whether the SDK sends no telemetry about the app.
  package var isTelemetryDisabled = false
  /// `IntuneMAMSettings.ValuesToScrubFromLogging`: keys of the app's configuration. Their values are never shown, even
  /// if a command asks for the values.
  package var scrubbedKeys: [String] = []
  /// Whether the app is a keyboard with full access. This requires `RequestsOpenAccess` and the user's consent.
  package var hasFullAccess = false
  /// `IntuneMAMSettings.OpenInActionExtension`: whether the extension is the SDK's action that passes documents to the
  /// app that contains it.
  package var isOpenInAction = false
  /// `IntuneMAMSettings.AutoEnrollOnLaunch`: whether the SDK enrolls a known account at the app's start.
  package var enrollsOnLaunch = false
  /// `IntuneMAMSettings.MAMPolicyRequired`: whether the app is stopped if no policy applies.
  package var requiresPolicy = false
  /// `IntuneMAMSettings.MAMPolicyWarnAbsent`: whether the user is warned if no policy applies.
  package var warnsWithoutPolicy = false
  package var activation = Activation.always
  package var declaredTypes: [TypeDeclaration] = []
  /// The ready-made guest's answers to the device's calls, such as the call to wipe an account. The guest receives them
  /// at each start.
  package var behaviour: Behaviour

  /// Whether the user lets MDM manage an app that the user installed.
  package enum Management: String, Sendable, CaseIterable {
    case possible
    /// The user does not let MDM manage the app.
    case refused
  }

  package enum Kind: Sendable, Equatable {
    case app
    /// An extension at an extension point, contained in the app with that bundle id.
    case `extension`(ExtensionPoint, in: String)

    /// The containing app's bundle id; nil for an app.
    package var containingApp: String? {
      if case .extension(_, let app) = self { app } else { nil }
    }

    package var extensionPoint: ExtensionPoint? {
      if case .extension(let point, _) = self { point } else { nil }
    }

    /// The extension point's memory limit in bytes; nil if only the device's limits apply.
    var memoryLimit: Int? { extensionPoint?.memoryLimit }
  }

  /// The condition under which the share sheet shows an extension for shared content.
  package enum Activation: Sendable {
    /// The share sheet shows the extension for all content, because the extension's rule is unknown.
    case always
    /// The share sheet never shows the extension, because the extension declares no rule.
    case never
    case rule(ActivationRule)

    func offers(_ items: [SharedItem], types: TypeLibrary) -> Bool {
      switch self {
      case .always: true
      case .never: false
      case .rule(let rule): rule.matches(items, types: types)
      }
    }

    /// A flat list of pairs, one for each type in the rule: the original type, then the type itself. They differ only
    /// if the type is an alias of the SDK.
    var namedTypes: [String] {
      guard case .rule(let rule) = self else { return [] }
      return rule.typeIdentifiers.flatMap { [IntuneTypeAlias.original(of: $0) ?? $0, $0] }
    }
  }

  /// Whether the app is a keyboard without full access. Such a keyboard receives typed text but cannot pass it on.
  var isClosedKeyboard: Bool { kind.extensionPoint == .keyboard && !hasFullAccess }

  /// The app groups whose containers the app's process may use.
  var accessibleGroups: [String] { isClosedKeyboard ? [] : appGroups }

  package enum Program: Sendable, Equatable {
    /// The program `sluice-guest`, controlled by scenario steps.
    case readyMade
    /// An executable that `sluice-launch` starts.
    case executable(path: String, arguments: [String])
    /// A Lua script at an absolute path, which `sluice-guest` runs.
    case script(path: String)
  }

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
