internal import Output

/// Checks of app groups and keychain groups.
extension BundleLinter {
  mutating func checkAppGroups() {
    guard let granted = bundle.source.entitlements else {
      checkMissingEntitlements()
      return
    }
    let key: ListPath = ["com.apple.security.application-groups"]
    let listed: ListPath = ["IntuneMAMSettings", "AppGroupIdentifiers"]
    let groups = bundle.entitlements.appGroups
    let known = info.intuneSettings?.appGroups ?? []
    let (granting, knowing) = (Set(groups), Set(known))
    if let others = app?.entitlements.appGroups, app?.source.entitlements != nil,
      granting.isDisjoint(with: others)
    {
      findings.append(
        BundleFinding(
          .appGroup, file: granted.file, at: granted.position(of: key),
          "the extension shares no app group with its app, which has "
            + (others.isEmpty ? "none" : Self.quoted(others))))
    }
    if info.intuneSettings != nil {
      let unlisted = groups.filter { !knowing.contains($0) }
      if !unlisted.isEmpty {
        find(
          .appGroupUnlisted, at: listed,
          "`AppGroupIdentifiers` lacks the app group \(Self.quoted(unlisted))",
          repairs: [.append(listed, unlisted)])
      }
    }
    for group in known where !granting.contains(group) {
      find(
        .appGroupNotGranted, at: listed,
        "`AppGroupIdentifiers` lists `\(group)`, which `\(granted.file)` does not grant")
    }
  }

  private mutating func checkMissingEntitlements() {
    guard bundle.source.isFolder, !bundle.source.hasCandidates else { return }
    find(
      .entitlementsFile, at: [],
      "the bundle has no entitlements file, so app groups and keychain groups are not checked")
  }

  /// Checks that keychain groups have a team prefix. The check includes bundles that do not use the SDK, because no
  /// device installs a bundle with groups of another team.
  mutating func checkKeychainPrefixes() {
    guard let granted = bundle.source.entitlements else { return }
    findings += KeychainGroupCheck.prefixFindings(about: granted)
  }

  mutating func checkKeychainGroups() {
    guard let granted = bundle.source.entitlements else { return }
    let check = KeychainGroupCheck(
      list: granted, entitlements: bundle.entitlements, identifier: info.identifier,
      cacheGroup: info.intuneSettings?.cacheKeychainGroup ?? "com.microsoft.adalcache")
    findings += check.findings(nil)
  }
}

/// Checks an entitlements file for the SDK's keychain groups.
struct KeychainGroupCheck {
  var list: PropertyList
  var entitlements: Entitlements
  /// The bundle id; nil if unknown.
  var identifier: String?
  /// The keychain group in which the sign-in library stores its accounts.
  var cacheGroup: String

  private static let key = "keychain-access-groups"

  private var needed: [String] { ["com.microsoft.intune.mam", cacheGroup] }

  /// Whether one of the SDK's groups is granted, possibly misspelled. If so, the target probably integrates the SDK.
  var hasGroupOfSDK: Bool {
    needed.contains { entitlements.grants(keychainGroup: $0) } || !misspelt.isEmpty
  }

  /// The granted groups that look like misspellings of a needed group (`meant`), with their indexes in the array.
  private var misspelt: [(place: Int, group: String, meant: String)] {
    let missing = needed.filter { !entitlements.grants(keychainGroup: $0) }
    return (list[Self.key]?.array ?? []).enumerated().compactMap { place, value in
      guard let group = value.string,
        let meant = Suggestion.word(for: Entitlements.withoutPrefix(group), among: missing)
      else { return nil }
      return (place, group, meant)
    }
  }

  func findings(_ severity: Severity?) -> [BundleFinding] {
    let path: ListPath = [.key(Self.key)]
    let misspelt = self.misspelt
    let missing = needed.filter { name in
      !entitlements.grants(keychainGroup: name) && !misspelt.contains { $0.meant == name }
    }
    var findings = misspelt.map { place, group, meant in
      let plain = Entitlements.withoutPrefix(group)
      return BundleFinding(
        .keychainGroup, severity, file: list.file, at: list.position(of: path + [.index(place)]),
        "`\(Self.key)` contains `\(plain)` instead of `\(meant)`", suggestion: meant,
        repairs: [
          .replace(path + [.index(place)], with: String(group.dropLast(plain.count)) + meant)
        ])
    }
    if !missing.isEmpty {
      // The keychain adds items without a group to the first group of the list.
      let own =
        entitlements.keychainAccessGroups.isEmpty ? [identifier ?? "$(CFBundleIdentifier)"] : []
      findings.append(
        BundleFinding(
          .keychainGroup, severity, file: list.file, at: list.position(of: path),
          "`\(Self.key)` lacks \(BundleLinter.quoted(missing))",
          repairs: [.append(path, (own + missing).map { prefix + $0 })]))
    }
    if let first = entitlements.keychainAccessGroups.first, let identifier,
      BundleLinter.isResolved(identifier),
      BundleLinter.isResolved(Entitlements.withoutPrefix(first)),
      Entitlements.withoutPrefix(first) != identifier
    {
      findings.append(
        BundleFinding(
          .keychainOrder, file: list.file, at: list.position(of: path + [.index(0)]),
          "the first keychain group is `\(first)`, not the bundle's own, `\(identifier)`"))
    }
    return findings
  }

  /// Returns the findings about groups without a team prefix.
  static func prefixFindings(about list: PropertyList) -> [BundleFinding] {
    var findings: [BundleFinding] = []
    for (number, value) in (list[key]?.array ?? []).enumerated() {
      guard let group = value.string, !isOfTeam(group) else { continue }
      findings.append(
        BundleFinding(
          .keychainPrefix, file: list.file, at: list.position(of: [.key(key), .index(number)]),
          "the keychain group `\(group)` does not begin with the team's prefix"))
    }
    return findings
  }

  /// Returns whether the group has the prefix of any team. A group with a leading variable passes, because the value is
  /// unknown. `com.apple.token`, the group of keys on smart cards, has no team and also passes.
  private static func isOfTeam(_ group: String) -> Bool {
    group.hasPrefix("$") || Entitlements.prefix(of: group) != nil || group == "com.apple.token"
  }

  /// The team prefix, copied from the first group that has one; otherwise `$(AppIdentifierPrefix)`.
  private var prefix: String {
    let stated = list[Self.key]?.array?.compactMap(\.string) ?? []
    for group in stated {
      let plain = Entitlements.withoutPrefix(group)
      if plain != group { return String(group.dropLast(plain.count)) }
    }
    return "$(AppIdentifierPrefix)"
  }
}
