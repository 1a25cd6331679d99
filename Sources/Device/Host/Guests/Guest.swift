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
  var preparedRuns: [String: PreparedRun] = [:]
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
