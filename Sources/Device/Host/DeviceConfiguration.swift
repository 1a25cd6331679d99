package import AppConfiguration
package import Enrollment
internal import EventLoop
package import Model
package import Policy
package import SystemCalls
internal import Wire

/// The configuration of a device: its parts, and its treatment of guests.
package struct DeviceConfiguration: Sendable {
  /// The device's identifier, in tags and in the journal.
  package var name: String
  /// Folder of the device: containers, database, journal. It is created where it is missing.
  package var folder: String
  /// Executables that guests run.
  package var programs: Programs
  package var seed: UInt64 = 1
  /// Initial time of the virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var startTime = 1_767_225_600
  package var state = DeviceRestrictions()
  /// Initial state of the device that conditional launch checks.
  package var conditions = DevicePosture(
    osVersion: Version(26, 0), model: "iPhone17,1", hasPIN: true)
  package var prompts = Prompts.answered
  /// The Apple Account of the device's user; nil: none is signed in.
  package var appleAccount: String?
  /// Whether the user has Handoff on.
  package var isHandoffOn = true
  /// Whether the journal records what the SDK would report to Microsoft.
  package var recordsTelemetry = false
  /// Accounts that the organisations know; all others are personal.
  package var accounts: [Account] = []
  package var policies: [PolicyAssignment] = []
  /// The service that enrolls accounts.
  package var service = EnrollmentService()
  package var conditionalAccess = ConditionalAccess()
  /// The device's entry in the directory, which overrides what follows from everything else.
  package var directory = DirectoryEntry()
  /// Language of the texts that tell users what conditional access requires.
  package var language = ComplianceText.Language.english
  package var appConfigurations: [AppConfigurationAssignment] = []
  /// Values of tokens in app configurations that nothing else determines.
  package var configurationTokens: [ConfigurationToken: String] = [:]
  package var limits = Limits()
  /// The clock for the deadlines of guests; tests advance it by hand.
  var deadlines = EventLoop.Clock.system
  package var journal = JournalMode.written
  package var trace = TraceMode.off
  /// Whether confinement that the machine does not give in full is an error rather than a warning.
  package var requiresConfinement = false
  /// The strictness of the filter of system calls for programs that are not Sluice's own.
  package var systemCalls = SystemCallProfile.Strictness.strict
  package var enforcement = Enforcement.full
  package var lineage = Lineage.tags
  package var realTime = RealTime.untold

  /// The machine's time in the journal, beside the virtual one.
  package enum RealTime: Sendable {
    /// The journal is the same in every run.
    case untold
    /// The events of each turn begin with it.
    case told
  }

  /// The facts by which the journal tells what items came from.
  package enum Lineage: String, Sendable, CaseIterable {
    /// Tags, the device's own records, and what guests say.
    case tags
    /// Also content that is handed on without its tag.
    case content
  }

  /// The answers to the questions that policies have for the user: for a PIN, for the account's password.
  package enum Prompts: String, Sendable, CaseIterable {
    /// The user answers at once, and correctly.
    case answered
    /// The questions wait until somebody answers.
    case asked
  }

  /// The extent of decisions and seals. Only benchmarks ask for less than everything.
  package enum Enforcement: Sendable {
    case full
    /// Every share is let through, unsealed: the bare routing of messages.
    case none

    func verdict(on request: TransferRequest) -> Verdict {
      self == .full ? evaluate(request) : .unchecked
    }
  }

  /// The durability of the journal.
  package enum JournalMode: Sendable {
    case off
    /// Each event is with the kernel before any guest is told of it: it outlives the host's death.
    case written
    /// Each event is on the disk before any guest is told of it: it outlives the machine's death.
    case synchronized
  }

  /// The destination of the trace.
  package enum TraceMode: Sendable {
    case off
    case file(String)
    case standardError
  }

  /// Paths of the executables that a device runs.
  package struct Programs: Sendable {
    /// Path of `sluice-guest`.
    package var guest: String
    /// Path of `sluice-launch`.
    package var launch: String
    /// Path of `sluice-server`, which need not be there where no server is started.
    package var server: String

    /// Creates the paths of the executables.
    ///
    /// - Parameter server: path of `sluice-server`; nil: beside `launch`.
    package init(guest: String, launch: String, server: String? = nil) {
      self.guest = guest
      self.launch = launch
      let folder = launch.lastIndex(of: "/").map { launch[...$0] } ?? ""
      self.server = server ?? "\(folder)sluice-server"
    }
  }

  /// Limits on guests. Times are in milliseconds of real time.
  package struct Limits: Sendable {
    /// Time from a guest's start to its handshake.
    package var handshake: UInt64 = 10_000
    /// Number of guests of one launch that may be between their start and their handshake; the others wait for their
    /// turn.
    package var starting = 64
    /// Time without any progress on deliveries, or on an answer that the guest owes.
    package var delivery: UInt64 = 10_000
    /// Time from an extension's item to its completion.
    package var extensionRequest: UInt64 = 30_000
    /// Time from asking a guest to stop to killing it.
    package var stop: UInt64 = 2_000
    /// Time for an app to come up for a selective wipe, and again to answer.
    package var wipe: UInt64 = 10_000
    /// Largest frame, in bytes.
    package var frame = ProtocolVersion.defaultFrameLimit
    /// Largest frame from a guest, in bytes: what the device adds to an item before it hands the item on must fit too.
    var guestFrame: Int { max(frame - 64 * 1024, frame / 2) }
    /// Bytes that may wait for one guest before the guests that write to it have to wait.
    package var backlog = 1 << 20
    /// Bytes of a guest's outbox and of its inbox, in which large payloads travel; whole pages. Half of the inbox may be
    /// unconfirmed before the guests that write to it have to wait.
    package var sharedMemory = 32 << 20
    /// Bytes that all outboxes and inboxes together may have; guests that get none send and receive inline.
    package var sharedMemoryInAll = 2 << 30
    /// Deliveries that one guest may owe acknowledgements for before the guests that write to it have to wait.
    package var inFlight = 65_536
    /// Requests of one guest that may wait until an earlier request of that guest is settled.
    package var queued = 256
    /// Instances of extensions that may run at one time.
    package var extensionInstances = 64
    /// Bytes that the device holds for all running extensions to load.
    package var extensionBytes = 64 << 20
    /// Address space of a guest's process in bytes, and resident memory of a program with all that it starts.
    package var memory: UInt64 = 1 << 30
    /// Number of processes and of their further threads that a program may have.
    package var processes = 1_024
    /// Largest file that a guest may write, in bytes.
    package var fileSize: UInt64 = 1 << 30
    /// Room that an app has in the keychain.
    package var keychain = KeychainQuota()
    /// Accounts that may be signed in to one app, or registered with the service from there.
    package var accounts = 64
    /// Room that containers may take on the disk.
    package var disk = DiskQuota()
    /// Descriptors that a guest may have.
    package var descriptors: UInt32 = 64

    /// Creates the default limits.
    package init() {}
  }

  /// Creates a configuration with the defaults for everything else.
  package init(name: String = "iPhone", folder: String, programs: Programs) {
    self.name = name
    self.folder = folder
    self.programs = programs
  }
}

/// A policy, and the account that an administrator assigned it to.
package struct PolicyAssignment: Sendable {
  package var document: PolicyDocument
  package var account: Account
  /// Bundle ids of the apps that the policy is for; nil: those that the document itself targets.
  package var apps: [String]?
  /// Whether the administrator has withdrawn the assignment.
  var isWithdrawn = false

  /// Creates an assignment; `apps` nil: the document itself targets apps.
  package init(document: PolicyDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
