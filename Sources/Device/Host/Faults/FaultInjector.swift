internal import DequeModule
internal import Model

/// The faults that a device is to meet, for scenarios and walks: what goes wrong, on which transfer, and how far that has
/// come by then.
///
/// A fault is carried out at the end of the turn in which its point is reached, between the journal and the pipes, or
/// behind the pipes. While none is armed, a transfer costs one look at whether there is an injector.
public final class FaultInjector {
  private let streams: RandomStreams
  let supervisor: GuestSupervisor
  unowned let deliveries: Deliveries
  private unowned let replies: Replies
  private let audit: AuditLog
  let durability: Durability
  let database: DeviceDatabase
  let clock: VirtualClock
  private var waiting: [WaitingFault] = []
  private var due: [Strike] = []
  /// Receivers that are to have an item, and to have read nothing of it.
  private var frozen: [GuestSupervisor.Freeze] = []
  /// The number of strikes on each guest, by name.
  private var hits: [String: Int] = [:]
  /// The requests whose senders never hear of the end.
  private var lostAnswers: Set<Int> = []
  /// Guests that do not run, or run slowly, until a time has passed or another guest has ended.
  let hindrances: Hindrances
  /// Wipes that have struck and not ended, the first of which is under way.
  private var wipes: [(strike: Strike, begin: (@escaping () -> Void) -> Void)] = []
  /// Whether a fault has stopped the device, which is to come up again.
  public internal(set) var hasStoppedDevice = false

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
  public func arm(_ fault: Fault) {
    waiting.append(WaitingFault(fault, streams))
    watch()
  }

  /// Withdraws the faults that have not struck.
  public func disarm() {
    waiting = []
    watch()
  }

  /// The numbers of the faults that have not struck.
  public var armed: [Int] { waiting.map(\.fault.number) }

  private func watch() { deliveries.faults = waiting.isEmpty ? nil : self }

  // MARK: what has come of them

  /// The number of strikes on a guest since the device came up.
  public func hits(on guest: String) -> Int { hits[guest] ?? 0 }

  /// Whether the sender of the request never hears of the request's end.
  public func hasLostAnswer(to request: Int) -> Bool { lostAnswers.contains(request) }

  /// Whether a fault is not over: a guest has not ended by it, or does not run, or runs slowly.
  var isBusy: Bool { !due.isEmpty || !wipes.isEmpty || !hindrances.isEmpty }

  /// Ends all that hinders guests: the device goes down.
  public func subside() {
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
    supervisor.turn.willSend = { [unowned self] in beforeSending() }
    supervisor.turn.didSend = { [unowned self] in afterSending() }
  }

  private func lose(_ pending: PendingRequest) {
    lostAnswers.insert(pending.number)
    replies.isLost = { [unowned self] in lostAnswers.contains($0.number) }
  }

  // MARK: wipes

  /// Begins a wipe once those that have struck before have ended. The other end of the transfer waits meanwhile, so that
  /// the journal is the same each time; the next wipe may be of that other end.
  func wipe(_ strike: Strike, _ begin: @escaping (@escaping () -> Void) -> Void) {
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

  // MARK: the end of the turn

  private func beforeSending() {
    frozen += due.filter { $0.point == .delivered }.map { supervisor.freeze($0.receiver) }
    let strikes = due.filter { $0.point != .delivered }
    due.removeAll { $0.point != .delivered }
    for strike in strikes { carryOut(strike) }
  }

  private func afterSending() {
    let strikes = due
    due = []
    supervisor.turn.willSend = nil
    supervisor.turn.didSend = nil
    for strike in strikes { carryOut(strike) }
    // What comes of the fault is there with the item, whichever would be faster.
    for strike in strikes { supervisor.turn.sendAtOnce(to: strike.receiver) }
    for freeze in frozen { supervisor.thaw(freeze) }
    frozen = []
  }
}
