package import AppConfiguration
package import Enrollment
internal import EventLoop
package import Model
package import Policy
internal import Wire

package struct DeviceConfiguration: Sendable {
  /// The device's identifier in tags and in the journal.
  package var name: String
  /// The path of the folder that contains the containers, the database and the journal. It is
  /// created if it does not exist.
  package var folder: String
  package var programs: Programs
  package var seed: UInt64 = 1
  /// The initial time of the virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var startTime = 1_767_225_600
  package var state = DeviceRestrictions()
  /// The initial device state that conditional launch checks.
  package var conditions = usualConditions
  package var prompts = Prompts.answered
  package var appleAccount: String?
  package var isHandoffOn = true
  /// Whether the journal records the telemetry that the SDK would report to Microsoft.
  package var recordsTelemetry = false
  /// The accounts in the organisations' directories; all other accounts are personal.
  package var accounts: [Account] = []
  package var policies: [PolicyAssignment] = []
  package var service = EnrollmentService()
  package var conditionalAccess = ConditionalAccess()
  /// The device's entry in Microsoft Entra's directory. Values given here replace the values that Sluice derives from
  /// other parts of the configuration.
  package var directory = DirectoryEntry()
  /// The language of the texts that explain conditional access requirements to users.
  package var language = ComplianceText.Language.english
  package var appConfigurations: [AppConfigurationAssignment] = []
  /// Values for tokens in app configurations that Sluice cannot derive from other parts of this configuration.
  package var configurationTokens: [ConfigurationToken: String] = [:]
  /// The user for whom Intune manages the device; nil if the device has another MDM or none.
  package var intuneUser: Account?
  package var limits = Limits()
  /// The clock that measures guests' deadlines: the system's, or a clock that a test advances.
  var deadlines = EventLoop.Clock.system
  package var journal = JournalMode.written
  package var trace = TraceMode.off
  /// Whether the device refuses to start on a machine that cannot confine guests completely. If false, it only warns.
  package var requiresConfinement = false
  /// The strictness of the system call filter for guests' own programs, which are not part of Sluice.
  package var systemCalls = SystemCallProfile.Strictness.strict
  package var enforcement = Enforcement.full
  package var lineage = Lineage.tags
  package var realTime = RealTime.omitted

  /// Whether the journal records the machine's time in addition to the virtual time.
  package enum RealTime: Sendable {
    /// The journal does not record the time, so every run writes the same journal.
    case omitted
    /// The journal records the time before the events of each transaction.
    case recorded
  }

  /// The evidence from which the device determines an item's source items for the journal.
  package enum Lineage: String, Sendable, CaseIterable {
    /// Tags, the device's own records, and guests' declarations.
    case tags
    /// The evidence of ``tags``, and a comparison of contents. If a guest passes on all or part of a received item
    /// without its tag, the received item counts as a source.
    case content
  }

  /// The answers to a policy's prompts for a PIN or for the account's password.
  package enum Prompts: String, Sendable, CaseIterable {
    /// Prompts are answered immediately and correctly.
    case answered
    /// Prompts wait for an answer.
    case asked
  }

  /// The amount of checking on shares. Only benchmarks use a value other than `full`.
  package enum Enforcement: Sendable {
    case full
    /// The device allows every share and does not seal tags, so a benchmark measures only the routing of messages.
    case none
  }

  package enum JournalMode: Sendable {
    case off
    /// Written to the kernel before any guest is notified. The journal survives the host's death.
    case written
    /// Synchronised to disk before any guest is notified. The journal survives a power loss.
    case synchronized
  }

  package enum TraceMode: Sendable {
    case off
    case file(String)
    case standardError
  }

  /// The paths of the executables that a device runs.
  package struct Programs: Sendable {
    package var guest: String
    package var launch: String
    /// The path of `sluice-server`. The file may be missing if no server is started.
    package var server: String

    /// Creates the paths of the executables.
    ///
    /// - Parameter server: The path of `sluice-server`; nil for the file of this name in the folder of `launch`.
    package init(guest: String, launch: String, server: String? = nil) {
      self.guest = guest
      self.launch = launch
      let folder = launch.lastIndex(of: "/").map { launch[...$0] } ?? ""
      self.server = server ?? "\(folder)sluice-server"
    }
  }

  /// Limits on guests. Times are in milliseconds of real time.
  package struct Limits: Sendable {
    /// The timeout from a guest's start to its handshake.
    package var handshake: UInt64 = 10_000
    /// The maximum number of guests from one launch that start at the same time; further guests are queued.
    package var starting = 64
    /// The timeout for a guest that owes acknowledgements or answers. Each acknowledgement or answer restarts the
    /// timeout.
    package var delivery: UInt64 = 10_000
    /// The timeout between an extension's handshake and its completion.
    package var extensionRequest: UInt64 = 30_000
    /// The timeout after a stop request. After three quarters of the timeout, the guest gets SIGTERM; at its end,
    /// SIGKILL.
    package var stop: UInt64 = 2_000
    /// The timeout for an app to start for a selective wipe. After the start, a second timeout of this length applies
    /// to the app's response.
    package var wipe: UInt64 = 10_000
    /// The maximum frame size, in bytes.
    package var frame = ProtocolVersion.defaultFrameLimit
    /// The maximum size of a frame from a guest, in bytes. It is lower than ``frame``, because the device adds data to
    /// an item before it forwards the item.
    var guestFrame: Int { max(frame - 64 * 1024, frame / 2) }
    /// A limit in bytes with two uses. If the data queued for a guest exceeds it, senders to the guest are paused. If a
    /// guest's own queued requests exceed it, the guest is paused.
    package var backlog = 1 << 20
    /// The size of a guest's inbox and of its outbox, in bytes each. Both are shared memory for large payloads, in
    /// whole pages. If unacknowledged deliveries occupy more than half of the inbox, senders to the guest are paused.
    package var sharedMemory = 32 << 20
    /// The maximum total size of the outboxes and inboxes of all guests, in bytes. If this limit leaves a guest without
    /// an outbox or inbox, its messages contain the payloads themselves.
    package var sharedMemoryInAll = 2 << 30
    /// The maximum number of unacknowledged deliveries to one guest; above it, senders to the guest are paused.
    package var inFlight = 65_536
    /// The maximum number of a guest's requests that wait until its earlier requests have ended; above it, the guest is
    /// paused.
    package var queued = 256
    /// The maximum number of extension instances that run at the same time; further instances wait. If an extension
    /// waits for an extension that it started, the two may count as one instance.
    package var extensionInstances = 64
    /// The maximum number of extension instances that run on behalf of one app. An eighth of ``extensionInstances``
    /// remains available to other apps.
    var extensionInstancesOfOneSender: Int { extensionInstances - extensionInstances / 8 }
    /// The maximum number of extension instances that wait to start.
    package var queuedExtensions = 16_384
    /// The maximum number of extension instances that wait to start on behalf of one app.
    var queuedExtensionsOfOneSender: Int { max(1, queuedExtensions / 4) }
    /// The maximum length of a chain of extensions in which each extension shares with the next and waits for it.
    package var nestedExtensions = 8
    /// The maximum total size of the item data that the device keeps in memory for all running and waiting extensions,
    /// in bytes.
    package var extensionBytes = 64 << 20
    /// The limit on the address space of a guest's process, in bytes. It is also the limit on the resident memory of a
    /// program together with its child processes. 0 for no limit.
    package var memory: UInt64 = 1 << 30
    /// The maximum total number of threads in a program's processes. Each process has at least one thread.
    package var processes = 1_024
    /// The maximum size of a file that a guest writes, in bytes.
    package var fileSize: UInt64 = 1 << 30
    /// The keychain quota per app.
    package var keychain = KeychainQuota()
    /// The maximum number of accounts per app that are signed in or registered with the service.
    package var accounts = 64
    package var disk = DiskQuota()
    /// The maximum number of file descriptors per guest.
    package var descriptors: UInt32 = 64

    package init() {}
  }

  /// The state that conditional launch checks on a device, if the scenario does not specify it.
  package static let usualConditions = DevicePosture(
    osVersion: Version(26, 0), model: "iPhone17,1", hasPIN: true)

  package init(name: String = "iPhone", folder: String, programs: Programs) {
    self.name = name
    self.folder = folder
    self.programs = programs
  }
}

package struct PolicyAssignment: Sendable {
  package var document: PolicyDocument
  package var account: Account
  /// Bundle ids of the apps that the policy targets; nil for the apps that its document targets.
  package var apps: [String]?
  /// Whether the assignment no longer applies, because it was withdrawn or replaced. A withdrawn assignment stays in
  /// the list, so the indices of other assignments remain valid.
  var isWithdrawn = false

  /// Creates the assignment of a policy to an account.
  ///
  /// - Parameter apps: Bundle ids of the targeted apps; nil for the apps that the document targets.
  package init(document: PolicyDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
