/// The party whose rule spoke.
public enum Side: String, Sendable, CaseIterable {
  /// The policy of the sending app's active identity.
  case sender
  /// The policy of the account that owns the data, where that account is not the active one.
  case owner
  /// The policy of the receiving identity.
  case receiver
  /// The policy of the app's managed account, which holds for the whole app, whatever identity it acts for.
  case app
  /// The device: its integrity checks, its MDM restrictions, its bundles.
  case device
}
