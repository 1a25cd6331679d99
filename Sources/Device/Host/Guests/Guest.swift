internal import AppConfiguration
internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// An installed app, or an instance of an extension, and all that the device knows of it.
final class Guest {
  let name: String
  var app: AppDescription
  let container: String
  /// Bundle id in UTF-8, as messages contain it.
  let bundleBytes: [UInt8]
  let process = GuestProcess()
  let mailbox: Mailbox
  let acting: ActingIdentities
  let accounts = AppAccounts()
  /// Bytes that the journal, the trace and the keychain have got of the guest since the device came up.
  var recordedBytes = 0
  /// The request that an extension works on; nil for apps.
  var work: ExtensionWork?
  /// What the next run of an extension is told that a guest starts, by the guest's name.
  private var preparedRuns: [String: PreparedRun] = [:]
  /// What this run of an extension is told.
  var preparation = PreparedRun()

  init(
    name: String, app: AppDescription, container: String,
    limits: DeviceConfiguration.Limits, actingIdentity: ActingIdentity
  ) {
    self.name = name
    self.app = app
    self.container = container
    bundleBytes = Array(app.bundleID.utf8)
    mailbox = Mailbox(limits)
    acting = ActingIdentities(actingIdentity)
  }

  /// Prepares the next run of the extension that the guest `starter` starts, in place of what was prepared for it.
  func prepare(_ run: PreparedRun, startedBy starter: String) { preparedRuns[starter] = run }

  /// Takes what was prepared for the next run that the guest `starter` starts; nil where nothing was.
  func takePreparedRun(startedBy starter: String) -> PreparedRun? {
    preparedRuns.removeValue(forKey: starter)
  }
}

extension Guest {
  var state: Supervision.State? { process.supervision?.state }
  var isReady: Bool { state == .ready }

  /// Whether the guest has a process, or one whose last output has not been read.
  var isRunning: Bool { process.connection != nil }

  var connection: GuestConnection? { process.connection }

  /// The acting identity that rules, tags and the journal see unless a request states another.
  var actingIdentity: ActingIdentity { acting.actingIdentity }
  var identity: Identity { acting.actingIdentity.identity }
  var party: Party { acting.actingIdentity.party }
  var ownership: Ownership { acting.actingIdentity.ownership }
  var participant: Participant { acting.actingIdentity.participant }

  /// Whether the account that the guest acts for may not be used now.
  var isLocked: Bool { acting.lock(of: acting.actingIdentity) != nil }

  /// The policy of the app's managed account, whoever the guest acts for; nil where the app has none.
  var appPolicy: EffectivePolicy? { accounts.signedIn.lazy.compactMap(\.policy).first }
  /// The account that ``appPolicy`` is for.
  var managedAccount: Account? { accounts.signedIn.first { $0.policy != nil }?.account }

  /// Whether the SDK has told the app not to act for the account.
  func isBlocked(_ identity: Identity) -> Bool { accounts.isBlocked(identity) }

  /// Whether more waits for the guest than may.
  var isOverloaded: Bool { mailbox.isOverloaded(connection) }

  /// Whether the device leaves the guest's messages unread because other guests have more than they take, or have their
  /// turn: its confirmations may be among them. A guest that waits only for itself is not kept waiting.
  var isKeptWaiting: Bool {
    connection?.pauses.isEmpty == false && !mailbox.waiting.contains { $0 === self }
  }

  /// The cause of the guest's end in words, with those of the guest itself where it gave any.
  func text(of cause: ExitCause) -> String {
    process.failure.map { "\(cause.text): \($0)" } ?? cause.text
  }
}

// MARK: - Accounts

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

// MARK: - Runs of extensions

/// What the next run of an extension is told that a guest starts.
struct PreparedRun {
  /// How it behaves; nil: as its other runs.
  var behaviour: Behaviour?
  /// What its user does, one after the other, as it shows something.
  var acts: [UserAct] = []
  /// Called with the number of each act and its outcome.
  var acted: (Int, Performance) -> Void = { _, _ in }
  /// Called in place of that where no run begins.
  var notBegun: () -> Void = {}
}

/// The seed of a guest's random numbers: the same for the same seed of the device and the same name, and another for
/// every other guest.
///
/// FNV-1a of the name, mixed as SplitMix64 does.
func guestSeed(_ seed: UInt64, guest: String) -> UInt64 {
  var mixed = guest.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
    (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
  mixed = mixed &+ seed &* 0x9E37_79B9_7F4A_7C15
  mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
  return mixed ^ (mixed >> 31)
}
