internal import Wire

/// The reason why there is no host to talk to.
public enum ConnectionError: Error, Sendable, CustomStringConvertible {
  /// Descriptor 3 is no connection: the process was not started by a host.
  case noHost(String)
  /// The host refuses this process.
  case rejected(String)
  /// The host went away, or sent something that makes no sense.
  case lost(String)

  public var description: String {
    switch self {
    case .noHost(let why): "no host on descriptor \(ProtocolVersion.descriptor): \(why)"
    case .rejected(let why): "the host refuses this process: \(why)"
    case .lost(let why): "the host is gone: \(why)"
    }
  }
}
