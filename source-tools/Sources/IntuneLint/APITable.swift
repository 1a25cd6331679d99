internal import SwiftSources

/// The declarations in the Intune SDK's headers, by version.
public struct APITable: Sendable {
  private let members: [String: [APIMember]]
  /// The new names, keyed by container and old name.
  private let replacements: [[String]: Replacement]
  /// The changes of behaviour and requirements, keyed by container and name.
  private let facts: [[String]: [Fact]]
  /// The releases with public headers, oldest first.
  public let releases: [SDKVersion]
  /// The newest version in the table.
  public let newest: SDKVersion
  /// The oldest version in the table.
  public let oldest: SDKVersion

  /// A declaration that replaces an older declaration.
  struct Replacement: Sendable {
    /// The name, with the container if the container differs.
    let name: String
    /// Whether the declaration takes or returns an Entra object ID instead of a UPN.
    let isByAccount: Bool
  }

  /// A change of behaviour or requirements.
  struct Fact: Sendable {
    let version: SDKVersion
    /// A clause without full stop.
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

  /// Returns a sentence about the reliability of findings for a version outside the table; nil if
  /// the table covers the version.
  public func caution(about version: SDKVersion) -> String? {
    if version > newest {
      return
        "\(version) is newer than \(newest), the newest known release, which is used instead"
    }
    guard version < oldest else { return nil }
    return "\(version) is older than \(oldest), the oldest known release"
  }

  /// Returns all members that a container declares in any version, in the order of the table.
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

  /// Returns the requirements that the releases after `from`, up to `to`, add. A later requirement replaces an
  /// earlier one of the same kind, such as the version of Xcode.
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
