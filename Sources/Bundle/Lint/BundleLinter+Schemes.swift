/// URL schemes and their twins.
///
/// Source: Intune App SDK for iOS developer guide, "Integrate the SDK into your iOS app", step 5.
extension BundleLinter {
  static let twinSuffix = "-intunemam"

  /// What the SDK itself asks for, and the broker's schemes of its sign-in library.
  static let needed = [
    "http-intunemam", "https-intunemam", "microsoft-edge-http-intunemam",
    "microsoft-edge-https-intunemam", "smart-ns", "zips", "lacoonsecurity", "wandera",
    "lookoutwork-ase", "skycure", "betteractiveshield", "smsec", "mvisionmobile", "scmx",
    "intunemam-mtd", "msauthv2", "msauthv3",
  ]

  /// Apps without the SDK.
  private static let withoutTwin = Set(needed + ["companyportal"])

  /// How many schemes iOS answers for, since version 15.
  private static let limit = 50

  /// The scheme by which a sign-in comes back, which no other app opens.
  static func isRedirect(_ scheme: String) -> Bool { scheme.lowercased().hasPrefix("msauth.") }

  mutating func checkSchemes() {
    guard bundle.kind == .app else { return }
    let all = Set(info.schemes)
    for index in list["CFBundleURLTypes"]?.array?.indices ?? 0..<0 {
      let path: ListPath = ["CFBundleURLTypes", .index(index), "CFBundleURLSchemes"]
      for (number, value) in (list.value(at: path)?.array ?? []).enumerated() {
        guard let stated = value.string else { continue }
        let scheme = bundle.source.settings.expanding(stated).text.lowercased()
        if scheme.hasSuffix(Self.twinSuffix) || Self.isRedirect(scheme)
          || all.contains(scheme + Self.twinSuffix)
        {
          continue
        }
        find(
          .schemeTwin, at: path + [.index(number)],
          "the URL scheme `\(stated)` has no twin `\(stated)\(Self.twinSuffix)`",
          repairs: [.append(path, [stated + Self.twinSuffix])])
      }
    }
  }

  mutating func checkQueriedSchemes() {
    guard bundle.kind == .app else { return }
    let path: ListPath = ["LSApplicationQueriesSchemes"]
    let all = Set(info.queriedSchemes)
    let missing = Self.needed.filter { !all.contains($0) }
    if !missing.isEmpty {
      find(
        .queriedMissing, at: path,
        "`LSApplicationQueriesSchemes` lacks \(Self.quoted(missing)), which the SDK queries",
        repairs: [.append(path, missing)])
    }
    for (number, value) in (list.value(at: path)?.array ?? []).enumerated() {
      guard let stated = value.string else { continue }
      let scheme = bundle.source.settings.expanding(stated).text.lowercased()
      let twin = scheme + Self.twinSuffix
      if scheme.hasSuffix(Self.twinSuffix) || Self.withoutTwin.contains(scheme)
        || all.contains(twin) || missing.contains(twin)
      {
        continue
      }
      find(
        .queriedTwin, at: path + [.index(number)],
        "the queried scheme `\(stated)` has no twin `\(stated)\(Self.twinSuffix)`",
        repairs: [.append(path, [stated + Self.twinSuffix])])
    }
    if info.queriedSchemes.count > Self.limit {
      find(
        .queriedLimit, at: path,
        "`LSApplicationQueriesSchemes` has \(info.queriedSchemes.count) schemes, of which iOS "
          + "takes the first \(Self.limit)")
    }
  }
}
