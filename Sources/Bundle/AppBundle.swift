/// An app or extension as a bundle states it: `Info.plist` and entitlements.
public struct AppBundle: Sendable, Equatable {
  public var info: InfoPlist
  public var entitlements: Entitlements
  public var kind: Kind

  public enum Kind: Sendable, Equatable {
    case app
    case shareExtension
    case actionExtension
  }

  /// - Parameter entitlements: no entitlement where there is no such file.
  /// - Throws: ``BundleError`` for an extension point that Sluice does not launch.
  public init(
    info: InfoPlist, entitlements: Entitlements = Entitlements(), file: String
  ) throws(BundleError) {
    self.info = info
    self.entitlements = entitlements
    switch info.extensionPoint {
    case nil: kind = .app
    case "com.apple.share-services": kind = .shareExtension
    case "com.apple.ui-services", "com.apple.services": kind = .actionExtension
    case let point?:
      throw BundleError(
        file: file,
        message: "the extension point `\(point)` is not launched; share and action extensions are")
    }
  }
}
