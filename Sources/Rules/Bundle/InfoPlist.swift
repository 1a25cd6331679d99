package import Activation
internal import Output
package import UniformTypes

/// The values of an `Info.plist` that Sluice uses. The file may be XML or binary.
///
/// Build variables without a value stay in the strings.
package struct InfoPlist: Sendable {
  /// `CFBundleIdentifier`. If the key is absent, the build setting `PRODUCT_BUNDLE_IDENTIFIER`. Nil if both are absent
  /// or the value is empty.
  package var identifier: String?
  /// `CFBundleExecutable`; nil if absent.
  package var executable: String?
  /// `NSExtensionPointIdentifier` in `NSExtension`, or `EXExtensionPointIdentifier` in `EXAppExtensionAttributes`; nil
  /// for an app.
  package var extensionPoint: String?
  /// The `CFBundleURLSchemes` of all `CFBundleURLTypes`, in lower case.
  package var schemes: [String]
  /// `IntuneMAMSettings`; nil if the app does not integrate the Intune App SDK.
  package var intuneSettings: IntuneSettings?
  /// `CFBundleDisplayName`; if absent, `CFBundleName`. Nil if both are absent.
  package var name: String?
  /// `CFBundleShortVersionString`; nil if absent.
  package var version: String?
  /// `MinimumOSVersion`; nil if absent.
  package var minimumOS: String?
  /// `CFBundleDocumentTypes`.
  package var documentTypes: [DocumentType]
  /// `LSSupportsOpeningDocumentsInPlace`; nil if absent.
  package var opensInPlace: Bool?
  /// `LSApplicationQueriesSchemes`, lower case.
  package var queriedSchemes: [String]
  /// The types in `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations`.
  package var declaredTypes: [TypeDeclaration]
  /// `NSFaceIDUsageDescription`; nil if absent.
  package var faceIDUsage: String?
  /// `NSExtension`; nil for an app.
  package var appExtension: AppExtension?
}

/// A type of document that an app can open: an element of `CFBundleDocumentTypes`.
///
/// Source: Apple, Information Property List, CFBundleDocumentTypes.
package struct DocumentType: Sendable, Equatable {
  /// `CFBundleTypeName`; nil if absent.
  package var name: String?
  /// `CFBundleTypeRole`: `Editor`, `Viewer`, `Shell`, `QLGenerator` or `None`; nil if absent.
  package var role: String?
  /// `LSHandlerRank`: `Owner`, `Default`, `Alternate` or `None`; nil if absent.
  package var rank: String?
  /// `LSItemContentTypes`, uniform type identifiers.
  package var contentTypes: [String]
  /// `CFBundleTypeExtensions`. iOS ignores them if there are content types.
  package var filenameExtensions: [String]
}

/// The `NSExtension` dictionary of an extension.
package struct AppExtension: Sendable {
  /// `NSExtensionPointIdentifier`; empty if absent.
  package var point: String
  /// `NSExtensionPrincipalClass`; nil if absent.
  package var principalClass: String?
  /// `NSExtensionMainStoryboard`; nil if absent.
  var storyboard: String?
  /// `RequestsOpenAccess`: whether the extension, a keyboard, requests full access.
  package var requestsOpenAccess: Bool
  /// `NSExtensionActivationRule`; nil if absent or invalid.
  package var activationRule: ActivationRule?
  /// The finding about the error in the activation rule; nil if the rule is valid or absent.
  package var invalidRule: BundleFinding?
}

// MARK: - Reader

/// Reads an `Info.plist`.
///
/// Source: Apple, Information Property List.
struct InfoPlistReader {
  private var reader: ListReader
  private var ruleFindings: [BundleFinding] = []

  static func read(
    _ list: PropertyList, settings: BuildSettings
  ) -> (info: InfoPlist, findings: [BundleFinding]) {
    var reader = InfoPlistReader(reader: ListReader(list, settings: settings))
    let info = reader.info()
    return (info, reader.reader.findings + reader.ruleFindings)
  }

  private mutating func info() -> InfoPlist {
    let appExtension = appExtension()
    let isExtensionKit = reader.list["EXAppExtensionAttributes"] != nil
    let point =
      appExtension?.point
      ?? (isExtensionKit
        ? reader.string(["EXAppExtensionAttributes", "EXExtensionPointIdentifier"]) : nil)
    let identifier = identifier()
    return InfoPlist(
      identifier: identifier.flatMap { $0.isEmpty ? nil : $0 },
      executable: reader.string(["CFBundleExecutable"]), extensionPoint: point,
      schemes: schemes(), intuneSettings: intuneSettings(),
      name: reader.string(["CFBundleDisplayName"]) ?? reader.string(["CFBundleName"]),
      version: reader.string(["CFBundleShortVersionString"]),
      minimumOS: reader.string(["MinimumOSVersion"]), documentTypes: documentTypes(),
      opensInPlace: reader.bool(["LSSupportsOpeningDocumentsInPlace"]),
      queriedSchemes: reader.strings(["LSApplicationQueriesSchemes"]).map { $0.lowercased() },
      declaredTypes: declaredTypes(identifier ?? ""),
      faceIDUsage: reader.string(["NSFaceIDUsageDescription"]), appExtension: appExtension)
  }

  /// Returns the bundle id in the list or, if the list contains none, the value of `PRODUCT_BUNDLE_IDENTIFIER`, which
  /// Xcode adds to the list. Nil if neither is present.
  private mutating func identifier() -> String? {
    if reader.list["CFBundleIdentifier"] == nil {
      return reader.settings["PRODUCT_BUNDLE_IDENTIFIER"].map { reader.settings.expanding($0).text }
    }
    return reader.significant(["CFBundleIdentifier"])
  }

  private mutating func schemes() -> [String] {
    reader.dictionaries(["CFBundleURLTypes"]).flatMap { path in
      reader.strings(path + ["CFBundleURLSchemes"]).map { $0.lowercased() }
    }
  }

  private mutating func documentTypes() -> [DocumentType] {
    reader.dictionaries(["CFBundleDocumentTypes"]).map { path in
      DocumentType(
        name: reader.string(path + ["CFBundleTypeName"]),
        role: reader.string(path + ["CFBundleTypeRole"]),
        rank: reader.string(path + ["LSHandlerRank"]),
        contentTypes: reader.oneOrMore(path + ["LSItemContentTypes"]),
        filenameExtensions: reader.oneOrMore(path + ["CFBundleTypeExtensions"]))
    }
  }

  private mutating func declaredTypes(_ identifier: String) -> [TypeDeclaration] {
    let origins: [(ListStep, TypeDeclaration.Origin)] = [
      ("UTExportedTypeDeclarations", .exported(by: identifier)),
      ("UTImportedTypeDeclarations", .imported(by: identifier)),
    ]
    return origins.flatMap { key, origin in
      reader.dictionaries([key]).compactMap { path in
        guard let type = reader.string(path + ["UTTypeIdentifier"]) else { return nil }
        let tags = path + ["UTTypeTagSpecification"]
        return TypeDeclaration(
          identifier: type, conformsTo: reader.oneOrMore(path + ["UTTypeConformsTo"]),
          filenameExtensions: reader.oneOrMore(tags + ["public.filename-extension"]),
          mimeTypes: reader.oneOrMore(tags + ["public.mime-type"]),
          description: reader.string(path + ["UTTypeDescription"]), origin: origin)
      }
    }
  }

  private mutating func appExtension() -> AppExtension? {
    guard reader.dictionary(["NSExtension"]) != nil else { return nil }
    let attributes: ListPath = ["NSExtension", "NSExtensionAttributes"]
    _ = reader.dictionary(attributes)
    let (rule, findings) = ActivationRule.read(
      from: reader.list, at: attributes + ["NSExtensionActivationRule"],
      settings: reader.settings)
    ruleFindings = findings
    return AppExtension(
      point: reader.significant(["NSExtension", "NSExtensionPointIdentifier"]) ?? "",
      principalClass: reader.string(["NSExtension", "NSExtensionPrincipalClass"]),
      storyboard: reader.string(["NSExtension", "NSExtensionMainStoryboard"]),
      requestsOpenAccess: reader.bool(attributes + ["RequestsOpenAccess"]) ?? false,
      activationRule: rule, invalidRule: findings.first { $0.rule == .ruleInvalid })
  }

  private mutating func intuneSettings() -> InfoPlist.IntuneSettings? {
    let path: ListPath = ["IntuneMAMSettings"]
    guard let stated = reader.dictionary(path) else { return nil }
    let settings = InfoPlist.IntuneSettings(
      isMultiIdentity: reader.bool(path + ["MultiIdentity"]) ?? false,
      containingApp: reader.significant(path + ["ContainingAppBundleId"]),
      appGroups: reader.strings(path + ["AppGroupIdentifiers"]),
      isOpenInAction: reader.bool(path + ["OpenInActionExtension"]) ?? false,
      cacheKeychainGroup: reader.string(path + ["ADALCacheKeychainGroupOverride"]),
      webViewSchemes: reader.strings(path + ["WebViewHandledURLSchemes"])
        .map { $0.lowercased() },
      scrubbedValues: reader.strings(path + ["ValuesToScrubFromLogging"]),
      startsWithoutPolicy: !(reader.bool(path + ["MAMPolicyRequired"]) ?? false),
      enrollsOnLaunch: reader.bool(path + ["AutoEnrollOnLaunch"]) ?? false, others: [])
    return readOthers(stated, into: settings)
  }

  private static let read: Set<String> = [
    "MultiIdentity", "ContainingAppBundleId", "AppGroupIdentifiers", "OpenInActionExtension",
    "ADALCacheKeychainGroupOverride", "WebViewHandledURLSchemes", "ValuesToScrubFromLogging",
    "MAMPolicyRequired", "AutoEnrollOnLaunch",
  ]

  private mutating func readOthers(
    _ stated: PropertyListDictionary, into settings: InfoPlist.IntuneSettings
  ) -> InfoPlist.IntuneSettings {
    var settings = settings
    for entry in stated.entries where !Self.read.contains(entry.key) {
      guard let form = IntuneSettingKey.forms[entry.key] else { continue }
      let path: ListPath = ["IntuneMAMSettings", .key(entry.key)]
      switch form {
      case .string: _ = reader.string(path)
      case .boolean:
        let flag = reader.bool(path) ?? false
        if entry.key == "MAMPolicyWarnAbsent" { settings.warnsWithoutPolicy = flag }
        if entry.key == "MAMTelemetryDisabled" { settings.isTelemetryDisabled = flag }
      case .strings: _ = reader.strings(path)
      case .number: break
      }
      settings.others.append(
        .init(key: entry.key, value: entry.value.text(with: reader.settings)))
    }
    return settings
  }
}

// MARK: - Intune settings

/// The documented keys of `IntuneMAMSettings`, with the types of their values.
///
/// Source: Intune App SDK for iOS developer guide, "Configure settings for the Intune App SDK".
enum IntuneSettingKey {
  enum Form: Sendable {
    case string, boolean, number, strings
  }

  static let forms: [String: Form] = [
    "ADALAuthority": .string, "ADALCacheKeychainGroupOverride": .string, "ADALClientId": .string,
    "ADALLogOverrideDisabled": .boolean, "ADALRedirectScheme": .string,
    "ADALRedirectUri": .string, "AccentColor": .string, "AppGroupIdentifiers": .strings,
    "AutoEnrollOnLaunch": .boolean, "BackgroundColor": .string, "ContainingAppBundleId": .string,
    "DebugSettingsEnabled": .boolean, "DocumentBrowserFileCachePath": .string,
    "FinishLaunchingAtStartup": .boolean, "ForegroundColor": .string,
    "MAMPolicyRequired": .boolean, "MAMPolicyWarnAbsent": .boolean,
    "MAMTelemetryDisabled": .boolean, "MAMTelemetryUsePPE": .boolean, "MainNibFile": .string,
    "MainNibFile~ipad": .string, "MainStoryboardFile": .string, "MainStoryboardFile~ipad": .string,
    "MaxFileProtectionLevel": .string, "MultiIdentity": .boolean,
    "MultiIdentityCancelDisabled": .boolean, "OpenInActionExtension": .boolean,
    "SafariViewControllerBlockedOverride": .boolean, "SecondaryBackgroundColor": .string,
    "SecondaryForegroundColor": .string, "SplashDuration": .number, "SplashIconFile": .string,
    "SplashIconFile~ipad": .string, "SupportsDarkMode": .boolean,
    "TreatAllWebViewsAsUnmanaged": .boolean, "ValuesToScrubFromLogging": .strings,
    "VerboseLoggingEnabled": .boolean, "WebViewHandledURLSchemes": .strings,
  ]
}

extension InfoPlist {
  /// The `IntuneMAMSettings` dictionary.
  package struct IntuneSettings: Sendable, Equatable {
    /// `MultiIdentity`.
    package var isMultiIdentity: Bool
    /// `ContainingAppBundleId`; nil if absent.
    package var containingApp: String?
    /// `AppGroupIdentifiers`.
    package var appGroups: [String]
    /// `OpenInActionExtension`.
    package var isOpenInAction: Bool
    /// `ADALCacheKeychainGroupOverride`; nil if absent.
    var cacheKeychainGroup: String?
    /// `WebViewHandledURLSchemes`, lower case.
    var webViewSchemes: [String]
    /// `ValuesToScrubFromLogging`.
    package var scrubbedValues: [String]
    /// Whether the app may start without a policy: `MAMPolicyRequired` is false or absent.
    package var startsWithoutPolicy: Bool
    /// `AutoEnrollOnLaunch`.
    package var enrollsOnLaunch: Bool
    /// `MAMPolicyWarnAbsent`.
    package var warnsWithoutPolicy = false
    /// `MAMTelemetryDisabled`.
    package var isTelemetryDisabled = false
    /// The documented settings in the dictionary, as text, except those that the properties from ``isMultiIdentity`` to
    /// ``enrollsOnLaunch`` contain.
    package var others: [Stated]

    package struct Stated: Sendable, Equatable {
      package var key: String
      package var value: String
    }
  }
}
