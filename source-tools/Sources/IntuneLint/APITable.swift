internal import SwiftSources

/// The declarations in the Intune SDK's headers, by version.
public struct APITable: Sendable {
  private let members: [String: [APIMember]]
  /// The new names, keyed by container and old name.
  private let replacements: [[String]: String]
  /// The newest version in the table that added or removed a declaration.
  public let newest: SDKVersion
  /// The oldest version with public headers.
  public let oldest: SDKVersion

  /// The table bundled with the program.
  public static let builtIn = APITable(
    api: String(decoding: PackageResources.intune_api_tsv, as: UTF8.self),
    replacements: String(decoding: PackageResources.replacements_tsv, as: UTF8.self))

  /// Parses tab-separated tables. The first row names the columns. Lines that begin with `#` are
  /// comments.
  init(api: String, replacements: String) {
    let rows = Self.rows(of: api).compactMap { APIMember($0) }
    members = Dictionary(grouping: rows, by: \.container)
    let versions = rows.flatMap { [$0.introduced, $0.deprecated, $0.removed] }.compactMap(\.self)
    newest = versions.max() ?? SDKVersion("0")!
    oldest = versions.min() ?? newest
    self.replacements = Self.rows(of: replacements).reduce(into: [:]) { known, row in
      guard let container = row["container"], let name = row["name"], let new = row["new_name"],
        !new.isEmpty
      else { return }
      let home = row["new_container"] ?? container
      known[[container, name]] = home == container ? new : "\(home).\(new)"
    }
  }

  /// Returns a sentence about the reliability of findings for a version outside the table; nil if
  /// the table covers the version.
  public func caution(about version: SDKVersion) -> String? {
    if version > newest {
      return
        "\(version) is newer than \(newest), the newest release that is known, and taken for it"
    }
    guard version < oldest else { return nil }
    return "\(version) is older than \(oldest), the oldest release that is known"
  }

  /// Returns all members that a container declares in any version, in the order of the table.
  func members(of container: String) -> [APIMember] { members[container] ?? [] }

  /// Returns the methods of a container with this Swift name, in any version.
  func methods(_ name: String, of container: String) -> [APIMember] {
    members(of: container).filter { $0.name == name }
  }

  /// Returns the replacement for a member, with its container if that is different; nil if there is
  /// none.
  func replacement(of member: APIMember) -> String? {
    replacements[[member.container, member.name]]
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
