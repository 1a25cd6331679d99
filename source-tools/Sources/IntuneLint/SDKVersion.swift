/// A version of the Intune SDK, such as 21.7.1.
public struct SDKVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  private let parts: [Int]

  /// Parses numbers that are separated by dots. Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.isEmpty, parts.allSatisfy({ $0 != nil && $0! >= 0 }) else { return nil }
    self.parts = parts.compactMap(\.self)
  }

  public static func < (left: SDKVersion, right: SDKVersion) -> Bool {
    for index in 0..<max(left.parts.count, right.parts.count) {
      let (mine, other) = (left.part(index), right.part(index))
      if mine != other { return mine < other }
    }
    return false
  }

  /// Returns whether two versions denote the same release, such as 15.0 and 15.0.0.
  func isSame(as other: SDKVersion) -> Bool { !(self < other) && !(other < self) }

  private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }

  public var description: String { parts.map(String.init).joined(separator: ".") }
}

/// The value of `--sdk`: the pinned release, or the two releases of an upgrade.
public enum SDKChoice: Sendable, Equatable, CustomStringConvertible {
  case pinned(SDKVersion)
  /// An upgrade from an older to a newer release.
  case upgrade(from: SDKVersion, to: SDKVersion)

  /// Parses `VERSION` or `FROM..TO`.
  ///
  /// - Throws: ``SDKChoiceError`` if the text has another form, or if an upgrade is not from an older to a newer
  ///   release of the table.
  public init(_ text: String, _ table: APITable = .builtIn) throws(SDKChoiceError) {
    let parts = text.split(separator: "..", omittingEmptySubsequences: false)
    let versions = parts.compactMap { SDKVersion($0) }
    guard versions.count == parts.count, parts.count <= 2 else { throw .notAVersion }
    guard parts.count == 2 else {
      self = .pinned(versions[0])
      return
    }
    for version in versions where !table.releases.contains(where: { $0.isSame(as: version) }) {
      throw .unknownRelease(version, neighbors: table.neighbors(of: version))
    }
    guard versions[0] < versions[1] else { throw .notOlder(versions[0], than: versions[1]) }
    self = .upgrade(from: versions[0], to: versions[1])
  }

  /// The release with which the code is built. For an upgrade, it is the newer release.
  public var version: SDKVersion {
    switch self {
    case .pinned(let version): version
    case .upgrade(_, let to): to
    }
  }

  public var description: String {
    switch self {
    case .pinned(let version): version.description
    case .upgrade(let from, let to): "\(from)..\(to)"
    }
  }
}

/// An error in the value of `--sdk`.
public enum SDKChoiceError: Error, Equatable, CustomStringConvertible {
  case notAVersion
  /// There is no such release. The associated values are the stated version, and the existing releases before and after
  /// it.
  case unknownRelease(SDKVersion, neighbors: [SDKVersion])
  case notOlder(SDKVersion, than: SDKVersion)

  public var description: String {
    switch self {
    case .notAVersion:
      "expected a version such as 21.7.1, or an upgrade such as 19.7.14..21.7.1"
    case .unknownRelease(let version, let neighbors):
      "\(version) is not a known release of the SDK; did you mean "
        + neighbors.map(\.description).joined(separator: " or ") + "?"
    case .notOlder(let from, let to):
      "\(from) is not older than \(to); write the current release first, as in 19.7.14..21.7.1"
    }
  }
}
