/// What Sluice reads of an app's or extension's `Info.plist`, XML or binary.
public struct InfoPlist: Sendable, Equatable {
  /// `CFBundleIdentifier`.
  public var identifier: String
  /// `CFBundleExecutable`; nil where the property list names none.
  public var executable: String?
  /// `NSExtension` > `NSExtensionPointIdentifier`; nil for an app.
  public var extensionPoint: String?
  /// `CFBundleURLTypes` > `CFBundleURLSchemes`, lower case.
  public var schemes: [String]
  /// `IntuneMAMSettings`; nil where the app does not integrate the Intune App SDK.
  public var intuneSettings: IntuneSettings?

  /// The dictionary `IntuneMAMSettings`.
  public struct IntuneSettings: Sendable, Equatable {
    /// `MultiIdentity`.
    public var isMultiIdentity: Bool
    /// `ContainingAppBundleId`; nil where it is not stated.
    public var containingApp: String?
  }

  /// - Throws: ``BundleError`` where `bytes` are no property list, or it lacks an identifier.
  public init(_ bytes: [UInt8], file: String) throws(BundleError) {
    let list = try PropertyList(bytes, file: file)
    guard let identifier = list.string("CFBundleIdentifier"), !identifier.isEmpty else {
      throw BundleError(file: file, message: "`CFBundleIdentifier` is missing")
    }
    self.identifier = identifier
    executable = list.string("CFBundleExecutable")
    extensionPoint = list.dictionary("NSExtension")?.string("NSExtensionPointIdentifier")
    schemes = list.dictionaries("CFBundleURLTypes").flatMap { $0.strings("CFBundleURLSchemes") }
      .map { $0.lowercased() }
    intuneSettings = list.dictionary("IntuneMAMSettings").map {
      IntuneSettings(
        isMultiIdentity: $0.bool("MultiIdentity") ?? false,
        containingApp: $0.string("ContainingAppBundleId"))
    }
  }
}
