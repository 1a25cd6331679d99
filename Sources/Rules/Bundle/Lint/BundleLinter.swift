internal import Diagnostics
internal import JSON
internal import UniformTypes

/// Checks one bundle.
struct BundleLinter {
  let bundle: AppBundle
  /// The app that an extension is in; nil for an app, and where it is not known.
  let app: AppBundle?
  /// The system's types, and the types that the bundle and its app declare.
  let types: TypeLibrary
  var findings: [BundleFinding] = []
  /// The number of types that were compared with the declared ones.
  var comparedTypes = 0
  /// The number of letters and words that were compared with known keys.
  private var comparisons = 0

  static let maximumComparedTypes = 100

  /// All findings about a bundle and the extensions inside of it, file by file, from top to bottom.
  ///
  /// - Parameter app: The app that an extension is in; nil for an app, and where it is not known.
  static func lint(_ bundle: AppBundle, in app: AppBundle?) -> [BundleFinding] {
    let parts =
      [BundleLinter(bundle: bundle, app: app)]
      + bundle.plugIns.map { BundleLinter(bundle: $0, app: bundle) }
    let all = parts.flatMap { part in
      var part = part
      part.lint()
      return sorted(part.findings, first: part.list.file)
    }
    return all + bundle.problems
  }

  static func lint(_ file: BundleInput.EntitlementsFile) -> [BundleFinding] {
    let check = KeychainGroupCheck(
      list: file.list, entitlements: file.entitlements, identifier: nil,
      cacheGroup: "com.microsoft.adalcache")
    let prefixes = KeychainGroupCheck.prefixFindings(about: file.list)
    // A target without the SDK has none of its groups.
    let groups = check.hasGroupOfSDK ? check.findings(.warning) : []
    return sorted(file.findings + prefixes + groups, first: file.list.file)
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

  // MARK: What checks need

  var info: InfoPlist { bundle.info }

  var list: PropertyList { bundle.source.list }

  /// Whether the bundle has the SDK, or its app has.
  var usesSDK: Bool { info.intuneSettings != nil || app?.info.intuneSettings != nil }

  /// Adds a finding in `Info.plist`, at the key of a path.
  mutating func find(
    _ rule: BundleRule, _ severity: Severity? = nil, at path: ListPath, _ message: String,
    suggestion: String? = nil, repairs: [Repair] = []
  ) {
    findings.append(
      BundleFinding(
        rule, severity, file: list.file, at: list.position(of: path), message,
        suggestion: suggestion, repairs: repairs))
  }

  /// The known key that was probably meant by one that is not; nil where none is near, and after too many comparisons.
  mutating func nearestKey(to key: String, in known: Vocabulary, within limit: Int = 2) -> String? {
    let before = comparisons
    defer { Effort.spend(comparisons - before) }
    return known.nearest(to: key, within: limit, &comparisons)
  }

  static func quoted(_ words: some Sequence<String>) -> String {
    words.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Whether a text has no variable left, so that it can be compared.
  static func isResolved(_ text: String) -> Bool { !text.contains("$(") && !text.contains("${") }

  private static func sorted(_ findings: [BundleFinding], first: String) -> [BundleFinding] {
    findings.enumerated().sorted { left, right in
      let key = { (one: (offset: Int, element: BundleFinding)) in
        (
          one.element.file == first ? 0 : 1, one.element.position?.line ?? 0,
          one.element.position?.column ?? 0, one.offset
        )
      }
      return key(left) < key(right)
    }.map(\.element)
  }
}
