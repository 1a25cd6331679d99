internal import Activation
internal import Diagnostics
internal import UniformTypes

/// Reads an `Info.plist`.
///
/// Source: Apple, Information Property List.
struct InfoPlistReader {
  private var reader: ListReader
  private var ruleFindings: [BundleFinding] = []

  /// - Returns: The facts that the list states, and the findings about it.
  static func read(
    _ list: PropertyList, settings: BuildSettings
  ) -> (info: InfoPlist, findings: [BundleFinding]) {
    var reader = InfoPlistReader(reader: ListReader(list, settings: settings))
    let info = reader.info()
    return (info, reader.reader.findings + reader.ruleFindings)
  }

  private init(reader: ListReader) { self.reader = reader }

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

  /// The bundle's identifier. Xcode adds it to a list that lacks it.
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
