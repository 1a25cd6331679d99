internal import Output

/// Checks URL schemes and their twins.
///
/// Source: Intune App SDK for iOS developer guide, "Integrate the SDK into your iOS app", step 5.
extension BundleLinter {
  /// The schemes that the SDK queries, including the broker schemes of its sign-in library.
  static let needed = [
    "http-intunemam", "https-intunemam", "microsoft-edge-http-intunemam",
    "microsoft-edge-https-intunemam", "smart-ns", "zips", "lacoonsecurity", "wandera",
    "lookoutwork-ase", "skycure", "betteractiveshield", "smsec", "mvisionmobile", "scmx",
    "intunemam-mtd", "msauthv2", "msauthv3",
  ]

  /// The schemes for which no twin is expected, because their apps do not integrate the SDK.
  private static let withoutTwin = Set(needed + ["companyportal"])

  /// The maximum number of queried schemes for an app that is linked on iOS 15 to 26. iOS ignores further schemes.
  ///
  /// Source: Apple, `canOpenURL(_:)`; ms-intune-app-sdk-ios, issue 697.
  private static let limit = 50
  /// The maximum number of queried schemes for an app that is linked on iOS 27 or later.
  private static let limitSince27 = 25

  /// Returns whether the scheme is for returning to the app after a sign-in. Other apps do not open it.
  static func isRedirect(_ scheme: String) -> Bool { scheme.lowercased().hasPrefix("msauth.") }

  /// Checks the characters of each scheme, even if the app does not integrate the SDK. iOS registers malformed schemes,
  /// but no URL can use them.
  mutating func checkSchemeCharacters() {
    guard bundle.kind == .app else { return }
    checkCharacters(of: registered, called: "URL scheme")
    checkCharacters(of: queried, called: "queried scheme")
  }

  private mutating func checkCharacters(of schemes: [StatedScheme], called noun: String) {
    for scheme in schemes {
      guard let invalidReason = scheme.invalidReason else { continue }
      find(.schemeCharacters, at: scheme.path, "the \(noun) `\(scheme.expanded)` \(invalidReason)")
    }
  }

  mutating func checkSchemes() {
    guard bundle.kind == .app else { return }
    let all = Set(info.schemes)
    for scheme in registered where scheme.invalidReason == nil && !Self.isRedirect(scheme.name) {
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
    // The schemes of the SDK come first, so the limit does not exclude them.
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
    scheme.invalidReason == nil && scheme.original == nil && !Self.withoutTwin.contains(scheme.name)
      && !all.contains(scheme.twin) && !missing.contains(scheme.twin)
  }

  /// Checks the number of schemes that an app queries, regardless of whether the app integrates the SDK.
  mutating func checkQueriedLimit() {
    guard bundle.kind == .app else { return }
    checkLimit(info.queriedSchemes, isFixed: false)
  }

  /// Adds a finding if the app queries more schemes than iOS uses.
  ///
  /// - Parameter isFixed: Whether `schemes` are those that the app would query after `sluice bundle fix`.
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
        + "; iOS uses only the first \(limit)\(condition), not "
        + Self.quoted(schemes.dropFirst(limit)))
  }

  /// The major version of the iOS SDK that the app was built with, from the keys that Xcode adds. Without these keys,
  /// the app's minimum iOS version if that version is 27 or later, otherwise nil.
  private var linkedMajor: Int? {
    let major = { (text: String) in
      Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
    for key in ["DTSDKName", "DTPlatformVersion"] {
      if let text = list[key]?.string, let version = major(text) { return version }
    }
    // An app that requires iOS 27 is linked on iOS 27.
    return info.minimumOS.flatMap(major).flatMap { $0 >= 27 ? $0 : nil }
  }

  // MARK: Schemes in the list

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

// MARK: - Scheme entries

/// A scheme that the app registers (`CFBundleURLTypes`) or queries (`LSApplicationQueriesSchemes`).
private struct StatedScheme {
  var path: ListPath
  /// The scheme as written.
  var text: String
  /// The scheme with variables replaced.
  var expanded: String

  static let twinSuffix = "-intunemam"

  /// The scheme in lower case, for comparison.
  var name: String { expanded.lowercased() }

  var twin: String { name + Self.twinSuffix }

  /// The original of a twin scheme; nil if the scheme is not a twin.
  var original: String? {
    name.hasSuffix(Self.twinSuffix) ? String(name.dropLast(Self.twinSuffix.count)) : nil
  }

  /// The reason why no URL can have the scheme; nil if the scheme is valid or contains an unresolved variable.
  ///
  /// Source: RFC 3986, section 3.1.
  var invalidReason: String? {
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
