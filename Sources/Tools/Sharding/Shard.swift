/// One of the parts that a run is split into, such as `2/4`.
public struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The most parts of a run.
  public static let most = 10_000

  /// The number of the part, from 1.
  public let number: Int
  /// The number of parts, at least ``number``.
  public let count: Int

  /// The only part of a run that is not split.
  public static let whole = Shard(unchecked: 1, of: 1)

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// A part; nil where it is none of `1/count` to `count/count`, or `count` is more than ``most``.
  public init?(_ number: Int, of count: Int) {
    guard 1...Self.most ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Reads `number/count`; nil where that is no part.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  public var description: String { "\(number)/\(count)" }
}
