public import Model

/// A fault that a device is to meet, once, when a transfer reaches a point.
public struct Fault {
  /// The name of the case, or of whatever else arms faults: what is drawn differs from one to the other.
  public let series: String
  /// The number of the fault in its series, from 1, by which its random numbers differ from those of the others.
  public let number: Int
  public let effect: Effect
  /// The point at which it strikes; nil: the device's seed draws it.
  public let point: FaultPoint?
  /// The guest whose next transfer, either way, it strikes; nil: the next transfer of all. Of a fault that hits a guest,
  /// the device's seed then draws which end of the transfer that is.
  public let guest: String?

  /// Creates a fault.
  public init(
    number: Int, of series: String = "", _ effect: Effect, at point: FaultPoint?,
    guest: String? = nil
  ) {
    self.series = series
    self.number = number
    self.effect = effect
    self.point = point
    self.guest = guest
  }

  /// The effect of a fault. Times are in milliseconds of real time.
  public enum Effect {
    case kill
    case stop(milliseconds: UInt64)
    case slowReader(milliseconds: UInt64)
    case halfFrame
    case dropAnswer
    case fullDisk
    case restartHost
    /// A change of the device's clock, or of policies, as a step makes it.
    case change(FaultKind, () -> Void)
    /// A wipe, begun by the closure, which gets what it is to call at the end.
    case wipe((_ done: @escaping () -> Void) -> Void)

    /// Whether the device stops by it.
    var stopsDevice: Bool {
      switch self {
      case .fullDisk, .restartHost: true
      case .kill, .stop, .slowReader, .halfFrame, .dropAnswer, .change, .wipe: false
      }
    }

    var kind: FaultKind {
      switch self {
      case .kill: .kill
      case .stop: .stop
      case .slowReader: .slowReader
      case .halfFrame: .halfFrame
      case .dropAnswer: .dropAnswer
      case .fullDisk: .fullDisk
      case .restartHost: .restartHost
      case .change(let kind, _): kind
      case .wipe: .wipe
      }
    }
  }
}
