package import Activation

/// An element of `CFBundleDocumentTypes`: documents that an app opens.
///
/// Source: Apple, Information Property List, CFBundleDocumentTypes.
package struct DocumentType: Sendable, Equatable {
  /// `CFBundleTypeName`; nil where it is not stated.
  package var name: String?
  /// `CFBundleTypeRole`: `Editor`, `Viewer`, `Shell`, `QLGenerator` or `None`; nil where it is not stated.
  package var role: String?
  /// `LSHandlerRank`: `Owner`, `Default`, `Alternate` or `None`; nil where it is not stated.
  package var rank: String?
  /// `LSItemContentTypes`, uniform type identifiers.
  package var contentTypes: [String]
  /// `CFBundleTypeExtensions`, which count only where there is no content type.
  package var filenameExtensions: [String]
}

/// The extension that a bundle contains: the dictionary `NSExtension`.
package struct AppExtension: Sendable {
  /// `NSExtensionPointIdentifier`.
  package var point: String
  /// `NSExtensionPrincipalClass`; nil where it is not stated.
  package var principalClass: String?
  /// `NSExtensionMainStoryboard`; nil where it is not stated.
  package var storyboard: String?
  /// `RequestsOpenAccess`: whether a keyboard asks for full access.
  package var requestsOpenAccess: Bool
  /// `NSExtensionActivationRule`; nil where there is none or it is not valid.
  package var activationRule: ActivationRule?
  /// The fault of the rule; nil where it has none, and where there is no rule.
  package var invalidRule: BundleFinding?
}
