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

  private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }

  public var description: String { parts.map(String.init).joined(separator: ".") }
}
