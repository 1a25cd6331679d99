internal import AppConfiguration
internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// The accounts of an app, and what is under way with them.
final class AppAccounts {
  /// Signed-in accounts, in the order of their sign-in.
  var signedIn: [SignedInAccount] = []
  /// Registrations of the accounts that the service was asked about.
  var registrations: [Registration] = []
  /// Accounts that the SDK has told the app not to act for, until they sign in anew.
  var blocked: [Account] = []
  /// Accounts whose configuration has changed while the guest could not take it.
  var outdatedConfigurations: [Account] = []
  /// What the running program was told of its accounts last.
  var told = EnrolledAccounts()
  /// Selective wipes that have not ended.
  var wipes: [Wipe] = []

  /// The accounts that are signed in, and those that the service was asked about.
  var known: [Account] {
    let accounts = signedIn.map(\.account)
    return accounts
      + registrations.map(\.account).filter { one in !accounts.contains { $0.isSame(as: one) } }
  }

  /// The accounts that are signed in to the app, registered with the service, or about to be.
  var held: [Account] {
    let accounts = signedIn.map(\.account)
    return accounts
      + registrations.filter { one in
        (one.machine.isRegistered || one.machine.activity != .idle)
          && !accounts.contains { $0.isSame(as: one.account) }
      }.map(\.account)
  }

  /// The policy that protects the account in the app; nil where none does, or the account is not signed in.
  func policy(of account: Account?) -> EffectivePolicy? {
    account.flatMap { account in signedIn.first { $0.account.isSame(as: account) }?.policy }
  }

  /// Whether the account is signed in to the app.
  func isSignedIn(_ account: Account?) -> Bool {
    account.map { account in signedIn.contains { $0.account.isSame(as: account) } } ?? false
  }

  /// The account's registration with the service; nil where the service has not been asked about the account.
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
  /// The policy that applies to the account in this app; nil: none.
  var policy: EffectivePolicy? = nil
  /// The configuration for the account that the app has been told, or will be told when it runs.
  var configuration = DeliveredConfiguration()
}
