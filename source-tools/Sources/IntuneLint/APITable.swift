internal import SwiftSources

/// A table of the declarations in the Intune SDK's headers, with the versions that contain each declaration.
public struct APITable: Sendable {
  private let members: [String: [APIMember]]
  /// The replacements of renamed declarations. Each key consists of a container and the old name.
  private let replacements: [[String]: Replacement]
  /// The changes of behaviour and requirements in SDK releases. Each key consists of a container and a declaration's
  /// name.
  private let facts: [[String]: [Fact]]
  /// The releases with public headers, oldest first.
  public let releases: [SDKVersion]
  /// The newest version in the table.
  public let newest: SDKVersion
  /// The oldest version in the table.
  public let oldest: SDKVersion

  /// A declaration that replaces an older declaration.
  struct Replacement: Sendable {
    /// The new name. If the new declaration is in another container, the name includes that container.
    let name: String
    /// Whether the new declaration takes or returns an Entra object ID, where the old one used a UPN.
    let isByAccount: Bool
  }

  /// A change of behaviour or requirements.
  struct Fact: Sendable {
    let version: SDKVersion
    /// The change as a clause, without a full stop.
    let text: String
    /// The address of the public source.
    let source: String
  }

  /// The table bundled with the program.
  public static let builtIn = APITable(
    api: String(decoding: PackageResources.intune_api_tsv, as: UTF8.self),
    changes: String(decoding: PackageResources.changes_tsv, as: UTF8.self))

  /// Parses tab-separated tables. The first row names the columns. Lines that begin with `#` are
  /// comments.
  init(api: String, changes: String) {
    let rows = Self.rows(of: api).compactMap { APIMember($0) }
    members = Dictionary(grouping: rows.filter { $0.kind != "release" }, by: \.container)
    releases = rows.filter { $0.kind == "release" }.compactMap(\.introduced).sorted()
    let versions = rows.flatMap { [$0.introduced, $0.deprecated, $0.removed] }.compactMap(\.self)
    newest = versions.max() ?? SDKVersion("0")!
    oldest = versions.min() ?? newest
    var replacements: [[String]: Replacement] = [:]
    var facts: [[String]: [Fact]] = [:]
    for row in Self.rows(of: changes) {
      guard let container = row["container"], let name = row["name"] else { continue }
      if let new = row["new_name"], !new.isEmpty {
        let home = row["new_container"] ?? container
        replacements[[container, name]] = Replacement(
          name: home == container ? new : "\(home).\(new)",
          isByAccount: row["identity"] == "account")
      }
      if let version = row["version"].flatMap({ SDKVersion($0) }), let text = row["fact"] {
        let source = row["source"] ?? Self.notes(of: version)
        facts[[container, name], default: []].append(
          Fact(version: version, text: text, source: source))
      }
    }
    self.replacements = replacements
    self.facts = facts
  }

  static func notes(of version: SDKVersion) -> String {
    "https://github.com/microsoftconnect/ms-intune-app-sdk-ios/releases/tag/\(version)"
  }

  func neighbors(of version: SDKVersion) -> [SDKVersion] {
    [releases.last { $0 < version }, releases.first { version < $0 }].compactMap(\.self)
  }

  /// Returns a sentence that warns about findings for a version outside the table; nil if the table contains the
  /// version.
  public func caution(about version: SDKVersion) -> String? {
    if version > newest {
      return
        "\(version) is newer than \(newest), the newest known release, which is used instead"
    }
    guard version < oldest else { return nil }
    return "\(version) is older than \(oldest), the oldest known release"
  }

  /// Returns the members of a container in all versions, in the order of the table.
  func members(of container: String) -> [APIMember] { members[container] ?? [] }

  func methods(_ name: String, of container: String) -> [APIMember] {
    members(of: container).filter { $0.name == name }
  }

  func replacement(of member: APIMember) -> Replacement? {
    replacements[[member.container, member.name]]
  }

  func facts(
    about name: String, of container: String, after from: SDKVersion, upTo to: SDKVersion
  ) -> [Fact] {
    facts[[container, name], default: []].filter { from < $0.version && $0.version <= to }
  }

  /// Returns the requirements that are added after the release `from`, up to and including the release `to`. If there
  /// are several of one kind, such as the version of Xcode, only the latest is returned.
  func requirements(after from: SDKVersion, upTo to: SDKVersion) -> [Fact] {
    facts.keys.filter { $0[0] == "IntuneMAMSwift" }.sorted { $0[1] < $1[1] }.compactMap {
      facts(about: $0[1], of: $0[0], after: from, upTo: to).last
    }
  }

  /// The cases of each enumeration, keyed by the enumeration's name.
  var enumerations: [String: [APIMember]] {
    members.mapValues { $0.filter { $0.kind == "case" } }.filter { !$0.value.isEmpty }
  }

  /// The cases of `IntuneMAMEnrollmentStatusCode`, keyed by raw value.
  var statusCodes: [Int: String] {
    let cases = members(of: "IntuneMAMEnrollmentStatusCode").compactMap { member in
      member.value.map { ($0, member.name) }
    }
    return Dictionary(cases) { first, _ in first }
  }

  private static func rows(of text: String) -> [[String: String]] {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
  }
}
