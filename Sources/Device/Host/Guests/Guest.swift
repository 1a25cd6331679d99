internal import Enrollment
internal import Model
internal import Policy
internal import Wire

/// An installed app or extension, or an instance of an extension, with its state.
final class Guest {
  let name: String
  var app: AppDescription
  let container: String
  /// The bundle id in UTF-8, as used in messages.
  let bundleBytes: [UInt8]
  let process = GuestProcess()
  let mailbox: Mailbox
  let acting: ActingIdentities
  let accounts = AppAccounts()
  /// The number of bytes that the device has written to the journal, the trace and the keychain because of the guest
  /// since the device started.
  var recordedBytes = 0
  /// The request that an extension instance processes; nil for apps.
  var work: ExtensionWork?
  /// The preparations for the next runs of the extension, keyed by the name of the guest that starts the run.
  private var preparedRuns: [String: PreparedRun] = [:]
  /// The preparation for the run in this extension instance; empty if there is none.
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

  /// Stores a preparation for the extension's next run that the guest `starter` starts. If `starter` has an unused
  /// earlier preparation, discards it and calls its `notBegun`.
  func prepare(_ run: PreparedRun, startedBy starter: String) {
    preparedRuns.updateValue(run, forKey: starter)?.notBegun()
  }

  func takePreparedRun(startedBy starter: String) -> PreparedRun? {
    preparedRuns.removeValue(forKey: starter)
  }

  var state: Supervision.State? { process.supervision?.state }
  var isReady: Bool { if case .ready = process.supervision?.state { true } else { false } }

  /// Whether the guest has a process, or its process has exited and the host has not read all of its data.
  var isRunning: Bool { process.connection != nil }

  var connection: GuestConnection? { process.connection }

  // The acting identity for rules and the journal, unless a request names another identity.
  var identity: Identity { acting.actingIdentity.identity }
  var party: Party { acting.actingIdentity.party }
  var participant: Participant { acting.actingIdentity.participant }

  var isLocked: Bool { acting.lock(of: acting.actingIdentity) != nil }

  /// The policy of the app's first managed account, even if the guest acts for another identity; nil if no account is
  /// managed.
  var appPolicy: EffectivePolicy? { accounts.signedIn.lazy.compactMap(\.policy).first }
  /// The account that ``appPolicy`` protects.
  var managedAccount: Account? { accounts.signedIn.first { $0.policy != nil }?.account }

  func isBlocked(_ identity: Identity) -> Bool { accounts.isBlocked(identity) }

  /// Whether the host has paused reading from this guest, for example until its next slice. If so, the guest's deadline
  /// is extended, because the unread messages may include acknowledgements. False if the pause lasts until the guest
  /// acknowledges items that it sent to itself.
  var isKeptWaiting: Bool {
    connection?.pauses.isEmpty == false && !mailbox.isAwaited(by: self)
  }

  /// Returns the text for an exit cause, including the guest's reason if it gave one.
  func text(of cause: ExitCause) -> String {
    process.failure.map { "\(cause.text): \($0)" } ?? cause.text
  }
}

// MARK: - Accounts

/// The accounts of an app, and pending operations on them.
final class AppAccounts {
  /// Signed-in accounts, in the order of their sign-in.
  var signedIn: [SignedInAccount] = []
  /// Registrations of the app's accounts with the service, including accounts that are not signed in.
  var registrations: [Registration] = []
  /// Accounts that the SDK has blocked in the app until their next sign-in.
  var blocked: [Account] = []
  /// The accounts whose configurations changed while the guest could not receive messages.
  var outdatedConfigurations: [Account] = []
  /// The list of accounts that was last sent to the guest's running program.
  var lastSent = EnrolledAccounts()
  /// Selective wipes in progress.
  var wipes: [Wipe] = []

  /// The signed-in accounts, followed by the other accounts with a registration.
  var known: [Account] {
    let accounts = signedIn.map(\.account)
    return accounts
      + registrations.map(\.account).filter { one in !accounts.contains { $0.isSameUser(as: one) } }
  }

  /// The accounts that count towards the app's maximum: signed-in accounts, accounts that are registered with the
  /// service, and accounts with an enrollment activity in progress.
  var held: [Account] {
    let accounts = signedIn.map(\.account)
    return accounts
      + registrations.filter { one in
        (one.machine.isRegistered || one.machine.activity != .idle)
          && !accounts.contains { $0.isSameUser(as: one.account) }
      }.map(\.account)
  }

  /// Returns the policy that protects the account in the app; nil if the account is unmanaged or not signed in.
  func policy(of account: Account?) -> EffectivePolicy? {
    account.flatMap { account in signedIn.first { $0.account.isSameUser(as: account) }?.policy }
  }

  func isSignedIn(_ account: Account?) -> Bool {
    account.map { account in signedIn.contains { $0.account.isSameUser(as: account) } } ?? false
  }

  func registration(of account: Account) -> Registration? {
    registrations.first { $0.account.isSameUser(as: account) }
  }

  func isBlocked(_ identity: Identity) -> Bool {
    guard let account = identity.account else { return false }
    return blocked.contains { $0.isSameUser(as: account) }
  }
}

struct SignedInAccount {
  var account: Account
  var policy: EffectivePolicy? = nil
  /// The account's current configuration in the app. If the app is not running, it gets the configuration at its next
  /// start.
  var configuration = DeliveredConfiguration()
}

// MARK: - Runs of extensions

struct PreparedRun {
  /// The extension's behaviour in this run; nil for its usual behaviour.
  var behaviour: Behaviour?
  /// The user's actions in this run. They are performed in this order once the extension shows its interface.
  var acts: [UserAct] = []
  /// Called after each action in ``acts``, with the action's number and result.
  var acted: (Int, InstructionResult) -> Void = { _, _ in }
  /// Called if the prepared run does not take place.
  var notBegun: () -> Void = {}
}
