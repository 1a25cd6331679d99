package import Activation
package import Policy

/// An installed share or action extension, as far as a share sheet asks about it.
package struct SheetExtension: Sendable {
  /// What the user calls it.
  package var name: String
  package var kind: Kind
  /// The extension, and whom a run of it would act for.
  package var party: Party
  /// Bundle id of the app that contains it.
  package var containingApp: String
  /// `NSExtensionActivationRule`; nil where it has none, or none that is valid.
  package var rule: ActivationRule?
  /// `IntuneMAMSettings` > `OpenInActionExtension`: a stub by which the SDK opens documents in the app.
  package var isOpenInAction: Bool
  /// Why the device does not show its app, in a clause; nil where it does.
  package var ban: String?

  package enum Kind: String, Sendable, CaseIterable {
    /// `com.apple.share-services`
    case share
    /// `com.apple.ui-services` or `com.apple.services`
    case action
  }

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
