internal import Diagnostics

/// The entitlements that Sluice reads from an entitlements file.
public struct Entitlements: Sendable, Equatable {
  /// `keychain-access-groups`, `$(AppIdentifierPrefix)` resolved.
  public var keychainAccessGroups: [String] = []
  /// `com.apple.security.application-groups`.
  public var appGroups: [String] = []
  /// `com.apple.developer.associated-domains`.
  package var associatedDomains: [String] = []
  /// `application-identifier`; nil where it is not stated: signing adds it.
  package var applicationIdentifier: String?
  /// `com.apple.developer.team-identifier`, or the prefix of the bundle's identifier in
  /// ``applicationIdentifier``; nil where neither is stated.
  package var team: String?

  /// Creates entitlements that grant nothing.
  public init() {}

  /// Reads an entitlements file.
  ///
  /// - Parameter team: The team identifier that replaces `$(AppIdentifierPrefix)`.
  /// - Throws: ``BundleError`` where `bytes` are no property list.
  public init(_ bytes: [UInt8], team: String, file: String) throws(BundleError) {
    var reader = ListReader(
      try PropertyList(bytes, file: file), settings: BuildSettings(team: team))
    self.init(&reader)
  }

  /// - Returns: The entitlements that the list states, and the findings about it.
  static func read(
    _ list: PropertyList, settings: BuildSettings
  ) -> (entitlements: Entitlements, findings: [BundleFinding]) {
    var settings = settings
    if settings["DEVELOPMENT_TEAM"] == nil, settings["AppIdentifierPrefix"] == nil {
      var reader = ListReader(list, settings: settings)
      if let team = Entitlements(&reader).team { settings.setTeam(team) }
    }
    var reader = ListReader(list, settings: settings)
    return (Entitlements(&reader), reader.findings)
  }

  private init(_ reader: inout ListReader) {
    keychainAccessGroups = reader.strings(["keychain-access-groups"])
    appGroups = reader.strings(["com.apple.security.application-groups"])
    associatedDomains = reader.strings(["com.apple.developer.associated-domains"])
    applicationIdentifier = reader.string(["application-identifier"])
    team =
      reader.string(["com.apple.developer.team-identifier"])
      ?? Self.prefix(of: applicationIdentifier)
    if team?.contains("$") == true { team = nil }
  }

  /// The team identifier that a keychain group or an application identifier begins with: ten capital letters and
  /// digits before a full stop; nil where there is none.
  static func prefix(of identifier: String?) -> String? {
    guard let identifier, let stop = identifier.firstIndex(of: ".") else { return nil }
    let prefix = identifier[..<stop]
    let isTeam =
      prefix.count == 10 && prefix.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isTeam ? String(prefix) : nil
  }

  /// Whether a keychain group is granted, whatever the team's prefix.
  package func grants(keychainGroup name: String) -> Bool {
    keychainAccessGroups.contains { Self.withoutPrefix($0) == name || $0 == name }
  }

  /// The name of a keychain group in code: without the team's prefix, or its variable.
  package static func withoutPrefix(_ group: String) -> String {
    for variable in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"]
    where group.hasPrefix(variable) {
      return String(group.dropFirst(variable.count))
    }
    guard let stop = group.firstIndex(of: ".") else { return group }
    let prefix = group[..<stop]
    let isTeam = prefix.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isTeam ? String(group[group.index(after: stop)...]) : group
  }
}
