internal import Activation
internal import Encodings
internal import Output
internal import UniformTypes

struct BundleLinter {
  let bundle: AppBundle
  /// The app that contains the extension; nil for an app, and if the containing app is unknown.
  let app: AppBundle?
  /// The uniform types that the system, the bundle and the containing app declare.
  let types: TypeLibrary
  var findings: [BundleFinding] = []
  /// The number of undeclared types that have been compared with the declared types.
  private var comparedTypes = 0
  /// The number of words and characters that were compared in searches for similar known keys.
  private var comparisons = 0

  private static let maximumComparedTypes = 100

  /// Returns the findings about the bundle and the extensions inside it. The findings about each are sorted by file and
  /// position.
  ///
  /// - Parameter app: The app that contains the extension; nil for an app, and if the containing app is unknown.
  static func lint(_ bundle: AppBundle, in app: AppBundle?) -> [BundleFinding] {
    let parts =
      [BundleLinter(bundle: bundle, app: app)]
      + bundle.plugIns.map { BundleLinter(bundle: $0, app: bundle) }
    let all = parts.flatMap { part in
      var part = part
      part.lint()
      return BundleFinding.inOrder(part.findings, first: part.list.file)
    }
    return all + bundle.problems
  }

  static func lint(_ file: BundleInput.EntitlementsFile) -> [BundleFinding] {
    let check = KeychainGroupCheck(
      list: file.list, entitlements: file.entitlements, identifier: nil,
      cacheGroup: "com.microsoft.adalcache")
    let prefixes = KeychainGroupCheck.prefixFindings(about: file.list)
    // A target without the SDK has none of the SDK's groups.
    let groups = check.hasGroupOfSDK ? check.findings(.warning) : []
    return BundleFinding.inOrder(file.findings + prefixes + groups, first: file.list.file)
  }

  private init(bundle: AppBundle, app: AppBundle?) {
    self.bundle = bundle
    self.app = app
    types = TypeLibrary.system.adding((app?.info.declaredTypes ?? []) + bundle.info.declaredTypes)
  }

  private mutating func lint() {
    findings = bundle.source.findings
    checkKeys()
    checkIdentity()
    checkExtension()
    checkRule()
    checkOpenIn()
    checkDocumentTypes()
    checkSchemeCharacters()
    checkQueriedLimit()
    checkKeychainPrefixes()
    guard usesSDK else { return }
    checkSettings()
    checkSchemes()
    checkQueriedSchemes()
    checkAppGroups()
    if info.intuneSettings != nil { checkKeychainGroups() }
  }

  // MARK: Shared helpers

  var info: InfoPlist { bundle.info }

  var list: PropertyList { bundle.source.list }

  /// Whether the bundle or its app integrates the SDK.
  var usesSDK: Bool { info.intuneSettings != nil || app?.info.intuneSettings != nil }

  /// Adds a finding. Its position is that of the key at `path` in `Info.plist`.
  mutating func find(
    _ rule: BundleRule, _ severity: Severity? = nil, at path: ListPath, _ message: String,
    suggestion: String? = nil, repairs: [Repair] = []
  ) {
    findings.append(
      BundleFinding(
        rule, severity, file: list.file, at: list.position(of: path), message,
        suggestion: suggestion, repairs: repairs))
  }

  /// Returns the most similar known key; nil if none is similar, or after too many comparisons.
  private mutating func nearestKey(to key: String, in known: Vocabulary, within limit: Int = 2)
    -> String?
  {
    let before = comparisons
    defer { StepCounter.add(comparisons - before) }
    return known.nearest(to: key, within: limit, &comparisons)
  }

  static func quoted(_ words: some Sequence<String>) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns whether the text has no unresolved variables and can therefore be compared.
  static func isResolved(_ text: String) -> Bool { !text.contains("$(") && !text.contains("${") }
}

// MARK: - Identity

/// Checks the bundle's identity and its relation to its app.
extension BundleLinter {
  private mutating func checkIdentity() {
    if let identifier = info.identifier {
      checkIdentifier(identifier)
    } else if bundle.source.isBuilt {
      find(.identifierMissing, at: [], "`CFBundleIdentifier` is missing")
    } else if list["CFBundleIdentifier"] == nil {
      find(
        .identifierMissing, .note, at: [],
        "`CFBundleIdentifier` is not stated; Xcode adds it (`GENERATE_INFOPLIST_FILE`), as `sluice` does "
          + "with `--set PRODUCT_BUNDLE_IDENTIFIER=…`")
    }
    if bundle.isExtension, app == nil, bundle.source.isBuilt {
      find(.orphan, at: ["NSExtension"], "the extension is not in an app, so it is never installed")
    }
  }

  private mutating func checkIdentifier(_ identifier: String) {
    guard Self.isResolved(identifier) else { return }
    let odd = identifier.unicodeScalars.first { scalar in
      !(scalar.isASCII && scalar.properties.isAlphabetic) && !("0"..."9").contains(scalar)
        && scalar != "-" && scalar != "."
    }
    if let odd {
      find(
        .identifierCharacters, at: ["CFBundleIdentifier"],
        "the identifier `\(identifier)` contains the character `\(odd)`, which Apple does not allow"
      )
    }
    guard let parent = app?.info.identifier, Self.isResolved(parent) else { return }
    if !identifier.hasPrefix("\(parent).") {
      find(
        .identifierPrefix, at: ["CFBundleIdentifier"],
        "the identifier `\(identifier)` must begin with `\(parent).`, the app's identifier and a dot"
      )
    }
  }

  private mutating func checkExtension() {
    guard bundle.isExtension, let stated = info.appExtension else { return }
    let path: ListPath = ["NSExtension"]
    switch (stated.principalClass, stated.storyboard) {
    case (_?, _?):
      find(
        .principal, at: path + ["NSExtensionMainStoryboard"],
        "both `NSExtensionPrincipalClass` and `NSExtensionMainStoryboard` are stated; remove one of them"
      )
    case (nil, nil):
      find(
        .principal, at: path,
        "neither `NSExtensionPrincipalClass` nor `NSExtensionMainStoryboard` is stated; state one of them"
      )
    case (_?, nil), (nil, _?): break
    }
    if bundle.kind == .keyboard, !stated.requestsOpenAccess {
      find(
        .fullAccess, at: path + ["NSExtensionAttributes"],
        "`RequestsOpenAccess` is not true: the keyboard runs without full access")
    }
    checkMinimumOS()
  }

  private mutating func checkMinimumOS() {
    guard let own = info.minimumOS, let parent = app?.info.minimumOS,
      Self.version(parent).lexicographicallyPrecedes(Self.version(own))
    else { return }
    find(
      .minimumOS, at: ["MinimumOSVersion"],
      "the extension needs iOS \(own), its app only iOS \(parent)")
  }

  private static func version(_ text: String) -> [Int] {
    var numbers = text.split(separator: ".").map { Int($0) ?? 0 }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }
}

// MARK: - Keys

/// Checks for keys that iOS ignores.
extension BundleLinter {
  /// For each dictionary in `Info.plist`, the keys that the simulation or the SDK reads.
  private static let known: [(path: ListPath, keys: [String])] = [
    (
      [],
      [
        "CFBundleDisplayName", "CFBundleDocumentTypes", "CFBundleExecutable", "CFBundleIdentifier",
        "CFBundleName", "CFBundleURLTypes", "CFBundleShortVersionString", "CFBundleVersion",
        "IntuneMAMSettings", "LSApplicationQueriesSchemes", "LSSupportsOpeningDocumentsInPlace",
        "MinimumOSVersion", "NSExtension", "NSFaceIDUsageDescription",
        "UIApplicationSceneManifest", "UTExportedTypeDeclarations", "UTImportedTypeDeclarations",
      ]
    ),
    (
      ["NSExtension"],
      [
        "NSExtensionAttributes", "NSExtensionMainStoryboard", "NSExtensionPointIdentifier",
        "NSExtensionPrincipalClass",
      ]
    ),
    (
      ["NSExtension", "NSExtensionAttributes"],
      ["NSExtensionActivationRule", "NSExtensionJavaScriptPreprocessingFile", "RequestsOpenAccess"]
    ),
    (["CFBundleURLTypes"], ["CFBundleTypeRole", "CFBundleURLName", "CFBundleURLSchemes"]),
    (
      ["CFBundleDocumentTypes"],
      [
        "CFBundleTypeExtensions", "CFBundleTypeName", "CFBundleTypeRole", "LSHandlerRank",
        "LSItemContentTypes",
      ]
    ),
  ]

  private static let vocabularies = known.map { Vocabulary($0.keys) }
  private static let settings = Vocabulary(IntuneSettingKey.forms.keys)

  private mutating func checkKeys() {
    checkWhiteSpace(in: list.top, at: [])
    for ((path, keys), words) in zip(Self.known, Self.vocabularies) {
      guard let value = list.value(at: path) else { continue }
      let keys = Set(keys)
      checkSpelling(of: value, at: path, known: keys, words)
      for index in value.array?.indices ?? 0..<0 {
        let path = path + [.index(index)]
        guard let element = list.value(at: path) else { continue }
        checkSpelling(of: element, at: path, known: keys, words)
      }
    }
    checkSettingNames()
  }

  private mutating func checkSpelling(
    of value: PropertyListValue, at path: ListPath, known: Set<String>, _ words: Vocabulary
  ) {
    for entry in value.dictionary?.entries ?? [] where !known.contains(entry.key) {
      // `LSApplicationQuerySchemes`, a common mistake, differs by three letters.
      let limit = max(2, entry.key.count / 8)
      guard let meant = nearestKey(to: entry.key, in: words, within: limit),
        value.dictionary?[meant] == nil, !hasWhiteSpace(entry.key)
      else { continue }
      find(
        .unknownKey, at: path + [.key(entry.key)], "the key `\(entry.key)` is not known",
        suggestion: meant)
    }
  }

  private mutating func checkSettingNames() {
    for entry in list["IntuneMAMSettings"]?.dictionary?.entries ?? []
    where IntuneSettingKey.forms[entry.key] == nil && !hasWhiteSpace(entry.key) {
      find(
        .unknownSetting, at: ["IntuneMAMSettings", .key(entry.key)],
        "`IntuneMAMSettings` has the key `\(entry.key)`, which is unknown to the SDK",
        suggestion: nearestKey(to: entry.key, in: Self.settings))
    }
  }

  private mutating func checkWhiteSpace(in value: PropertyListValue, at path: ListPath) {
    for entry in value.dictionary?.entries ?? [] {
      let path = path + [.key(entry.key)]
      if hasWhiteSpace(entry.key) {
        find(.keyWhiteSpace, at: path, "the key `\(entry.key)` is surrounded by white space")
      }
      checkWhiteSpace(in: entry.value, at: path)
    }
    for (index, element) in (value.array ?? []).enumerated() {
      checkWhiteSpace(in: element, at: path + [.index(index)])
    }
  }

  private func hasWhiteSpace(_ key: String) -> Bool {
    key.first?.isWhitespace == true || key.last?.isWhitespace == true
  }
}

// MARK: - Intune settings

/// Checks `IntuneMAMSettings` and the other keys that the SDK needs in `Info.plist`.
extension BundleLinter {
  private mutating func checkSettings() {
    if bundle.isExtension {
      checkContainingApp()
      return
    }
    guard let settings = info.intuneSettings else { return }
    if info.faceIDUsage?.isEmpty ?? true {
      find(.faceID, at: [], "`NSFaceIDUsageDescription` is missing")
    }
    if list.value(at: ["IntuneMAMSettings", "MultiIdentity"]) == nil {
      find(
        .multiIdentity, at: ["IntuneMAMSettings"],
        "`MultiIdentity` is not stated: the app counts as a single-identity app")
    }
    checkSignIn(settings)
    checkScenes()
  }

  private mutating func checkContainingApp() {
    guard let settings = info.intuneSettings else {
      find(
        .containingApp, .warning, at: [],
        "the app has `IntuneMAMSettings`, but the extension does not, so only the app integrates the SDK"
      )
      return
    }
    let path: ListPath = ["IntuneMAMSettings", "ContainingAppBundleId"]
    guard let stated = settings.containingApp else {
      find(.containingApp, at: path, "`ContainingAppBundleId` is missing")
      return
    }
    guard let app else { return }
    if let identifier = app.info.identifier, identifier != stated, Self.isResolved(stated),
      Self.isResolved(identifier)
    {
      find(
        .containingApp, at: path,
        "`ContainingAppBundleId` is `\(stated)`, but the extension is in `\(identifier)`")
    }
    if let other = app.info.intuneSettings, other.isMultiIdentity != settings.isMultiIdentity {
      find(
        .multiIdentity, .warning, at: ["IntuneMAMSettings", "MultiIdentity"],
        "`MultiIdentity` is \(settings.isMultiIdentity) in the extension and "
          + "\(other.isMultiIdentity) in its app")
    }
  }

  private mutating func checkSignIn(_ settings: InfoPlist.IntuneSettings) {
    let path: ListPath = ["IntuneMAMSettings"]
    let client = settings.others.first { $0.key == "ADALClientId" }?.value ?? ""
    if client.isEmpty {
      find(.sdkSetting, at: path, "`ADALClientId` is missing")
    } else if Self.isResolved(client), !client.isGUID {
      find(
        .sdkSetting, at: path + ["ADALClientId"],
        "`ADALClientId` must be the application's identifier in Entra, found `\(client)`")
    }
    let redirects = ["ADALRedirectUri", "ADALRedirectScheme"]
    if !settings.others.contains(where: { redirects.contains($0.key) }) {
      find(
        .sdkSetting, at: path, "neither `ADALRedirectUri` nor `ADALRedirectScheme` is stated")
    }
    if !settings.startsWithoutPolicy, !settings.enrollsOnLaunch {
      find(
        .sdkSetting, at: path + ["MAMPolicyRequired"],
        "`MAMPolicyRequired` without `AutoEnrollOnLaunch`: the app never gets the policy that it needs to start"
      )
    }
    checkProtectionLevel(settings)
  }

  private mutating func checkProtectionLevel(_ settings: InfoPlist.IntuneSettings) {
    let levels = [
      "NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen",
      "NSFileProtectionCompleteUntilFirstUserAuthentication", "NSFileProtectionNone",
    ]
    guard let level = settings.others.first(where: { $0.key == "MaxFileProtectionLevel" })?.value,
      Self.isResolved(level), !levels.contains(level)
    else { return }
    find(
      .sdkSetting, at: ["IntuneMAMSettings", "MaxFileProtectionLevel"],
      "`MaxFileProtectionLevel` must be one of \(Self.quoted(levels)), found `\(level)`",
      suggestion: Suggestion.word(for: level, among: levels))
  }

  private mutating func checkScenes() {
    guard let manifest = list["UIApplicationSceneManifest"]?.dictionary,
      manifest["UISceneConfigurations"]?.dictionary?.entries.isEmpty ?? true
    else { return }
    find(
      .sceneConfiguration, at: ["UIApplicationSceneManifest", "UISceneConfigurations"],
      "`UISceneConfigurations` is missing or empty")
  }
}

// MARK: - Uniform types

/// Checks the uniform types in document types and rules.
extension BundleLinter {
  private mutating func checkDocumentTypes() {
    for (index, document) in info.documentTypes.enumerated() {
      let path: ListPath = ["CFBundleDocumentTypes", .index(index)]
      if document.contentTypes.isEmpty, !document.filenameExtensions.isEmpty {
        find(
          .contentTypesMissing, at: path + ["CFBundleTypeExtensions"],
          "the document type has `CFBundleTypeExtensions` but no `LSItemContentTypes`, so iOS "
            + "ignores it")
      }
      for (number, type) in document.contentTypes.enumerated() where Self.isResolved(type) {
        let plain = IntuneTypeAlias.original(of: type) ?? type
        if types.declaration(of: plain) != nil { continue }
        find(
          .undeclaredType, at: path + ["LSItemContentTypes", .index(number)],
          "neither the system nor the app declares the type `\(plain)`",
          suggestion: meantType(plain))
      }
    }
  }

  /// Reports undeclared types in the activation rule, if they resemble a declared type or have a system
  /// prefix. Other undeclared types pass, because an unknown app may declare them.
  mutating func checkRuleTypes() {
    guard let rule = info.appExtension?.activationRule else { return }
    var seen: Set<String> = []
    for type in rule.typeIdentifiers {
      let plain = IntuneTypeAlias.original(of: type) ?? type
      guard Self.isResolved(plain), types.declaration(of: plain) == nil,
        seen.insert(plain.lowercased()).inserted
      else { continue }
      let meant = meantType(plain)
      guard meant != nil || Self.isOfSystem(plain) else { continue }
      find(
        .undeclaredType, at: Self.rulePath,
        "neither the system nor the app declares the type `\(plain)`, which the rule names",
        suggestion: meant)
    }
  }

  /// Returns the suggestion for an undeclared type; nil if there is none. The preferred suggestion is the type that
  /// declares the last component as a file name extension, such as `com.adobe.pdf` for `public.pdf`. Otherwise, the
  /// suggestion is the most similar declared type, such as `public.image` for `public.imag`. If the type has no system
  /// prefix and no declared type is similar, there is no suggestion.
  private mutating func meantType(_ undeclared: String) -> String? {
    let near = nearestType(to: undeclared)
    guard near != nil || Self.isOfSystem(undeclared) else { return nil }
    let ending = undeclared.split(separator: ".").last.map(String.init) ?? ""
    return types.type(forFilenameExtension: ending) ?? near
  }

  /// Returns the most similar declared type; nil if none is similar, and after the first hundred calls. Each call
  /// compares the type with all declared types, including the bundle's own types.
  private mutating func nearestType(to undeclared: String) -> String? {
    guard comparedTypes < Self.maximumComparedTypes else { return nil }
    comparedTypes += 1
    let declared = types.declarations
    StepCounter.add(declared.count)
    return Suggestion.word(for: undeclared, among: declared.lazy.map(\.identifier))
  }

  private static func isOfSystem(_ type: String) -> Bool {
    ["public.", "com.apple."].contains { type.lowercased().hasPrefix($0) }
  }
}
