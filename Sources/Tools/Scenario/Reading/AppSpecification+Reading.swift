import Model

extension AppSpecification {
  enum Key: String, CaseIterable {
    case bundle, team, version, sdk, sdkVersion, webViews, multiIdentity, mdmManaged, executable,
      dispatch, path, count, schemes, associatedDomains
    case keychainGroups, appGroups, configuration, signedIn, provides, answersIdentitySwitch
    case documentTypes, activationRule, openInAction
    case valuesToScrubFromLogging, telemetryDisabled
    case multiManagedIdentities, onWipe, onAddAccount, onBlockAccount
    case autoEnrollOnLaunch, policyRequired, policyWarnAbsent, capabilities
    case `extension`, containingApp, fullAccess, management, servers
  }

  static func readAll(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [AppSpecification] {
    var apps: [AppSpecification] = []
    let members = try value?.mapping() ?? []
    for member in members { apps.append(try AppSpecification(member, names)) }
    try check(apps, members)
    return apps
  }

  /// Checks the rules that concern all apps together: containing apps exist, and guests' names are unique.
  private static func check(
    _ apps: [AppSpecification], _ members: [YAMLValue.Member]
  ) throws(Mistake) {
    var names = Names()
    names.apps = apps
    for (app, member) in zip(apps, members) {
      if let other = names.index.crowd(withGuest: app.name) {
        throw Mistake(
          .duplicateName, at: app.position,
          "`\(app.name)` is the name of a guest of `\(other.name)` already")
      }
      guard app.containingApp != nil else { continue }
      let value = try Fields<Key>(member.value, "the app `\(app.name)`").required(.containingApp)
      guard try names.app(value).extensionKind == nil else {
        throw value.mistake(.invalidValue, "`\(try value.text())` is an extension, not an app")
      }
    }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.validated(member, naming: "an app")
    let fields = try Fields<Key>(member.value, "the app `\(name)`")
    // The bundle at `path` states the bundle id, too.
    let bundle = fields[.path] == nil ? try fields.required(.bundle) : fields[.bundle]
    self.init(
      position: member.position, name: name,
      bundle: try bundle.map { value throws(Mistake) in try Self.bundleID(value) } ?? "")
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
          .invalidValue, "`dispatch` needs a program of one's own: `executable` or `path`")
      }
    }
    if let value = fields[.servers] {
      servers = try names.servers(value)
      guard executable != nil || path != nil || servers.isEmpty else {
        throw value.mistake(
          .invalidValue, "`servers` needs a program of one's own: `executable` or `path`")
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
    if let value = fields[.answersIdentitySwitch] { switchAnswer = try value.word() }
    if let value = fields[.multiManagedIdentities] {
      allowsSeveralManagedAccounts = try value.bool()
      guard isMultiIdentity || !allowsSeveralManagedAccounts else {
        throw value.mistake(.invalidValue, "`multiManagedIdentities` needs `multiIdentity: true`")
      }
    }
    if let value = fields[.onWipe] { wipe = try value.word() }
    if let value = fields[.onAddAccount] { addAnswer = try value.word() }
    if let value = fields[.onBlockAccount] { blockAnswer = try value.word() }
    enrollsOnLaunch = try fields[.autoEnrollOnLaunch]?.bool()
    requiresPolicy = try fields[.policyRequired]?.bool()
    warnsWithoutPolicy = try fields[.policyWarnAbsent]?.bool()
    capabilities = try fields[.capabilities]?.texts() ?? []
    try readExtension(fields)
    try readShareSheet(fields)
  }

  private mutating func readExtension(_ fields: Fields<Key>) throws(Mistake) {
    guard let kind = fields[.extension] else {
      // The bundle of the app may state that it is an extension.
      containingApp = try fields[.containingApp]?.text()
      guard containingApp == nil || path != nil else {
        throw Mistake(
          .conflictingKeys, at: fields.position(of: .containingApp),
          "only an extension has a `containingApp`; `\(name)` has no `extension`")
      }
      return
    }
    extensionKind = try kind.word()
    containingApp = try fields.required(.containingApp).text()
    guard let value = fields[.fullAccess] else { return }
    guard extensionKind == .keyboard else {
      throw value.mistake(.conflictingKeys, "only a keyboard has `fullAccess`")
    }
    hasFullAccess = try value.bool()
  }

  static func bundleID(_ value: YAMLValue) throws(Mistake) -> String {
    let text = try value.text()
    guard Name.isBundleID(text) else {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is no bundle id; use letters, digits and `-` with dots between, "
          + "as in `com.contoso.mail`")
    }
    return text
  }

  private static func team(_ value: YAMLValue) throws(Mistake) -> String {
    let text = try value.text()
    guard Name.isTeam(text) else {
      throw value.mistake(
        .invalidValue, "`\(text)` is no team; use letters and digits, as in `CONTOSO123`")
    }
    return text
  }

  static func version(_ value: YAMLValue) throws(Mistake) -> Version {
    let text = try value.text()
    guard let version = Version(text) else {
      throw value.mistake(
        .invalidValue, "`\(text)` is no version; use numbers with dots between, as in `19.7.6`")
    }
    return version
  }

  private static func domains(_ value: YAMLValue) throws(Mistake) -> [String] {
    var domains: [String] = []
    for element in try value.sequence() {
      let text = try element.text()
      guard text.hasPrefix("applinks:") || text.hasPrefix("appclips:") else {
        throw element.mistake(
          .invalidValue,
          "`\(text)` is no associated domain; write it as in `applinks:contoso.com` or "
            + "`appclips:contoso.com`")
      }
      domains.append(text)
    }
    return domains
  }

  private static func schemes(_ value: YAMLValue) throws(Mistake) -> [String] {
    var schemes: [String] = []
    for element in try value.sequence() {
      let text = try element.text()
      guard Name.isScheme(text) else {
        throw element.mistake(
          .invalidValue, "`\(text)` is no URL scheme; write it without colon, as in `contosomail`")
      }
      schemes.append(text.lowercased())
    }
    return schemes
  }
}
