/// Checks of URL schemes and their twins.
///
/// Source: Intune App SDK for iOS developer guide, "Integrate the SDK into your iOS app", step 5.
extension BundleLinter {
  /// The schemes that the SDK itself queries, and the broker's schemes of its sign-in library.
  static let needed = [
    "http-intunemam", "https-intunemam", "microsoft-edge-http-intunemam",
    "microsoft-edge-https-intunemam", "smart-ns", "zips", "lacoonsecurity", "wandera",
    "lookoutwork-ase", "skycure", "betteractiveshield", "smsec", "mvisionmobile", "scmx",
    "intunemam-mtd", "msauthv2", "msauthv3",
  ]

  /// The schemes of apps without the SDK.
  private static let withoutTwin = Set(needed + ["companyportal"])

  /// The maximum number of schemes that iOS answers for, since version 15.
  private static let limit = 50

  /// Whether a sign-in returns by the scheme, which no other app opens.
  static func isRedirect(_ scheme: String) -> Bool { scheme.lowercased().hasPrefix("msauth.") }

  /// Checks the characters of schemes in every app: iOS registers a malformed scheme, and nothing can open it.
  mutating func checkSchemeCharacters() {
    guard bundle.kind == .app else { return }
    checkCharacters(of: registered, called: "URL scheme")
    checkCharacters(of: queried, called: "queried scheme")
  }

  private mutating func checkCharacters(of schemes: [StatedScheme], called noun: String) {
    for scheme in schemes {
      guard let fault = scheme.fault else { continue }
      find(.schemeCharacters, at: scheme.path, "the \(noun) `\(scheme.expanded)` \(fault)")
    }
  }

  mutating func checkSchemes() {
    guard bundle.kind == .app else { return }
    let all = Set(info.schemes)
    for scheme in registered where scheme.fault == nil && !Self.isRedirect(scheme.name) {
      if let original = scheme.original {
        checkOriginal(original, of: scheme, among: all)
      } else if !all.contains(scheme.twin) {
        let twin = scheme.text + StatedScheme.twinSuffix
        find(
          .schemeTwin, at: scheme.path, "the URL scheme `\(scheme.text)` has no twin `\(twin)`",
          repairs: [.append(ListPath(scheme.path.dropLast()), [twin])])
      }
    }
  }

  private mutating func checkOriginal(
    _ original: String, of twin: StatedScheme, among all: Set<String>
  ) {
    guard Self.isResolved(original), !all.contains(original) else { return }
    find(
      .schemeOriginal, at: twin.path,
      "the URL scheme `\(twin.text)` is the twin of `\(original)`, which the app does not register")
  }

  mutating func checkQueriedSchemes() {
    guard bundle.kind == .app else { return }
    let path = Self.queriedPath
    let all = Set(info.queriedSchemes)
    let missing = Self.needed.filter { !all.contains($0) }
    if !missing.isEmpty {
      find(
        .queriedMissing, at: path,
        "`LSApplicationQueriesSchemes` lacks \(Self.quoted(missing)), which the SDK queries",
        repairs: [.append(path, missing)])
    }
    for scheme in queried
    where scheme.fault == nil && scheme.original == nil && !Self.withoutTwin.contains(scheme.name)
      && !all.contains(scheme.twin) && !missing.contains(scheme.twin)
    {
      let twin = scheme.text + StatedScheme.twinSuffix
      find(
        .queriedTwin, at: scheme.path,
        "the queried scheme `\(scheme.text)` has no twin `\(twin)`",
        repairs: [.append(path, [twin])])
    }
    if info.queriedSchemes.count > Self.limit {
      find(
        .queriedLimit, at: path,
        "`LSApplicationQueriesSchemes` has \(info.queriedSchemes.count) schemes, of which iOS "
          + "takes the first \(Self.limit)")
    }
  }

  // MARK: What the list states

  private static let queriedPath: ListPath = ["LSApplicationQueriesSchemes"]

  private var queried: [StatedScheme] { schemes(at: Self.queriedPath) }

  private var registered: [StatedScheme] {
    (list["CFBundleURLTypes"]?.array ?? []).indices.flatMap { index in
      schemes(at: ["CFBundleURLTypes", .index(index), "CFBundleURLSchemes"])
    }
  }

  private func schemes(at path: ListPath) -> [StatedScheme] {
    (list.value(at: path)?.array ?? []).enumerated().compactMap { number, value in
      value.string.map { text in
        StatedScheme(
          path: path + [.index(number)], text: text,
          expanded: bundle.source.settings.expanding(text).text)
      }
    }
  }
}
