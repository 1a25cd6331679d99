internal import Output

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

  /// The maximum number of schemes that iOS answers for: 50 for apps linked on iOS 15 or later, 25 on iOS 27 or later.
  ///
  /// Source: Apple, `canOpenURL(_:)`; ms-intune-app-sdk-ios, issue 697.
  private static let limit = 50
  private static let limitSince27 = 25

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
    let twins = queried.filter { lacksTwin($0, among: all, missing) }
    let stated = info.queriedSchemes
    let fixed = stated.count + missing.count + twins.count
    // The SDK's schemes are not to be those that iOS leaves out.
    let isCrowded =
      !stated.isEmpty && fixed > (linkedMajor ?? 27 < 27 ? Self.limit : Self.limitSince27)
    if !missing.isEmpty {
      find(
        .queriedMissing, at: path,
        "`LSApplicationQueriesSchemes` lacks \(Self.quoted(missing)), which the SDK queries",
        repairs: [isCrowded ? .prepend(path, missing) : .append(path, missing)])
    }
    if fixed > stated.count {
      let first = isCrowded ? missing + stated : stated + missing
      checkLimit(first + twins.map { $0.text + StatedScheme.twinSuffix }, isFixed: true)
    }
    for scheme in twins {
      let twin = scheme.text + StatedScheme.twinSuffix
      find(
        .queriedTwin, at: scheme.path,
        "the queried scheme `\(scheme.text)` has no twin `\(twin)`",
        repairs: [.append(path, [twin])])
    }
  }

  private func lacksTwin(
    _ scheme: StatedScheme, among all: Set<String>, _ missing: [String]
  ) -> Bool {
    scheme.fault == nil && scheme.original == nil && !Self.withoutTwin.contains(scheme.name)
      && !all.contains(scheme.twin) && !missing.contains(scheme.twin)
  }

  /// Checks the number of queried schemes in every app.
  mutating func checkQueriedLimit() {
    guard bundle.kind == .app else { return }
    checkLimit(info.queriedSchemes, isFixed: false)
  }

  /// - Parameter isFixed: Whether the schemes are those after `sluice bundle fix`.
  private mutating func checkLimit(_ schemes: [String], isFixed: Bool) {
    let major = linkedMajor
    let isNewer = major.map { $0 >= 27 } ?? (schemes.count <= Self.limit)
    let limit = isNewer ? Self.limitSince27 : Self.limit
    guard schemes.count > limit else { return }
    let condition =
      switch (isNewer, major) {
      case (true, nil): " if the app is linked on iOS 27 or later"
      case (true, _?): " of an app linked on iOS 27 or later"
      case (false, _): ""
      }
    find(
      .queriedLimit, isFixed || isNewer && major == nil ? .note : nil, at: Self.queriedPath,
      "`LSApplicationQueriesSchemes` has \(schemes.count) schemes"
        + (isFixed ? " once `sluice bundle fix` has added those that are missing" : "")
        + ", of which iOS takes the first \(limit)\(condition), and not "
        + Self.quoted(schemes.dropFirst(limit)))
  }

  /// The major version of the SDK with which the app was built; nil where the list does not state it, as in source
  /// repositories: Xcode adds it.
  private var linkedMajor: Int? {
    let major = { (text: String) in
      Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
    for key in ["DTSDKName", "DTPlatformVersion"] {
      if let text = list[key]?.string, let version = major(text) { return version }
    }
    // An app that needs iOS 27 is linked on it.
    return info.minimumOS.flatMap(major).flatMap { $0 >= 27 ? $0 : nil }
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

// MARK: - Stated schemes

/// A URL scheme in one of the list's arrays.
private struct StatedScheme {
  /// The path of the scheme in the list.
  var path: ListPath
  /// The scheme as written.
  var text: String
  /// The scheme with variables replaced.
  var expanded: String

  static let twinSuffix = "-intunemam"

  /// The scheme in the form in which schemes are compared.
  var name: String { expanded.lowercased() }

  var twin: String { name + Self.twinSuffix }

  /// The scheme of which this one is the twin; nil where it is no twin.
  var original: String? {
    name.hasSuffix(Self.twinSuffix) ? String(name.dropLast(Self.twinSuffix.count)) : nil
  }

  /// The fault that keeps URLs from having the scheme; nil where there is none, and where a variable has no value.
  ///
  /// Source: RFC 3986, section 3.1.
  var fault: String? {
    guard BundleLinter.isResolved(expanded) else { return nil }
    guard let first = expanded.unicodeScalars.first else { return "is empty" }
    if !Self.isLetter(first) { return "does not begin with a letter" }
    let odd = expanded.unicodeScalars.first { scalar in
      !Self.isLetter(scalar) && !("0"..."9").contains(scalar)
        && !"+-.".unicodeScalars.contains(scalar)
    }
    return odd.map { "has `\($0)` in it" }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }
}
