internal import DequeModule
internal import EventLoop
internal import Glibc
package import Model
internal import Wire

/// The faults that a device is to meet, for scenarios and walks: what goes wrong, on which transfer, and how far that has
/// come by then.
///
/// A fault is carried out at the end of the turn in which its point is reached, between the journal and the pipes, or
/// behind the pipes. While none is armed, a transfer costs one look at whether there is an injector.
package final class FaultInjector {
  private let streams: RandomStreams
  private let supervisor: GuestSupervisor
  private unowned let deliveries: Deliveries
  private unowned let replies: Replies
  private let audit: AuditLog
  private let durability: Durability
  private let database: DeviceDatabase
  private let clock: VirtualClock
  private var waiting: [WaitingFault] = []
  private var due: [Strike] = []
  /// Receivers that are to have an item, and to have read nothing of it.
  private var frozen: [GuestSupervisor.Freeze] = []
  /// The number of strikes on each guest, by name.
  private var hits: [String: Int] = [:]
  /// The requests whose senders never hear of the end.
  private var lostAnswers: Set<Int> = []
  /// Guests that do not run, or run slowly, until a time has passed or another guest has ended.
  private let hindrances: Hindrances
  /// Wipes that have struck and not ended, the first of which is under way.
  private var wipes: [(strike: Strike, begin: (@escaping () -> Void) -> Void)] = []
  /// Whether a fault has stopped the device, which is to come up again.
  package private(set) var hasStoppedDevice = false

  init(
    seed: UInt64, supervisor: GuestSupervisor, deliveries: Deliveries, replies: Replies,
    audit: AuditLog, durability: Durability, database: DeviceDatabase, clock: VirtualClock
  ) {
    streams = RandomStreams(seed: seed)
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.replies = replies
    self.audit = audit
    self.durability = durability
    self.database = database
    self.clock = clock
    hindrances = Hindrances(supervisor: supervisor)
  }

  // MARK: arming

  /// Arms a fault, which strikes the next transfer that it fits, and only that.
  package func arm(_ fault: Fault) {
    waiting.append(WaitingFault(fault, streams))
    watch()
  }

  /// Withdraws the faults that have not struck.
  package func disarm() {
    waiting = []
    watch()
  }

  /// The numbers of the faults that have not struck.
  package var armed: [Int] { waiting.map(\.fault.number) }

  private func watch() { deliveries.faults = waiting.isEmpty ? nil : self }

  // MARK: what has come of them

  /// The number of strikes on a guest since the device came up.
  package func hits(on guest: String) -> Int { hits[guest] ?? 0 }

  /// Whether the sender of the request never hears of the request's end.
  package func hasLostAnswer(to request: Int) -> Bool { lostAnswers.contains(request) }

  /// Whether a fault is not over: a guest has not ended by it, or does not run, or runs slowly.
  var isBusy: Bool { !due.isEmpty || !wipes.isEmpty || !hindrances.isEmpty }

  /// Ends all that hinders guests: the device goes down.
  package func subside() {
    wipes = []
    hindrances.end()
  }

  // MARK: points

  /// Notes that the item of a decided request is on its way to `receiver`.
  func handedOver(_ pending: PendingRequest, to receiver: Guest) {
    reached(.decided, pending, receiver)
    if receiver.isReady { reached(.delivered, pending, receiver) }
  }

  /// Notes that what waited for a guest is on its way to it.
  func sentOutbox(of receiver: Guest) {
    for delivery in receiver.mailbox.inFlight { reached(.delivered, delivery.pending, receiver) }
  }

  func reached(_ point: FaultPoint, _ pending: PendingRequest, _ receiver: Guest) {
    let sender = pending.guest
    let striking = waiting.filter { $0.point == point && $0.fits(from: sender, to: receiver) }
    for armed in striking where !isForestalled(point) {
      waiting.removeAll { $0 === armed }
      strike(armed, pending, receiver)
    }
    if !striking.isEmpty { watch() }
  }

  /// Whether the device has stopped by the time that faults at the point are carried out.
  private func isForestalled(_ point: FaultPoint) -> Bool {
    hasStoppedDevice
      || due.contains {
        $0.effect.stopsDevice && ($0.point != .delivered || point == .delivered)
      }
  }

  private func strike(_ armed: WaitingFault, _ pending: PendingRequest, _ receiver: Guest) {
    let target = armed.target(from: pending.guest, to: receiver)
    audit.record(
      .faultInjected(kind: armed.fault.effect.kind, point: armed.point, guest: target?.name))
    if let target { hits[target.name, default: 0] += 1 }
    if case .dropAnswer = armed.fault.effect { return lose(pending) }
    due.append(
      Strike(
        effect: armed.fault.effect, point: armed.point, sender: pending.guest, receiver: receiver,
        target: target))
    supervisor.turn.faults = self
  }

  private func lose(_ pending: PendingRequest) {
    lostAnswers.insert(pending.number)
    replies.isLost = { [unowned self] in lostAnswers.contains($0.number) }
  }

  // MARK: wipes

  /// Begins a wipe once those that have struck before have ended. The other end of the transfer waits meanwhile, so that
  /// the journal is the same each time; the next wipe may be of that other end.
  private func wipe(_ strike: Strike, _ begin: @escaping (@escaping () -> Void) -> Void) {
    wipes.append((strike, begin))
    if wipes.count == 1 { beginWipe() }
  }

  private func beginWipe() {
    guard let (strike, begin) = wipes.first else { return }
    hindrances.hold(strike.witness) { over in
      begin { [weak self] in
        over()
        self?.didWipe()
      }
    }
  }

  private func didWipe() {
    guard !wipes.isEmpty else { return }
    wipes.removeFirst()
    beginWipe()
  }
}

// MARK: - The end of the turn

extension FaultInjector: TurnFaults {
  func beforeSending() {
    frozen += due.filter { $0.point == .delivered }.map { supervisor.freeze($0.receiver) }
    let strikes = due.filter { $0.point != .delivered }
    due.removeAll { $0.point != .delivered }
    for strike in strikes { carryOut(strike) }
  }

  func afterSending() {
    let strikes = due
    due = []
    supervisor.turn.faults = nil
    for strike in strikes { carryOut(strike) }
    // What comes of the fault is there with the item, whichever would be faster.
    for strike in strikes { supervisor.turn.sendAtOnce(to: strike.receiver) }
    for freeze in frozen { supervisor.thaw(freeze) }
    frozen = []
  }
}

// MARK: - The effects of faults

extension FaultInjector {
  private func carryOut(_ strike: Strike) {
    switch strike.effect {
    case .kill: end(strike) { $0.process.handle?.signalGroup(SIGKILL) }
    case .halfFrame: end(strike, breakOff)
    case .stop(let milliseconds):
      strike.target.map { hindrances.stop($0, for: milliseconds) }
    case .slowReader(let milliseconds):
      strike.target.map { hindrances.slow($0, for: milliseconds) }
    // The answer is lost when it is to be sent.
    case .dropAnswer: break
    case .fullDisk: fillDisk()
    case .restartHost:
      stopDevice { durability.fail(HostError(.killed, "a fault has killed the device's host")) }
    case .change(_, let change): change()
    case .wipe(let begin): wipe(strike, begin)
    }
  }

  /// Ends a guest. The other end of the transfer waits until that is told, so that the journal is the same each time.
  private func end(_ strike: Strike, _ body: (Guest) -> Void) {
    guard let target = strike.target, target.isRunning else { return }
    hindrances.hold(strike.witness) { target.process.onExit.append($0) }
    body(target)
  }

  /// Lets the device read half a frame of the guest's, and then the end of the stream.
  private func breakOff(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    if connection.parser.keptCount == 0 {
      try? Self.halfFrame.withUnsafeBytes { bytes in
        try connection.parser.consume(bytes) { _ in .goOn }
      }
    }
    supervisor.didEnd(guest)
  }

  /// The length of a frame, and half of its bytes.
  private static let halfFrame: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 0]

  /// Leaves no room on the disk, and has the device write: it stops.
  private func fillDisk() {
    stopDevice {
      database.isDiskFull = true
      durability.persist { () throws(HostError) in try database.setClock(clock.now) }
    }
  }

  private func stopDevice(_ body: () -> Void) {
    // A device that has stopped already has a reason of its own.
    guard durability.fault == nil else { return }
    hasStoppedDevice = true
    body()
  }
}

// MARK: - Faults

/// A fault that a device is to meet, once, when a transfer reaches a point.
package struct Fault {
  /// The name of the case, or of whatever else arms faults: what is drawn differs from one to the other.
  package let series: String
  /// The number of the fault in its series, from 1, by which its random numbers differ from those of the others.
  package let number: Int
  package let effect: Effect
  /// The point at which it strikes; nil: the device's seed draws it.
  package let point: FaultPoint?
  /// The guest whose next transfer, either way, it strikes; nil: the next transfer of all. Of a fault that hits a guest,
  /// the device's seed then draws which end of the transfer that is.
  package let guest: String?

  /// Creates a fault.
  package init(
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
  package enum Effect {
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

/// A fault that waits for a transfer to reach its point.
private final class WaitingFault {
  let fault: Fault
  let point: FaultPoint
  /// The end of the transfer that is hit where the fault names no guest.
  private let side: Side

  private enum Side: CaseIterable {
    case sender, receiver
  }

  /// Draws what the fault leaves open.
  init(_ fault: Fault, _ streams: RandomStreams) {
    self.fault = fault
    var numbers = streams.stream(.fault(fault.number, series: fault.series))
    let drawn = numbers.pick(FaultPoint.allCases)
    point = fault.point ?? drawn
    side = numbers.pick(Side.allCases)
  }

  /// Whether the fault strikes a transfer from `sender` to `receiver`.
  func fits(from sender: Guest, to receiver: Guest) -> Bool {
    guard let name = fault.guest else { return true }
    if case .dropAnswer = fault.effect { return sender.name == name }
    return sender.name == name || receiver.name == name
  }

  /// The guest that is hit; nil: none.
  func target(from sender: Guest, to receiver: Guest) -> Guest? {
    switch fault.effect {
    case .kill, .stop, .slowReader, .halfFrame, .wipe:
      switch fault.guest {
      case sender.name: sender
      case receiver.name: receiver
      default: side == .sender ? sender : receiver  // open: no name, or another guest's
      }
    // Only the sender gets an answer.
    case .dropAnswer: sender
    case .fullDisk, .restartHost, .change: nil
    }
  }
}

/// A fault whose point has been reached, and the transfer that has reached it.
private struct Strike {
  let effect: Fault.Effect
  let point: FaultPoint
  let sender: Guest
  let receiver: Guest
  /// The guest that is hit; nil: none.
  let target: Guest?

  /// The end of the transfer that is not hit; nil where none is.
  var witness: Guest? {
    guard let target else { return nil }
    let other = target === sender ? receiver : sender
    return other === target ? nil : other
  }
}
