/// The reason why a guest exited.
public enum ExitCause: Sendable, Equatable {
  /// The guest exited on request.
  case stopped
  /// The guest exited on its own with this status.
  case exited(status: Int)
  /// A signal terminated the guest: a crash, an injected fault, or SIGTERM after a request to stop.
  case signalled(signal: Int)
  /// A step killed the guest, as when a user swipes an app away.
  case killed
  /// The system terminated a background app, because the maximum number of apps in memory was reached.
  case memoryPressure
  /// The guest exceeded a timeout and was killed. `doing` is its activity at that time, such as `stopping`.
  case unresponsive(doing: String)
  /// The guest violated the protocol and was killed.
  case protocolViolation(String)
  /// The guest exceeded a memory limit: the limit of its extension point, or the device's limit for apps.
  case memoryLimit(mebibytes: Int)
  /// The guest exceeded this number of processes and threads and was killed.
  case processLimit(Int)
  /// The guest exceeded its disk quota and was killed.
  case diskQuota(String)
  case notStarted(String)

  /// Whether the guest exited with a status other than 0, was terminated by a signal other than SIGTERM, exceeded a
  /// limit, or violated the protocol.
  public var isUnexpected: Bool {
    switch self {
    case .exited(let status): status != 0
    // Sluice sends SIGTERM to guests that ignore a request to stop, and no crash raises it.
    case .signalled(let signal): signal != 15
    case .unresponsive, .protocolViolation, .memoryLimit, .processLimit, .diskQuota:
      true
    case .stopped, .killed, .memoryPressure, .notStarted: false
    }
  }

  /// The cause in a few words, lower case: `killed by a step`.
  public var text: String {
    switch self {
    case .stopped: "stopped on request"
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "terminated by signal \(signal)"
    case .killed: "killed by a step"
    case .memoryPressure: "terminated by the system because memory was low"
    case .unresponsive(let doing): "killed: no answer in time while \(doing)"
    case .protocolViolation(let what): "killed: \(what)"
    case .memoryLimit(let mebibytes): "killed: used more than \(mebibytes) MiB of memory"
    case .processLimit(let most): "killed: used more than \(most) processes and threads"
    case .diskQuota(let what): "killed: \(what)"
    case .notStarted(let why): "not started: \(why)"
    }
  }

  /// The cause's identifier in journals and reports.
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
