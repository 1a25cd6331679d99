internal import SwiftSources

/// What the headers of the Intune SDK declare, by version.
public struct APITable: Sendable {
  private let members: [String: [APIMember]]
  /// The replacements: container and old name to new name.
  private let replacements: [[String]: String]
  /// The newest version that brought or took something.
  public let newest: SDKVersion
  /// The oldest version of which headers are public.
  public let oldest: SDKVersion

  /// The table in the program.
  public static let builtIn = APITable(
    api: String(decoding: PackageResources.intune_api_tsv, as: UTF8.self),
    replacements: String(decoding: PackageResources.replacements_tsv, as: UTF8.self))

  /// Reads tables with tabs between columns, whose first lines name them. Lines that begin with `#` are comments.
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

  /// What findings for a version are worth where the table does not reach as far, in a sentence; nil where it does.
  public func caution(about version: SDKVersion) -> String? {
    if version > newest {
      return
        "\(version) is newer than \(newest), the newest release that is known, and taken for it"
    }
    guard version < oldest else { return nil }
    return "\(version) is older than \(oldest), the oldest release that is known"
  }

  /// What a protocol, class or enumeration ever declared, in the order of the table.
  func members(of container: String) -> [APIMember] { members[container] ?? [] }

  /// The methods of a protocol or class with this name in Swift, of any version.
  func methods(_ name: String, of container: String) -> [APIMember] {
    members(of: container).filter { $0.name == name }
  }

  /// The name that takes the place of a member, with its container where that is another; nil where nothing does.
  func replacement(of member: APIMember) -> String? {
    replacements[[member.container, member.name]]
  }

  /// The cases of `IntuneMAMEnrollmentStatusCode` by their numbers.
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
