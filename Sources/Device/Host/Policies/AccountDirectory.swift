internal import FileProtection
internal import Model
internal import Policy

/// The organisations' accounts; all others are personal.
final class AccountDirectory {
  private(set) var accounts: [Account]

  /// - Parameters:
  ///   - accounts: the accounts with which the directory was made.
  ///   - known: the accounts that the device knows: the directory has renamed some of them while the device ran.
  init(_ accounts: [Account], knownAs known: [Account]) {
    self.accounts = accounts.map { account in
      guard account.objectID != nil else { return account }
      return known.first { $0.objectID != nil && $0.isSame(as: account) } ?? account
    }
  }

  /// The organisations' account of that name or object id, or a personal one.
  func account(named accountID: String) -> Account {
    accounts.first { $0.isNamed(accountID) } ?? Account(upn: accountID)
  }

  /// The account under its present name.
  func current(_ account: Account) -> Account {
    accounts.first { $0.isSame(as: account) } ?? account
  }

  func contains(_ account: Account) -> Bool { accounts.contains { $0.isSame(as: account) } }

  func rename(_ account: Account, to new: Account) {
    accounts = accounts.map { $0.isSame(as: account) ? new : $0 }
  }

  /// The directory as it is now, for other threads.
  var names: DirectoryNames { DirectoryNames(accounts: accounts) }
}

/// The present names of the organisations' accounts.
struct DirectoryNames: Sendable {
  let accounts: [Account]

  /// Whether data with the owner `stated` belong to `account`. The directory may have moved the stated name to another
  /// account.
  func isOwner(_ account: Account, of stated: Account) -> Bool {
    (accounts.first { $0.isSame(as: stated) } ?? stated).isSame(as: account)
  }
}

/// The owner of data, with its present state in one app. Only an ``OwnerResolver`` makes one, so the name in a header,
/// a tag or a row is never taken for the account.
struct ResolvedOwner {
  /// The account under its present name.
  let account: Account
  /// The account's sign-in; nil where it is not signed in to the app.
  let signIn: SignedInAccount?
  /// Whether a policy would protect the account in the app, where it is not signed in.
  let isMissed: Bool
  /// The reasons why the app may not act for the account now: it is locked, being wiped, or blocked; nil: it may.
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
  /// The owner as rules see it.
  var party: Owner { Owner(account: account, policy: policy) }
}

/// The permission to unwrap the key in a header. Only an ``OwnerResolver`` issues one.
struct KeyPermit {
  /// The account whose key opens the header.
  let owner: Account

  fileprivate init(_ owner: Account) { self.owner = owner }
}

/// The only place that determines the owner of data: of files, protected data, items and data to be wiped.
///
/// A name proves nothing: the directory may have moved it to another account, and an app may sign in any unused name.
/// Data with an object id belong only to the account with that id.
final class OwnerResolver {
  private let directory: AccountDirectory
  private let policies: PolicyAssignments

  init(directory: AccountDirectory, policies: PolicyAssignments) {
    self.directory = directory
    self.policies = policies
  }

  /// The account under its present name, whatever app asks.
  func current(_ stated: Account) -> Account { directory.current(stated) }

  /// The account that `stated` names, as it stands in the guest's app now.
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

  /// Whether a signed-in account is the owner. An account without an object id may have a former name of the owner.
  private static func isProven(_ owner: Account, by signedIn: Account) -> Bool {
    owner.isSame(as: signedIn) && (owner.objectID == nil || signedIn.objectID != nil)
  }

  /// Decides whether a guest gets what an account owns.
  ///
  /// - Parameter isEncrypted: whether the data is encrypted for the owner.
  func access(
    to owner: ResolvedOwner?, isEncrypted: Bool, as identity: Identity
  ) -> Verdict {
    let verdict = evaluateFile(
      FileAccess(
        owner: owner?.party ?? Owner(), isOwnerSignedIn: owner?.signIn != nil,
        wasOwnerManaged: isEncrypted || owner?.isMissed ?? false, identity: identity, begins: false)
    )
    guard verdict.outcome != .blocked, let refusal = owner?.refusal else { return verdict }
    return refusal
  }

  /// Decides whether a guest gets the key in a header.
  ///
  /// Signing in requires no credentials, and no policy keeps an app without the SDK from passing on the plain text.
  /// Such an app gets no key, whatever account it signs in (`docs/ASSUMPTIONS.md`, files).
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

  /// The permission of the device itself, which shows files to its operator.
  func permitOfDevice(to header: ProtectionHeader) -> KeyPermit {
    KeyPermit(directory.current(header.owner))
  }
}
