package import Activation
package import Encodings
package import Model
package import Wire

/// An app or extension on the device, with the behaviour of its guests.
package struct AppDefinition: Sendable, Equatable {
  package var position: Position
  package var name: String
  /// The bundle id; empty if the bundle at ``path`` determines it.
  package var bundle: String
  /// The publisher's team prefix. If nil, it comes from the bundle at ``path``, from the containing app, or
  /// from the app's name.
  package var team: String?
  package var usesSDK = false
  /// The version of the SDK; nil for the newest.
  package var sdkVersion: Version?
  /// The version of the app; nil if the app states none. An app without a version meets no minimum version.
  package var version: Version?
  /// The identity for which the app's web views act.
  package var webViews: WebViewPolicy = .currentIdentity
  /// Whether the app has several identities (`IntuneMAMSettings.MultiIdentity`).
  package var isMultiIdentity = false
  /// Whether MDM installed the app.
  package var isMDMManaged = false
  /// The path of the guest program as written, relative to the scenario file; nil for the ready-made guest.
  package var executable: String?
  /// Whether the program uses libdispatch's worker threads. It may then read files in `/proc`.
  package var usesDispatch = false
  /// The path, as written, of a bundle folder with Info.plist and entitlements; nil if there is no bundle.
  package var path: String?
  /// The number of guests that run the app, from 1 to 100,000.
  package var count = 1
  package var servers: [String] = []
  /// The registered URL schemes, in lower case and without a colon.
  package var schemes: [String] = []
  /// The entitlement `com.apple.developer.associated-domains`, with entries such as `applinks:contoso.com`.
  package var associatedDomains: [String] = []
  /// The entitlement `keychain-access-groups`, with the team prefix.
  package var keychainGroups: [String] = []
  /// The entitlement `com.apple.security.application-groups`.
  package var appGroups: [String] = []
  /// The configuration that MDM gives the app, by key.
  package var configuration: [String: String] = [:]
  /// The names of the accounts that are signed in when a case begins, in sign-in order.
  package var signedIn: [String] = []
  /// The text that the app provides to importing apps; nil if it provides none.
  package var provides: String?
  package var failures = Failures()
  package var switchAnswer: SwitchAnswer = .success
  /// The kind of extension; nil for an app.
  package var extensionKind: ExtensionPoint?
  /// The name of the app that contains the extension; nil for an app.
  package var containingApp: String?

  /// The values of build variables in the bundle, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`. Commands
  /// set them; scenarios cannot.
  package var buildVariables: [String: String] = [:]
  /// The configuration keys with values that are kept out of logs (`IntuneMAMSettings.ValuesToScrubFromLogging`).
  package var scrubbedKeys: [String] = []
  /// Whether telemetry about the app is disabled (`IntuneMAMSettings.MAMTelemetryDisabled`).
  package var isTelemetryDisabled = false
  /// Whether the ready-made guest stands in for the bundle's program.
  package var isReadyMade = false
  package var management = Management.possible
  /// Whether the keyboard has full access.
  package var hasFullAccess = false
  /// The uniform types of the documents that the app opens, in addition to its bundle's types.
  package var documentTypes: [String] = []
  /// The extension's activation rule; nil for the bundle's rule. Without either, share sheets do not show
  /// the extension.
  package var activationRule: ActivationRule?
  /// Whether the extension is an Open-In action (`IntuneMAMSettings.OpenInActionExtension`).
  package var isOpenInAction = false
  /// The app's answer to a request to wipe an account.
  package var wipe = WipeBehaviour.failed
  /// The app's answer to the SDK's request to add an account. ``blockAnswer`` is its answer to a request to block one.
  package var addAnswer = SwitchAnswer.success
  package var blockAnswer = SwitchAnswer.success
  /// Whether several managed accounts may be signed in (`IntuneMAMSettings.MultiManagedIdentities`).
  package var allowsSeveralManagedAccounts = false

  /// Whether the app enrolls on launch (`IntuneMAMSettings.AutoEnrollOnLaunch`); nil for the bundle's value.
  package var enrollsOnLaunch: Bool?
  /// Whether the app needs a policy to start (`IntuneMAMSettings.MAMPolicyRequired`); nil for the bundle's value.
  package var requiresPolicy: Bool?
  /// Whether the app warns if there is no policy (`IntuneMAMSettings.MAMPolicyWarnAbsent`); nil for the bundle's value.
  package var warnsWithoutPolicy: Bool?
  /// The client capabilities that the app declares to the token service.
  package var capabilities: [String] = []

  /// The chances of failures when a ready-made guest gets an item, in hundredths of a percent, and the guest's delay.
  package struct Failures: Sendable, Equatable {
    package var crash = 0
    package var hang = 0
    /// The chance that the guest allocates memory until the device terminates it.
    package var hoard = 0
    /// The chance of a refusal: an extension cancels its request, or an app provides no data to an importing app.
    package var refuse = 0
    /// The time that the guest takes for each item, in seconds of real time.
    package var delay = 0

    package init() {}
  }

  /// The user's answer when an administrator takes over management of the app.
  package enum Management: String, Sendable, CaseIterable {
    case possible
    case refused
  }

  /// An app's answer to a request to switch identity, or to add or block an account.
  package enum SwitchAnswer: String, Sendable, CaseIterable {
    case success, failed
  }

  /// The names of the app's guests: the app's name or, if ``count`` is above 1, `mail-1`, `mail-2` and so on.
  package var guests: [String] {
    count == 1 ? [name] : (1...count).map { "\(name)-\($0)" }
  }

  package func hasGuest(_ guest: String) -> Bool {
    guard count > 1 else { return guest == name }
    guard guest.hasPrefix("\(name)-") else { return false }
    let digits = guest.dropFirst(name.count + 1)
    return Int(digits).map { (1...count).contains($0) && String($0) == digits } ?? false
  }
}

extension AppDefinition {
  package init(position: Position, name: String, bundle: String, isMDMManaged: Bool) {
    self.init(
      position: position, name: name, bundle: bundle, team: nil, isMDMManaged: isMDMManaged)
  }
}

// MARK: - Reading

extension AppDefinition {
  enum Key: String, FieldKey {
    case bundle, team, version, sdk, sdkVersion, webViews, multiIdentity, mdmManaged, executable,
      dispatch, path, count, schemes, associatedDomains
    case keychainGroups, appGroups, configuration, signedIn, provides, behaviour,
      answersIdentitySwitch
    case documentTypes, activationRule, openInAction
    case valuesToScrubFromLogging, telemetryDisabled
    case multiManagedIdentities, onWipe, onAddAccount, onBlockAccount
    case autoEnrollOnLaunch, policyRequired, policyWarnAbsent, capabilities
    case `extension`, containingApp, fullAccess, management, servers

    static let synonyms: [String: Key] = [
      "bundleid": .bundle, "bundleidentifier": .bundle, "identifier": .bundle, "id": .bundle,
      "teamid": .team, "intune": .sdk, "mam": .sdk, "protected": .sdk, "managed": .mdmManaged,
      "program": .executable, "binary": .executable, "command": .executable, "guests": .count,
      "instances": .count, "folder": .path, "urlschemes": .schemes, "accounts": .signedIn,
      "account": .signedIn, "users": .signedIn, "user": .signedIn, "settings": .configuration,
      "config": .configuration, "kind": .extension, "point": .extension, "parent": .containingApp,
      "host": .containingApp, "container": .containingApp, "types": .documentTypes,
    ]
  }

  /// Reads all apps. Returns the apps without errors, and collects the errors of the others.
  static func readAll(
    _ value: YAMLValue?, _ names: Names, collecting mistakes: inout InputErrorCollector
  ) -> [AppDefinition] {
    guard let value,
      let members = mistakes.read({ () throws(InputError) in try value.mapping() })
    else { return [] }
    var apps: [AppDefinition] = []
    // The apps of a pattern have one position, and the same errors.
    var failed: Set<Position> = []
    for member in members where !failed.contains(member.position) && !mistakes.isFull {
      let app = mistakes.read { () throws(InputError) in
        try member.readAllParts { member throws(InputError) in try AppDefinition(member, names) }
      }
      if let app { apps.append(app) } else { failed.insert(member.position) }
    }
    var known = names
    known.apps = apps
    known.unreadApps = Set(members.map(\.key)).subtracting(apps.map(\.name))
    let containers = members.compactMap { member in
      member.value.members.first { $0.key == Key.containingApp.rawValue }
        .map { (member.key, $0.value) }
    }
    let containingApps = Dictionary(containers) { first, _ in first }
    _ = mistakes.readEach(apps) { app throws(InputError) in
      try app.check(containingApps[app.name], known)
    }
    return apps
  }

  /// Checks the app against the other apps: its containing app exists and is not an extension, and its guest names are
  /// unique.
  ///
  /// - Parameter containingApp: The value that names the containing app; nil if there is none.
  private func check(_ containingApp: YAMLValue?, _ names: Names) throws(InputError) {
    if let other = names.index.crowd(withGuest: name) {
      throw InputError(
        .duplicateName, at: position,
        "`\(name)` is already the name of a guest of `\(other.name)`")
    }
    guard let containingApp, self.containingApp != nil else { return }
    guard try names.app(containingApp).extensionKind == nil else {
      throw containingApp.mistake(
        .invalidValue, "`\(try containingApp.text())` is an extension, not an app")
    }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(InputError) {
    let name = try Names.validated(member, naming: "an app")
    let fields = try Fields<Key>(member.value, "the app `\(name)`")
    self.init(position: member.position, name: name, bundle: "")
    if let value = fields[.team] { team = try Self.team(value) }
    if let value = fields[.sdk] { usesSDK = try value.bool() }
    if let value = fields[.version] { version = try Self.version(value) }
    if let value = fields[.sdkVersion] { sdkVersion = try Self.version(value) }
    if let value = fields[.webViews] { webViews = try value.word() }
    if let value = fields[.associatedDomains] { associatedDomains = try Self.domains(value) }
    if let value = fields[.multiIdentity] {
      isMultiIdentity = try value.bool()
      guard usesSDK || !isMultiIdentity else {
        throw value.mistake(.invalidValue, "`multiIdentity` needs `sdk: true`")
      }
    }
    if let value = fields[.mdmManaged] { isMDMManaged = try value.bool() }
    if let value = fields[.management] { management = try value.word() }
    executable = try fields[.executable]?.text()
    path = try fields[.path]?.text()
    if let value = fields[.dispatch] {
      usesDispatch = try value.bool()
      guard executable != nil || path != nil || !usesDispatch else {
        throw value.mistake(
          .invalidValue, "`dispatch` needs a program; add `executable` or `path`")
      }
    }
    if let value = fields[.servers] {
      servers = try names.servers(value)
      guard executable != nil || path != nil || servers.isEmpty else {
        throw value.mistake(
          .invalidValue, "`servers` needs a program; add `executable` or `path`")
      }
    }
    if let value = fields[.count] { count = try value.int(in: 1...100_000) }
    if let value = fields[.schemes] { schemes = try Self.schemes(value) }
    if let value = fields[.keychainGroups] { keychainGroups = try value.texts() }
    if let value = fields[.appGroups] { appGroups = try value.texts() }
    for entry in try fields[.configuration]?.mapping() ?? [] {
      configuration[entry.key] = try entry.value.text()
    }
    if let value = fields[.valuesToScrubFromLogging] { scrubbedKeys = try value.texts() }
    if let value = fields[.telemetryDisabled] { isTelemetryDisabled = try value.bool() }
    if let value = fields[.signedIn] { signedIn = try names.accounts(value) }
    provides = try fields[.provides]?.text()
    if let value = fields[.behaviour] {
      guard executable?.hasSuffix(".lua") ?? true else {
        throw value.mistake(
          .conflictingKeys,
          "`behaviour` needs the ready-made guest or a script, but `\(name)` has another `executable`"
        )
      }
      failures = try Failures(value)
    }
    if let value = fields[.answersIdentitySwitch] { switchAnswer = try value.word() }
    if let value = fields[.multiManagedIdentities] {
      allowsSeveralManagedAccounts = try value.bool()
      guard isMultiIdentity || !allowsSeveralManagedAccounts else {
        throw value.mistake(.invalidValue, "`multiManagedIdentities` needs `multiIdentity: true`")
      }
    }
    if let value = fields[.onWipe] {
      wipe = try value.choice(of: WipeBehaviour.allCases, named: \.name)
    }
    if let value = fields[.onAddAccount] { addAnswer = try value.word() }
    if let value = fields[.onBlockAccount] { blockAnswer = try value.word() }
    enrollsOnLaunch = try fields[.autoEnrollOnLaunch]?.bool()
    requiresPolicy = try fields[.policyRequired]?.bool()
    warnsWithoutPolicy = try fields[.policyWarnAbsent]?.bool()
    capabilities = try fields[.capabilities]?.texts() ?? []
    try readExtension(fields)
    try readShareSheet(fields)
    // The bundle id is read last, because an error in it would hide further errors.
    if let value = fields[.bundle] { bundle = try Self.bundleID(value) }
    // If `path` is set, the bundle determines the id.
    if path == nil { _ = try fields.required(.bundle) }
  }

  enum BehaviourKey: String, FieldKey {
    case crash, hang, hoard, refuse, late

    static let synonyms: [String: BehaviourKey] = [
      "crashes": .crash, "hangs": .hang, "hoards": .hoard, "memory": .hoard, "refuses": .refuse,
      "cancel": .refuse, "delay": .late, "slow": .late,
    ]
  }

  private mutating func readExtension(_ fields: Fields<Key>) throws(InputError) {
    guard let kind = fields[.extension] else {
      // The bundle may show that the app is an extension.
      containingApp = try fields[.containingApp]?.text()
      guard containingApp == nil || path != nil else {
        throw InputError(
          .conflictingKeys, at: fields.position(of: .containingApp),
          "only an extension has a `containingApp`; `\(name)` has no `extension`")
      }
      return
    }
    extensionKind = try kind.choice(of: ExtensionPoint.allCases, named: \.name)
    containingApp = try fields.required(.containingApp).text()
    guard let value = fields[.fullAccess] else { return }
    guard extensionKind == .keyboard else {
      throw value.mistake(.conflictingKeys, "only a keyboard has `fullAccess`")
    }
    hasFullAccess = try value.bool()
  }

  static func bundleID(_ value: YAMLValue) throws(InputError) -> String {
    let text = try value.text()
    guard Name.isBundleID(text) else {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is not a bundle id; use letters, digits and `-` with dots between, "
          + "as in `com.contoso.mail`")
    }
    return text
  }

  private static func team(_ value: YAMLValue) throws(InputError) -> String {
    let text = try value.text()
    guard Name.isTeam(text) else {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is not a team identifier; use letters and digits, as in `CONTOSO123`")
    }
    return text
  }

  static func version(_ value: YAMLValue) throws(InputError) -> Version {
    let text = try value.text()
    guard let version = Version(text) else {
      throw value.mistake(
        .invalidValue, "`\(text)` is not a version; use numbers with dots between, as in `19.7.6`")
    }
    return version
  }

  private static func domains(_ value: YAMLValue) throws(InputError) -> [String] {
    var domains: [String] = []
    for element in try value.sequence() {
      let text = try element.text()
      guard text.hasPrefix("applinks:") || text.hasPrefix("appclips:") else {
        throw element.mistake(
          .invalidValue,
          "`\(text)` is not an associated domain; write it as in `applinks:contoso.com` or "
            + "`appclips:contoso.com`")
      }
      domains.append(text)
    }
    return domains
  }

  private static func schemes(_ value: YAMLValue) throws(InputError) -> [String] {
    var schemes: [String] = []
    for element in try value.sequence() {
      let text = try element.text()
      guard text.isURLScheme else {
        throw element.mistake(
          .invalidValue,
          "`\(text)` is not a URL scheme; expected one without a colon, as in `contosomail`")
      }
      schemes.append(text.lowercased())
    }
    return schemes
  }

  private mutating func readShareSheet(_ fields: Fields<Key>) throws(InputError) {
    for type in try fields[.documentTypes]?.sequence() ?? [] {
      documentTypes.append(try Name.uniformType(type.text(), at: type.position))
    }
    if let value = fields[.activationRule] { activationRule = try Self.rule(value) }
    if let value = fields[.openInAction] { isOpenInAction = try value.bool() }
    guard extensionKind == nil, path == nil else { return }
    for key in [Key.activationRule, .openInAction] where fields[key] != nil {
      throw InputError(
        .conflictingKeys, at: fields.position(of: key),
        "only an extension has `\(key.rawValue)`; `\(name)` has no `extension`")
    }
  }

  private static func rule(_ value: YAMLValue) throws(InputError) -> ActivationRule {
    if case .mapping(let members) = value.kind {
      var entries: [DictionaryRule.Entry] = []
      for member in members {
        entries.append(.init(key: member.key, value: try Self.value(member.value)))
      }
      let rule = DictionaryRule(values: entries)
      if let warning = rule.warnings.first {
        let member = members.first { $0.key == warning.key }
        throw InputError(
          .invalidValue, at: member?.position ?? value.position,
          "`\(value.name)`: \(warning.message)")
      }
      return .dictionary(rule)
    }
    let text = try value.text()
    do throws(PredicateError) {
      return .predicate(try Predicate(parsing: text))
    } catch {
      throw value.mistake(
        .invalidValue,
        "`\(value.name)` is not a predicate: line \(error.line), column \(error.column): \(error.message)"
      )
    }
  }

  private static func value(_ value: YAMLValue) throws(InputError) -> DictionaryRule.Value {
    let text = try value.text()
    if let number = Int(text) { return .integer(number) }
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: return .string(text)  // open: any other text
    }
  }
}

extension AppDefinition.Failures {
  /// The value of 100 %. Chances are in hundredths of a percent.
  private static let whole = 10_000

  fileprivate init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<AppDefinition.BehaviourKey>(value, "a behaviour")
    if let value = fields[.crash] { crash = try Self.chance(value) }
    if let value = fields[.hang] { hang = try Self.chance(value) }
    if let value = fields[.hoard] { hoard = try Self.chance(value) }
    if let value = fields[.refuse] { refuse = try Self.chance(value) }
    if let value = fields[.late] { delay = try Self.delay(value) }
    guard crash + hang + hoard + refuse <= Self.whole else {
      throw value.mistake(
        .invalidValue, "`crash`, `hang`, `hoard` and `refuse` add up to more than 100 %")
    }
  }

  /// Reads a percentage with up to two decimals, such as `10 %`, as hundredths of a percent.
  private static func chance(_ value: YAMLValue) throws(InputError) -> Int {
    let text = try value.text()
    let digits = text.hasSuffix("%") ? text.dropLast().trimmedSuffix : ""
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : "0"
    guard (1...2).contains(parts.count), (1...2).contains(decimals.count),
      (digits + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let ones = Int(parts[0]), let rest = Int(decimals), ones <= 100
    else {
      throw value.mistake(
        .invalidValue, "`\(value.name)` must be a percentage such as `10 %`, found `\(text)`")
    }
    let chance = ones * 100 + rest * (decimals.count == 1 ? 10 : 1)
    guard chance <= whole else {
      throw value.mistake(.invalidValue, "`\(value.name)` is more than 100 %")
    }
    return chance
  }

  private static func delay(_ value: YAMLValue) throws(InputError) -> Int {
    let text = try value.text()
    guard let seconds = ISODuration.seconds(text), (1...60).contains(seconds) else {
      throw value.mistake(
        .invalidValue, "`\(value.name)` must be real time from `PT1S` to `PT1M`, found `\(text)`")
    }
    return seconds
  }
}

extension Substring {
  /// The text without trailing spaces.
  fileprivate var trimmedSuffix: Substring {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension WipeBehaviour {
  /// The behaviour's name in scenarios.
  var name: String { "\(self)" }
}
