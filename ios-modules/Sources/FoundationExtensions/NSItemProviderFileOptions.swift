/// How a file may be used.
public struct NSItemProviderFileOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Where it lies, rather than as a copy. Nothing is: the device always hands over copies.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}
