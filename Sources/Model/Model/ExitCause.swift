/// The reason why a guest ended.
public enum ExitCause: Sendable, Equatable {
  /// The guest was asked to stop and did.
  case stopped
  /// The guest ended by itself with this status.
  case exited(status: Int)
  /// A signal that Sluice did not send ended the guest.
  case signalled(signal: Int)
  /// A step killed the guest, as a user does who swipes an app away.
  case killed
  /// The system ended the app, which was not in use, because the device keeps no more apps in memory.
  case memoryPressure
  /// The guest did not answer in time and was killed.
  case unresponsive(doing: String)
  /// The guest broke the protocol and was killed.
  case protocolViolation(String)
  /// The guest was an extension, and took more memory than its extension point gives.
  case memoryLimit(mebibytes: Int)
  /// The guest had more processes and threads than that number, and was killed.
  case processLimit(Int)
  /// The guest took more of the disk than it may, and was killed.
  case diskQuota(String)
  /// The guest never became a process.
  case notStarted(String)

  /// Whether nobody wanted the end: the guest crashed, or was killed for what it did.
  public var isUnexpected: Bool {
    switch self {
    case .exited(let status): status != 0
    // SIGTERM is for who does not stop when asked, and kills no program that has crashed.
    case .signalled(let signal): signal != 15
    case .unresponsive, .protocolViolation, .memoryLimit, .processLimit, .diskQuota:
      true
    case .stopped, .killed, .memoryPressure, .notStarted: false
    }
  }

  /// The cause in a few words, lower case: `killed by a step`.
  public var text: String {
    switch self {
    case .stopped: "stopped when asked"
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    case .killed: "killed by a step"
    case .memoryPressure: "ended by the system, for want of memory"
    case .unresponsive(let doing): "killed: no answer in time while \(doing)"
    case .protocolViolation(let what): "killed: \(what)"
    case .memoryLimit(let mebibytes): "killed: more than \(mebibytes) MiB of memory"
    case .processLimit(let most): "killed: more than \(most) processes and threads"
    case .diskQuota(let what): "killed: \(what)"
    case .notStarted(let why): "not started: \(why)"
    }
  }

  /// The cause in one word for machines.
  public var code: String {
    switch self {
    case .stopped: "stopped"
    case .exited: "exited"
    case .signalled: "signalled"
    case .killed: "killed"
    case .memoryPressure: "memoryPressure"
    case .unresponsive: "unresponsive"
    case .protocolViolation: "protocolViolation"
    case .memoryLimit: "memoryLimit"
    case .processLimit: "processLimit"
    case .diskQuota: "diskQuota"
    case .notStarted: "notStarted"
    }
  }
}
