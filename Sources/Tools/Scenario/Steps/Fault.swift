internal import Encodings
public import Model

extension Action {
  /// A fault that is armed, and strikes the next transfer that reaches a point.
  public struct Fault: StepDetail {
    public var effect: Effect
    /// The point at which the fault strikes; nil: the device's seed draws it.
    public var point: FaultPoint?
    /// The name of the guest whose transfers are meant; nil: the transfers of all.
    public var guest: String?

    /// The effect of a fault. Times are in seconds.
    public enum Effect: Sendable, Equatable {
      case kill
      /// Real time.
      case stop(seconds: Int)
      /// Real time.
      case slowReader(seconds: Int)
      case halfFrame
      case dropAnswer
      case fullDisk
      /// Time of the virtual clock.
      case clockJump(seconds: Int)
      case policy(Assignment)
      /// The account by its name; it is wiped from the app of the fault's guest.
      case wipe(account: String)
      case restartHost
    }

    /// Creates a fault.
    public init(_ effect: Effect, at point: FaultPoint?, guest: String? = nil) {
      self.effect = effect
      self.point = point
      self.guest = guest
    }
  }
}

extension Action.Fault {
  /// The fault with its point, in words that fit behind "a fault is armed:".
  public var words: String {
    "\(event) when \(guest.map { "a transfer of \($0)" } ?? "a transfer") is \(point?.rawValue ?? "at a drawn point")"
  }

  public var text: String { "a fault is armed: \(words)" }

  private var event: String {
    let who = guest ?? "an end of it"
    return switch effect {
    case .kill: "\(who) is killed"
    case .stop(let seconds): "\(who) does not run for \(ISODuration.text(seconds))"
    case .slowReader(let seconds): "\(who) reads slowly for \(ISODuration.text(seconds))"
    case .halfFrame: "the connection of \(who) breaks off within a frame"
    case .dropAnswer: "the answer to the sender is lost"
    case .fullDisk: "the disk is full"
    case .clockJump(let seconds): "the clock jumps by \(ISODuration.text(seconds))"
    case .policy(let assignment): assignment.text
    case .wipe(let account): "\(account) is wiped from \(who)"
    case .restartHost: "the host dies"
    }
  }
}
