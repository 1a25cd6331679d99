package import UniformTypes

/// The facts that Sluice reads from the `Info.plist` of an app or extension, XML or binary.
///
/// Variables without a value stay in the texts as the list states them.
public struct InfoPlist: Sendable {
  /// `CFBundleIdentifier`; nil where the list states none, as in lists that Xcode completes.
  public var identifier: String?
  /// `CFBundleExecutable`; nil where the property list names none.
  public var executable: String?
  /// `NSExtension` > `NSExtensionPointIdentifier`; nil for an app.
  public var extensionPoint: String?
  /// `CFBundleURLTypes` > `CFBundleURLSchemes`, lower case.
  public var schemes: [String]
  /// `IntuneMAMSettings`; nil where the app does not integrate the Intune App SDK.
  public var intuneSettings: IntuneSettings?
  /// `CFBundleDisplayName`, or `CFBundleName`; nil where the list states neither.
  package var name: String?
  /// `CFBundleShortVersionString`; nil where it is not stated.
  package var version: String?
  /// `MinimumOSVersion`; nil where it is not stated.
  package var minimumOS: String?
  /// `CFBundleDocumentTypes`.
  package var documentTypes: [DocumentType]
  /// `LSSupportsOpeningDocumentsInPlace`; nil where it is not stated.
  package var opensInPlace: Bool?
  /// `LSApplicationQueriesSchemes`, lower case.
  package var queriedSchemes: [String]
  /// `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations`.
  package var declaredTypes: [TypeDeclaration]
  /// `NSFaceIDUsageDescription`; nil where it is not stated.
  package var faceIDUsage: String?
  /// `NSExtension`; nil for an app.
  package var appExtension: AppExtension?
}
