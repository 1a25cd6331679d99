internal import Host
internal import Model

/// A fault that strikes a share of a walk.
struct WalkFault: Equatable {
  var kind: Kind
  var point: FaultPoint
  /// The end of the share that is hit, where the fault hits a guest.
  var end: End

  enum Kind: CaseIterable {
    case kill, stop, slowReader, halfFrame, dropAnswer, fullDisk, clockJump, restartHost
  }

  enum End: CaseIterable {
    case sender, receiver
  }

  /// The app that ends by the fault; nil: none, or all of them.
  func endedApp(of share: WalkStep.Share) -> WalkApp? {
    switch kind {
    case .kill, .halfFrame: end == .sender ? share.from : share.to
    case .stop, .slowReader, .dropAnswer, .fullDisk, .clockJump, .restartHost: nil
    }
  }

  /// Whether the device stops by the fault, and all apps with it.
  var stopsDevice: Bool { kind == .fullDisk || kind == .restartHost }

  /// Whether the item has come to its receiver when the fault strikes.
  var isTooLateForItem: Bool { point == .halfAcknowledged }

  /// Whether the sender ends before it has its answer.
  func endsSender(of share: WalkStep.Share) -> Bool {
    stopsDevice || endedApp(of: share) == share.from
  }

  /// The fault on a device.
  func fault(_ number: Int, on device: Device, _ share: WalkStep.Share) -> Fault {
    let guest = end == .sender ? share.from.name : share.to.name
    return switch kind {
    case .kill: Fault(number: number, .kill, at: point, guest: guest)
    case .halfFrame: Fault(number: number, .halfFrame, at: point, guest: guest)
    case .stop:
      Fault(number: number, .stop(milliseconds: Self.moment), at: point, guest: guest)
    case .slowReader:
      Fault(number: number, .slowReader(milliseconds: Self.moment), at: point, guest: guest)
    case .dropAnswer: Fault(number: number, .dropAnswer, at: point, guest: share.from.name)
    case .fullDisk: Fault(number: number, .fullDisk, at: point)
    case .restartHost: Fault(number: number, .restartHost, at: point)
    case .clockJump:
      Fault(
        number: number,
        .change(.clockJump) { [unowned device] in device.advanceClock(by: Self.jump) }, at: point)
    }
  }

  /// The time for which a guest does not run, or reads slowly, in milliseconds.
  private static let moment: UInt64 = 20
  /// The time by which the clock jumps, in seconds.
  private static let jump = 3_600

  /// The fault in a clause.
  func text(of share: WalkStep.Share) -> String {
    let who = end == .sender ? share.from : share.to
    let event =
      switch kind {
      case .kill: "\(who) is killed"
      case .stop: "\(who) does not run for a moment"
      case .slowReader: "\(who) reads slowly for a moment"
      case .halfFrame: "the connection of \(who) breaks off within a frame"
      case .dropAnswer: "the answer to \(share.from) is lost"
      case .fullDisk: "the disk is full"
      case .clockJump: "the clock jumps"
      case .restartHost: "the host dies"
      }
    return "\(event) when it is \(point.rawValue)"
  }
}
