/// Why a guest is no more.
public enum ExitCause: Sendable, Equatable {
  /// It was asked to stop and did.
  case stopped
  /// It ended by itself with this status.
  case exited(status: Int)
  /// A signal that nobody here sent ended it.
  case signalled(signal: Int)
  /// A step killed it, as a user does who swipes an app away.
  case killed
  /// It did not answer in time and was killed.
  case unresponsive(doing: String)
  /// It broke the protocol and was killed.
  case protocolViolation(String)
  /// It was an extension, and took more memory than its extension point gives.
  case memoryLimit(mebibytes: Int)
  /// It never became a process.
  case notStarted(String)

  /// A few words, lower case: `killed by a step`.
  public var text: String {
    switch self {
    case .stopped: "stopped when asked"
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    case .killed: "killed by a step"
    case .unresponsive(let doing): "killed: no answer in time while \(doing)"
    case .protocolViolation(let what): "killed: \(what)"
    case .memoryLimit(let mebibytes): "killed: more than \(mebibytes) MiB of memory"
    case .notStarted(let why): "not started: \(why)"
    }
  }

  /// One word for machines.
  public var code: String {
    switch self {
    case .stopped: "stopped"
    case .exited: "exited"
    case .signalled: "signalled"
    case .killed: "killed"
    case .unresponsive: "unresponsive"
    case .protocolViolation: "protocolViolation"
    case .memoryLimit: "memoryLimit"
    case .notStarted: "notStarted"
    }
  }
}
