package import Activation
package import Policy

/// An installed share or action extension, with the properties that share sheets depend on.
package struct SheetExtension: Sendable {
  /// The user's name for the extension.
  package var name: String
  package var kind: Kind
  /// The extension, and the identity that an instance of it would act for.
  package var party: Party
  /// The bundle id of the app that contains the extension.
  package var containingApp: String
  /// The extension's `NSExtensionActivationRule`; nil where it has none that is valid.
  package var rule: ActivationRule?
  /// Whether the extension is a stub by which the SDK opens documents in the app (`IntuneMAMSettings` >
  /// `OpenInActionExtension`).
  package var isOpenInAction: Bool
  /// The reason why the device does not show the extension's app, in a clause; nil where it does.
  package var ban: String?

  /// A kind of extension.
  package enum Kind: String, Sendable, CaseIterable {
    /// An extension of `com.apple.share-services`.
    case share
    /// An extension of `com.apple.ui-services` or `com.apple.services`.
    case action
  }

  /// Creates an installed extension.
  package init(
    name: String, kind: Kind, party: Party, containingApp: String, rule: ActivationRule?,
    isOpenInAction: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.party = party
    self.containingApp = containingApp
    self.rule = rule
    self.isOpenInAction = isOpenInAction
  }

  package var bundleID: String { party.app.bundleID }
}
