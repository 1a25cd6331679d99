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
  /// The device's entry in the directory. Its values override values derived from other facts.
  package var directory = DirectoryEntry()
  /// The language of the texts that explain conditional access requirements to users.
  package var language = ComplianceText.Language.english
  package var appConfigurations: [AppConfigurationAssignment] = []
  /// Values for configuration tokens that cannot be derived from other facts.
  package var configurationTokens: [ConfigurationToken: String] = [:]
  /// The user for whom Intune manages the device; nil if the device has another MDM or none.
  package var intuneUser: Account?
  package var limits = Limits()
  /// The clock for guests' deadlines. Tests advance it manually.
  var deadlines = EventLoop.Clock.system
  package var journal = JournalMode.written
  package var trace = TraceMode.off
  /// Whether a machine without complete confinement causes an error rather than a warning.
  package var requiresConfinement = false
  /// The strictness of the system call filter for programs from outside Sluice.
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

  /// The evidence by which the journal traces items to their sources.
  package enum Lineage: String, Sendable, CaseIterable {
    /// Tags, the device's own records, and guests' declarations.
    case tags
    /// The evidence of ``tags``, and matching content that a guest passed on without its tag.
    case content
  }

  /// The answers to a policy's prompts for a PIN or for the account's password.
  package enum Prompts: String, Sendable, CaseIterable {
    /// Prompts are answered immediately and correctly.
    case answered
    /// Prompts wait for an answer.
    case asked
  }

  /// The scope of decisions and seals. Only benchmarks use a value other than `full`.
  package enum Enforcement: Sendable {
    case full
    /// Every share is allowed, without a seal. A benchmark thereby measures message routing alone.
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

    /// - Parameter server: The path of `sluice-server`; nil for the file in the folder of `launch`.
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
    /// The maximum time between a guest's acknowledgements or answers while any are outstanding.
    package var delivery: UInt64 = 10_000
    /// The timeout between an extension's handshake and its completion.
    package var extensionRequest: UInt64 = 30_000
    /// The timeout after a stop request. After three quarters of the timeout, the guest gets SIGTERM; at its end,
    /// SIGKILL.
    package var stop: UInt64 = 2_000
    /// The timeout for starting an app for a selective wipe. The same timeout then applies to the app's response.
    package var wipe: UInt64 = 10_000
    /// The maximum frame size, in bytes.
    package var frame = ProtocolVersion.defaultFrameLimit
    /// The maximum size of a frame from a guest, in bytes. The device reserves the rest for its additions to items.
    var guestFrame: Int { max(frame - 64 * 1024, frame / 2) }
    /// The maximum size of the data queued for one guest, in bytes; above it, senders to the guest are paused. Also the
    /// maximum size of one guest's queued requests, in bytes; above it, the guest is paused.
    package var backlog = 1 << 20
    /// The size of a guest's outbox in bytes, which is also the size of its inbox. Both carry large payloads and
    /// consist of whole pages. If more than half of the inbox is unacknowledged, senders to the guest are paused.
    package var sharedMemory = 32 << 20
    /// The maximum total size of all outboxes and inboxes, in bytes. Guests without an outbox or inbox send or receive
    /// payloads inline.
    package var sharedMemoryInAll = 2 << 30
    /// The number of unacknowledged deliveries to one guest; above it, senders to the guest are paused.
    package var inFlight = 65_536
    /// The number of one guest's requests that may be queued behind an earlier request; above it, the guest is paused.
    package var queued = 256
    /// The number of extension instances that may run at the same time; further instances wait. An extension and an
    /// instance that it started and waits for may count as one.
    package var extensionInstances = 64
    /// The number of extension instances that may run on behalf of one app. An eighth of ``extensionInstances`` is kept
    /// for other apps.
    var extensionInstancesOfOneSender: Int { extensionInstances - extensionInstances / 8 }
    /// The number of extension instances that may wait to start.
    package var queuedExtensions = 16_384
    /// The number of extension instances that may wait to start on behalf of one app.
    var queuedExtensionsOfOneSender: Int { max(1, queuedExtensions / 4) }
    /// The maximum length of a chain of extensions in which each extension shares with the next and waits for it.
    package var nestedExtensions = 8
    /// The maximum total size, in bytes, of the data that the device holds for running and waiting extensions.
    package var extensionBytes = 64 << 20
    /// The maximum address space of a guest's process, and the maximum resident memory of a program with its
    /// child processes, in bytes; 0 for no limit.
    package var memory: UInt64 = 1 << 30
    /// The maximum number of processes in a program; each additional thread counts as one.
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

  /// The device state if a scenario states none.
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
  /// Whether the assignment was withdrawn or replaced. It keeps its place, so other assignments keep their indices.
  var isWithdrawn = false

  /// - Parameter apps: Bundle ids of the targeted apps; nil for the apps that the document targets.
  package init(document: PolicyDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
