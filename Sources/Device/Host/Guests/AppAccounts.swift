internal import AppConfiguration
internal import Policy
internal import Model

/// The accounts of an app, and what is under way with them.
final class AppAccounts {
  /// In the order of signing in.
  var signedIn: [SignedInAccount] = []
  /// Those of which the service was asked.
  var registrations: [Registration] = []
  /// Accounts that the SDK has told the app not to act for, until they sign in anew.
  var blocked: [Account] = []
  /// Accounts whose configuration has changed while the guest could not take it.
  var outdatedConfigurations: [Account] = []
  /// Selective wipes that have not come to their end.
  var wipes: [Wipe] = []

  /// The policy that protects the account in the app; nil: none does, or it is not signed in.
  func policy(of account: Account?) -> EffectivePolicy? {
    account.flatMap { account in signedIn.first { $0.account.isSame(as: account) }?.policy }
  }

  /// The account's registration with the service; nil where nobody has asked it.
  func registration(of account: Account) -> Registration? {
    registrations.first { $0.account.isSame(as: account) }
  }

  /// Whether the SDK has told the app not to act for the account.
  func isBlocked(_ identity: Identity) -> Bool {
    guard let account = identity.account else { return false }
    return blocked.contains { $0.isSame(as: account) }
  }
}

/// An account that is signed in to an app.
struct SignedInAccount {
  var account: Account
  /// nil: no policy applies to the account in this app.
  var policy: EffectivePolicy? = nil
  /// What the app has been told, or will be when it runs, that it is configured with for the account.
  var configuration = DeliveredConfiguration()
}
