internal import DequeModule
internal import Glibc
package import Model
internal import Wire

/// Injects faults for scenarios and random walks. A fault is triggered when a transfer reaches a certain stage.
///
/// A fault is injected at the end of the transaction in which it was triggered, after the journal is written. Faults at
/// delivery are injected after the transaction's messages are sent, all other faults before. If no fault is armed,
/// transfers only check whether there is an injector.
package final class FaultInjector {
  private let seed: UInt64
  private let supervisor: GuestSupervisor
  private unowned let deliveries: Deliveries
  private unowned let replies: Replies
  private let audit: AuditLog
  private let durability: Durability
  private let database: DeviceDatabase
  private let clock: VirtualClock
  private var waiting: [ArmedFault] = []
  private var due: [TriggeredFault] = []
  /// Receivers whose processes are frozen. They read the delivered items only after the faults at delivery are
  /// injected.
  private var frozen: [GuestSupervisor.Freeze] = []
  /// The number of faults that have affected each guest, keyed by guest name.
  private var hits: [String: Int] = [:]
  /// Numbers of requests whose outcome is never sent to the sender, because of the fault `dropAnswer`.
  private var lostAnswers: Set<Int> = []
  /// The guests that faults currently stop or slow down. Each fault lasts for a fixed time, or until another guest has
  /// exited or been wiped.
  private let stalls: Stalls
  /// Triggered wipes that are unfinished. The first one is in progress.
  private var wipes: [(fault: TriggeredFault, begin: (@escaping () -> Void) -> Void)] = []
  /// Whether a fault has stopped the device. It must then be restarted.
  package private(set) var hasStoppedDevice = false

  init(
    seed: UInt64, supervisor: GuestSupervisor, deliveries: Deliveries, replies: Replies,
    audit: AuditLog, durability: Durability, database: DeviceDatabase, clock: VirtualClock
  ) {
    self.seed = seed
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.replies = replies
    self.audit = audit
    self.durability = durability
    self.database = database
    self.clock = clock
    stalls = Stalls(supervisor: supervisor)
  }

  // MARK: Arming

  /// Arms a fault. It is injected once, into the next matching transfer.
  package func arm(_ fault: Fault) {
    waiting.append(ArmedFault(fault, seed))
    watch()
  }

  /// Removes the armed faults that have not been triggered.
  package func disarm() {
    waiting = []
    watch()
  }

  package var armed: [Int] { waiting.map(\.fault.number) }

  private func watch() { deliveries.faults = waiting.isEmpty ? nil : self }

  // MARK: Results

  package func hits(on guest: String) -> Int { hits[guest] ?? 0 }

  package func hasLostAnswer(to request: Int) -> Bool { lostAnswers.contains(request) }

  /// Whether a fault is still in effect: a guest is about to be affected, is stopped or slowed down, or is being wiped.
  var isBusy: Bool { !due.isEmpty || !wipes.isEmpty || !stalls.isEmpty }

  /// Resumes the guests that faults stopped or slowed down, and drops unfinished wipes. Called before the guests are
  /// stopped.
  package func subside() {
    wipes = []
    stalls.end()
  }

  // MARK: Stages of transfers

  /// Triggers the faults at the stage `decided` for a request whose item was just sent to `receiver` or queued for it.
  /// If the item was sent, also triggers the faults at the stage `delivered`.
  func handedOver(_ pending: PendingRequest, to receiver: Guest) {
    reached(.decided, pending, receiver)
    if receiver.isReady { reached(.delivered, pending, receiver) }
  }

  /// Triggers the faults for the queued deliveries that were just sent to `receiver`.
  func sentOutbox(of receiver: Guest) {
    for delivery in receiver.mailbox.inFlight { reached(.delivered, delivery.pending, receiver) }
  }

  func reached(_ point: FaultPoint, _ pending: PendingRequest, _ receiver: Guest) {
    let sender = pending.guest
    let matching = waiting.filter { $0.point == point && $0.fits(from: sender, to: receiver) }
    for armed in matching where !isForestalled(point) {
      waiting.removeAll { $0 === armed }
      trigger(armed, pending, receiver)
    }
    if !matching.isEmpty { watch() }
  }

  /// Returns whether the device stops before faults at `point` are injected: it has already stopped, or a triggered
  /// fault will stop it first.
  private func isForestalled(_ point: FaultPoint) -> Bool {
    hasStoppedDevice
      || due.contains {
        $0.effect.stopsDevice && ($0.point != .delivered || point == .delivered)
      }
  }

  private func trigger(_ armed: ArmedFault, _ pending: PendingRequest, _ receiver: Guest) {
    let target = armed.target(from: pending.guest, to: receiver)
    audit.record(
      .faultInjected(kind: armed.fault.effect.kind, point: armed.point, guest: target?.name))
    if let target { hits[target.name, default: 0] += 1 }
    if case .dropAnswer = armed.fault.effect { return lose(pending) }
    due.append(
      TriggeredFault(
        effect: armed.fault.effect, point: armed.point, sender: pending.guest, receiver: receiver,
        target: target))
    supervisor.transaction.faults = self
  }

  private func lose(_ pending: PendingRequest) {
    lostAnswers.insert(pending.number)
    replies.isLost = { [unowned self] in lostAnswers.contains($0.number) }
  }

  // MARK: Wipes

  /// Starts a wipe. During the wipe, the other guest of the transfer is paused, to keep the journal deterministic.
  /// Wipes run one at a time, because the next wipe may affect the paused guest.
  private func wipe(_ fault: TriggeredFault, _ begin: @escaping (@escaping () -> Void) -> Void) {
    wipes.append((fault, begin))
    if wipes.count == 1 { beginWipe() }
  }

  private func beginWipe() {
    guard let (fault, begin) = wipes.first else { return }
    stalls.pause(fault.witness) { over in
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

// MARK: - End of the transaction

extension FaultInjector {
  /// Called after the journal is written and before messages are sent.
  func beforeSending() {
    frozen += due.filter { $0.point == .delivered }.map { supervisor.freeze($0.receiver) }
    let triggered = due.filter { $0.point != .delivered }
    due.removeAll { $0.point != .delivered }
    for fault in triggered { carryOut(fault) }
  }

  func afterSending() {
    let triggered = due
    due = []
    supervisor.transaction.faults = nil
    for fault in triggered { carryOut(fault) }
    // The consequences are sent before the receiver resumes, so their order is independent of
    // timing.
    for fault in triggered { supervisor.transaction.sendAtOnce(to: fault.receiver) }
    for freeze in frozen { supervisor.thaw(freeze) }
    frozen = []
  }
}

// MARK: - Effects of faults

extension FaultInjector {
  private func carryOut(_ fault: TriggeredFault) {
    switch fault.effect {
    case .kill: end(fault) { $0.process.handle?.signalGroup(SIGKILL) }
    case .halfFrame: end(fault, breakOff)
    case .stop(let milliseconds):
      fault.target.map { stalls.stop($0, for: milliseconds) }
    case .slowReader(let milliseconds):
      fault.target.map { stalls.slow($0, for: milliseconds) }
    // The answer is dropped when it would be sent.
    case .dropAnswer: break
    case .fullDisk: fillDisk()
    case .restartHost:
      stopDevice { durability.fail(HostError(.killed, "a fault has killed the device's host")) }
    case .change(_, let change): change()
    case .wipe(let begin): wipe(fault, begin)
    }
  }

  /// Terminates the guest that the fault affects. The other guest of the transfer is paused until the exit is handled,
  /// to keep the journal deterministic.
  private func end(_ fault: TriggeredFault, _ body: (Guest) -> Void) {
    guard let target = fault.target, target.isRunning else { return }
    stalls.pause(fault.witness) { target.process.onExit.append($0) }
    body(target)
  }

  /// Simulates a guest that closes its connection in the middle of a frame: the device reads half a frame and then the
  /// end of the stream.
  private func breakOff(_ guest: Guest) {
    guard let connection = guest.connection else { return }
    if connection.parser.keptCount == 0 {
      try? Self.halfFrame.withUnsafeBytes { bytes in
        try connection.parser.consume(bytes) { _ in .proceed }
      }
    }
    supervisor.didEnd(guest)
  }

  /// The length prefix of an 8-byte frame, and half of its bytes.
  private static let halfFrame: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 0]

  /// Simulates a full disk, and makes the device write to it. The failed write stops the device.
  private func fillDisk() {
    stopDevice {
      database.isDiskFull = true
      durability.persist { () throws(HostError) in try database.setClock(clock.now) }
    }
  }

  private func stopDevice(_ body: () -> Void) {
    // If the device has already stopped, it keeps the first reason.
    guard durability.error == nil else { return }
    hasStoppedDevice = true
    body()
  }
}

// MARK: - Faults

/// A fault to be injected once, when a transfer reaches a certain stage of its processing.
package struct Fault {
  /// The name of the series of faults that contains this fault, for example the name of a scenario case. It is part of
  /// the seed of the fault's random numbers.
  package let series: String
  /// The number of the fault in its series, from 1. It is part of the seed of the fault's random numbers.
  package let number: Int
  package let effect: Effect
  /// The stage that triggers the fault; nil if the device's seed determines it.
  package let point: FaultPoint?
  /// The guest whose next transfer triggers the fault. The guest may be the sender or the receiver; for `dropAnswer`,
  /// it must be the sender. If nil, the next transfer of any guest triggers the fault, and the device's seed determines
  /// whether the fault affects the sender or the receiver.
  package let guest: String?

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
    /// A change of the clock or of policies, as made by a scenario step.
    case change(FaultKind, () -> Void)
    /// A wipe. The closure starts it, and must call `done` at its end.
    case wipe((_ done: @escaping () -> Void) -> Void)

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

private final class ArmedFault {
  let fault: Fault
  let point: FaultPoint
  /// The guest that is affected if the fault names no guest: the sender or the receiver of the transfer, drawn at
  /// random.
  private let side: Side

  private enum Side: CaseIterable {
    case sender, receiver
  }

  /// Arms a fault. If the fault specifies no stage or no guest, the missing value is drawn at random.
  init(_ fault: Fault, _ seed: UInt64) {
    self.fault = fault
    var numbers = SplitMix(seed: seed, ofFault: fault.number, in: fault.series)
    let drawn = numbers.pick(FaultPoint.allCases)
    point = fault.point ?? drawn
    side = numbers.pick(Side.allCases)
  }

  /// Returns whether a transfer from `sender` to `receiver` can trigger the fault.
  func fits(from sender: Guest, to receiver: Guest) -> Bool {
    guard let name = fault.guest else { return true }
    if case .dropAnswer = fault.effect { return sender.name == name }
    return sender.name == name || receiver.name == name
  }

  func target(from sender: Guest, to receiver: Guest) -> Guest? {
    switch fault.effect {
    case .kill, .stop, .slowReader, .halfFrame, .wipe:
      switch fault.guest {
      case sender.name: sender
      case receiver.name: receiver
      default: side == .sender ? sender : receiver  // open: no name, or another guest's
      }
    // Only the sender receives an answer.
    case .dropAnswer: sender
    case .fullDisk, .restartHost, .change: nil
    }
  }
}

private struct TriggeredFault {
  let effect: Fault.Effect
  let point: FaultPoint
  let sender: Guest
  let receiver: Guest
  /// The affected guest; nil if the fault affects none.
  let target: Guest?

  /// The guest of the transfer that is not affected. Nil if no guest is affected, or if the affected guest sends to
  /// itself.
  var witness: Guest? {
    guard let target else { return nil }
    let other = target === sender ? receiver : sender
    return other === target ? nil : other
  }
}

extension SplitMix {
  /// Creates a fault's random number generator. Each fault has its own generator, so its numbers do not depend on how
  /// many numbers other faults draw.
  init(seed: UInt64, ofFault number: Int, in series: String) {
    // The slashes distinguish the name from the names of guests, which have random numbers of their own.
    self.init(seed: Self.seed(seed, of: "fault/\(series)/\(number)"))
  }
}
