public import AppConfiguration
package import Enrollment
internal import EventLoop
public import Policy
public import Model
internal import Wire

/// What a device is made of, and how it treats its guests.
public struct DeviceConfiguration: Sendable {
  /// The device's identifier, in tags and in the journal.
  public var name: String
  /// Folder of the device: containers, database, journal. It is created where it is missing.
  public var folder: String
  /// Executables that guests run.
  public var programs: Programs
  public var seed: UInt64 = 1
  /// What the virtual clock shows at first, in seconds since 1970-01-01T00:00:00Z.
  public var startTime = 1_767_225_600
  public var state = DeviceRestrictions()
  /// What conditional launch sees of the device at first.
  public var conditions = DevicePosture(
    osVersion: Version(26, 0), model: "iPhone17,1", hasPIN: true)
  public var prompts = Prompts.answered
  /// Whether the journal has what the SDK would tell Microsoft.
  public var recordsTelemetry = false
  /// Accounts that the organisations know; all others are personal.
  public var accounts: [Account] = []
  public var policies: [PolicyAssignment] = []
  /// What enrolls accounts.
  package var service = EnrollmentService()
  package var conditionalAccess = ConditionalAccess()
  /// What is told of the device's entry in the directory, over what follows from all else.
  public var directory = DirectoryEntry()
  /// In which users are told of what conditional access asks for.
  package var language = ComplianceText.Language.english
  public var appConfigurations: [AppConfigurationAssignment] = []
  /// What tokens of app configurations stand for that nothing else tells.
  public var configurationTokens: [ConfigurationToken: String] = [:]
  public var limits = Limits()
  /// What deadlines of guests go by; tests let them pass by hand.
  var deadlines = EventLoop.Clock.system
  public var journal = JournalMode.written
  public var trace = TraceMode.off
  /// Whether a kernel without Landlock is an error rather than a warning.
  public var requiresConfinement = false
  public var enforcement = Enforcement.full

  /// What becomes of the questions that policies have for the user: a PIN, the account's password.
  public enum Prompts: String, Sendable, CaseIterable {
    /// The user answers at once, and rightly.
    case answered
    /// They wait until somebody answers.
    case asked
  }

  /// What is decided and sealed. Only benchmarks ask for less than everything.
  public enum Enforcement: Sendable {
    case full
    /// Every transfer is let through, unsealed: the bare routing of messages.
    case none

    func verdict(on request: TransferRequest) -> Verdict {
      self == .full ? evaluate(request) : .unchecked
    }
  }

  public enum JournalMode: Sendable {
    case off
    /// Each event is with the kernel before anybody hears of it: it outlives the host's death.
    case written
    /// Each event is on the disk before anybody hears of it: it outlives the machine's.
    case synchronized
  }

  public enum TraceMode: Sendable {
    case off
    case file(String)
    case standardError
  }

  /// Paths of the executables.
  public struct Programs: Sendable {
    /// `sluice-guest`.
    public var guest: String
    /// `sluice-launch`.
    public var launch: String
    /// `sluice-server`, which need not be there where no server is started.
    public var server: String

    /// - Parameter server: nil: beside `launch`.
    public init(guest: String, launch: String, server: String? = nil) {
      self.guest = guest
      self.launch = launch
      let folder = launch.lastIndex(of: "/").map { launch[...$0] } ?? ""
      self.server = server ?? "\(folder)sluice-server"
    }
  }

  /// Bounds on what a guest may take. Times in milliseconds of real time.
  public struct Limits: Sendable {
    /// From a guest's start to its handshake.
    public var handshake: UInt64 = 10_000
    /// Guests of one launch that may be between their start and their handshake; the others wait for their turn.
    public var starting = 64
    /// Without any progress on deliveries, or on an answer that the guest owes.
    public var delivery: UInt64 = 10_000
    /// From an extension's item to its completion.
    public var extensionRequest: UInt64 = 30_000
    /// From asking a guest to stop to killing it.
    public var stop: UInt64 = 2_000
    /// For an app to come up for a selective wipe, and again to answer.
    public var wipe: UInt64 = 10_000
    /// Largest frame, in bytes.
    public var frame = ProtocolVersion.defaultFrameLimit
    /// Largest frame from a guest: what the device adds to an item before it hands it on must fit too.
    var guestFrame: Int { frame - 64 * 1024 }
    /// Bytes that may wait for one guest before those who write to it have to wait.
    public var backlog = 1 << 20
    /// Deliveries that one guest may owe acknowledgements for, before the same happens.
    public var inFlight = 65_536
    /// Requests of one guest that may wait until an earlier one of it is settled.
    public var queued = 256
    /// Runs of extensions that there may be at one time.
    public var extensionRuns = 64
    /// Bytes that the device holds for extensions to load, of all that run.
    public var extensionBytes = 64 << 20
    /// Address space of a guest in bytes.
    public var memory: UInt64 = 1 << 30
    /// Largest file that a guest may write, in bytes.
    public var fileSize: UInt64 = 1 << 30
    /// Descriptors that a guest may have.
    public var descriptors: UInt32 = 64

    public init() {}
  }

  public init(name: String = "iPhone", folder: String, programs: Programs) {
    self.name = name
    self.folder = folder
    self.programs = programs
  }
}

/// A policy, and whom an administrator assigned it to.
public struct PolicyAssignment: Sendable {
  public var document: PolicyDocument
  public var account: Account
  /// Bundle ids; nil: those that the document itself targets.
  public var apps: [String]?
  /// Whether the administrator has taken it back.
  var isWithdrawn = false

  public init(document: PolicyDocument, account: Account, apps: [String]? = nil) {
    self.document = document
    self.account = account
    self.apps = apps
  }
}
