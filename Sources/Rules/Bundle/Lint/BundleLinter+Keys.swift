internal import Diagnostics

/// Checks for keys that iOS passes over.
extension BundleLinter {
  /// The keys of each dictionary that the simulation or the SDK reads.
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

  mutating func checkKeys() {
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
      // `LSApplicationQuerySchemes` is three letters off.
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
        "`IntuneMAMSettings` has the key `\(entry.key)`, which the SDK does not know",
        suggestion: nearestKey(to: entry.key, in: Self.settings))
    }
  }

  private mutating func checkWhiteSpace(in value: PropertyListValue, at path: ListPath) {
    for entry in value.dictionary?.entries ?? [] {
      let path = path + [.key(entry.key)]
      if hasWhiteSpace(entry.key) {
        find(.keyWhiteSpace, at: path, "the key `\(entry.key)` has white space around it")
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
