internal import FileProtection
internal import Model
internal import Policy

/// The accounts in the organisations' directories; all other accounts are personal.
final class AccountDirectory {
  /// The accounts under their current names, in the initializer's order.
  private(set) var accounts: [Account]

  /// Creates the directory. Accounts that were renamed get their current names from `known`.
  ///
  /// - Parameters:
  ///   - accounts: The accounts in the device's configuration, which may have earlier names.
  ///   - known: The accounts in the device's database. Their names are current if they have an object id.
  init(_ accounts: [Account], knownAs known: [Account]) {
    self.accounts = accounts.map { account in
      guard account.objectID != nil else { return account }
      return known.first { $0.objectID != nil && $0.isSameUser(as: account) } ?? account
    }
  }

  /// Returns the account in the directory with this UPN or object id. If there is none, returns a personal account of
  /// this name.
  func account(named accountID: String) -> Account {
    accounts.first { $0.matches(identifier: accountID) } ?? Account(upn: accountID)
  }

  /// Returns the account under its current name.
  func current(_ account: Account) -> Account {
    accounts.first { $0.isSameUser(as: account) } ?? account
  }

  func contains(_ account: Account) -> Bool { accounts.contains { $0.isSameUser(as: account) } }

  func rename(_ account: Account, to new: Account) {
    accounts = accounts.map { $0.isSameUser(as: account) ? new : $0 }
  }

  /// A snapshot of the directory for use on other threads.
  var names: DirectoryNames { DirectoryNames(accounts: accounts) }
}

struct DirectoryNames: Sendable {
  let accounts: [Account]

  /// Returns whether data that names `stated` as its owner belongs to `account`. The comparison uses the current name
  /// of `stated` in the directory, because another account may now have the name in the data.
  func isOwner(_ account: Account, of stated: Account) -> Bool {
    (accounts.first { $0.isSameUser(as: stated) } ?? stated).isSameUser(as: account)
  }
}

/// The owner of data, with its current state in one app. Only ``OwnerResolver`` creates it, so code cannot use a name
/// in a header, a tag or a row as the owner's account.
struct ResolvedOwner {
  /// The account under its current name.
  let account: Account
  let signIn: SignedInAccount?
  /// Whether the account is not signed in to the app, although a policy would protect it there.
  let isMissed: Bool
  /// The reasons why the app may not act for the account now: the account is locked, blocked or being wiped. Nil if
  /// there are none.
  let refusal: Verdict?

  fileprivate init(
    _ account: Account, signIn: SignedInAccount?, isMissed: Bool, refusal: Verdict?
  ) {
    self.account = account
    self.signIn = signIn
    self.isMissed = isMissed
    self.refusal = refusal
  }

  var policy: EffectivePolicy? { signIn?.policy }
  var party: Owner { Owner(account: account, policy: policy) }
}

/// A permission to unwrap the key in a ``ProtectionHeader``. Only ``OwnerResolver`` creates it.
struct KeyPermit {
  /// The account whose key unwraps the key in the header.
  let owner: Account

  fileprivate init(_ owner: Account) { self.owner = owner }
}

/// Determines the owner of files, protected data, items and data to be wiped; no other type does.
///
/// An equal UPN does not prove ownership. The directory may have given the UPN to another account, and an app may sign
/// in an account with any unused UPN. Data with an object id belongs only to the account with that id.
final class OwnerResolver {
  private let directory: AccountDirectory
  private let policies: PolicyAssignments

  init(directory: AccountDirectory, policies: PolicyAssignments) {
    self.directory = directory
    self.policies = policies
  }

  /// Returns the account under its current name, independent of any app.
  func current(_ stated: Account) -> Account { directory.current(stated) }

  func resolve(_ stated: Account, in guest: Guest) -> ResolvedOwner {
    let account = directory.current(stated)
    let signIn = guest.accounts.signedIn.first { Self.isProven(account, by: $0.account) }
    let refusal =
      guest.acting.lock(of: .account(account))?.verdict
      ?? (guest.isBlocked(.account(account)) ? Verdict([Reason(.accountBlocked, .device)]) : nil)
    return ResolvedOwner(
      account, signIn: signIn,
      isMissed: signIn == nil && !policies.entries(for: account, in: guest.app).isEmpty,
      refusal: refusal)
  }

  /// Returns whether the signed-in account is certainly the owner. If the owner has an object id and the signed-in
  /// account has none, returns false, because the signed-in account may use the owner's former name.
  private static func isProven(_ owner: Account, by signedIn: Account) -> Bool {
    owner.isSameUser(as: signedIn) && (owner.objectID == nil || signedIn.objectID != nil)
  }

  /// Decides whether a guest gets an owner's data.
  ///
  /// - Parameters:
  ///   - owner: The owner; nil if the data has none.
  ///   - isEncrypted: Whether the data is encrypted for the owner.
  func access(
    to owner: ResolvedOwner?, isEncrypted: Bool, as identity: Identity
  ) -> Verdict {
    let verdict = evaluateFile(
      FileRequest(
        owner: owner?.party ?? Owner(), isOwnerSignedIn: owner?.signIn != nil,
        wasOwnerManaged: isEncrypted || owner?.isMissed ?? false, identity: identity, begins: false)
    )
    guard verdict.outcome != .blocked, let refusal = owner?.refusal else { return verdict }
    return refusal
  }

  /// Decides whether a guest gets the key in a header.
  ///
  /// An app without the SDK gets no key for any account (`docs/ASSUMPTIONS.md`, files). Signing in requires no
  /// credentials, and no policy prevents an app without the SDK from passing on the plain text.
  func permit(
    to header: ProtectionHeader, in guest: Guest, as identity: Identity
  ) -> (verdict: Verdict, owner: ResolvedOwner, permit: KeyPermit?) {
    let owner = resolve(header.owner, in: guest)
    let verdict = access(to: owner, isEncrypted: true, as: identity)
    guard verdict.outcome != .blocked else { return (verdict, owner, nil) }
    guard guest.app.integratesSDK else {
      return (Verdict([Reason(.appWithoutSDK, .device)]), owner, nil)
    }
    return (verdict, owner, KeyPermit(owner.account))
  }

  /// Returns a permission for the device itself. The device uses it to show files to its operator.
  func permitOfDevice(to header: ProtectionHeader) -> KeyPermit {
    KeyPermit(directory.current(header.owner))
  }
}
