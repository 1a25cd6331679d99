public struct NSItemProviderFileOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The option to open the file in place. It has no effect, because the device always delivers copies.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}
