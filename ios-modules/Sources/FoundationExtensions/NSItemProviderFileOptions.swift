public struct NSItemProviderFileOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Opens the file in place. The option has no effect, because the device always delivers copies.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}
