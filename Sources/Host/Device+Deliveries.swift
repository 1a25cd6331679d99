internal import DequeModule
internal import EventLoop
internal import Policy
internal import Transfer
internal import Wire

/// Items on their way: handed over in order, confirmed in order, each ended once.
extension Device {
  /// Hands an item to `receiver`, now or when it is ready.
  func deliver(
    _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ origin: Origin, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    let sequence = expect(origin, receiver, ruling)
    let ownership = ruling.ownership(at: receiver.persona)
    let isSealed = configuration.enforcement == .full
    let tagSequence =
      isSealed ? sealer.seal(ownership.stamp, type: item.type, payload: item.payload) : 0
    ownership.stamp.template.bytes.withUnsafeBytes { template in
      origin.guest.bundleBytes.withUnsafeBytes { sender in
        let tag = FrameBuffer.SealedTag(
          template: template, sequence: tagSequence, seal: UnsafeRawBufferPointer(sealer.seal))
        withDeliveryBuffer(of: receiver) {
          $0.appendDelivery(
            sequence: sequence, item: item, tag: tag, sender: sender, marks: marks)
        }
      }
    }
    hold(origin.guest, for: receiver)
  }

  /// Hands a URL to the app that registered its scheme.
  func deliver(url: String, from origin: Origin, to receiver: Guest, _ ruling: Ruling) {
    let sequence = expect(origin, receiver, ruling)
    let message = HostMessage(
      .openedURL(
        sequence: sequence, url: url, sender: origin.guest.app.bundleID,
        account: ruling.ownership.owner.account?.upn ?? ""))
    withDeliveryBuffer(of: receiver) { $0.append(message, using: encoding) }
    hold(origin.guest, for: receiver)
  }

  /// Books a delivery that `receiver` will owe a confirmation for.
  private func expect(_ origin: Origin, _ receiver: Guest, _ ruling: Ruling) -> UInt64 {
    receiver.deliveries += 1
    if receiver.inFlight.isEmpty, receiver.isReady { startDebtTimer(receiver) }
    receiver.inFlight.append(
      InFlight(sequence: receiver.deliveries, origin: origin, ruling: ruling))
    return receiver.deliveries
  }

  private func withDeliveryBuffer(of receiver: Guest, _ body: (inout FrameBuffer) -> Void) {
    if receiver.isReady, let connection = receiver.connection {
      body(&connection.outgoing)
      markDirty(connection)
    } else {
      body(&receiver.held)
      wake(receiver)
    }
  }

  /// Starts what is not running. A suspended guest stays suspended: only a step wakes it, and what waits
  /// for it has its deadline.
  private func wake(_ receiver: Guest) {
    if !receiver.isRunning {
      start(receiver)
    } else if receiver.state == .suspended, receiver.inFlight.count == 1 {
      startDebtTimer(receiver)
    }
  }

  /// Sends what had to wait until `guest` was ready.
  func deliverHeld(_ guest: Guest) {
    if guest.isLocked { giveUp(on: guest, "the account of `\(guest.name)` is not open") }
    guard let connection = guest.connection else { return }
    if !guest.held.isEmpty {
      connection.outgoing.append(contentsOf: guest.held)
      guest.held.removeAll()
      markDirty(connection)
    }
    if guest.isInDebt { startDebtTimer(guest) }
  }

  /// Everything up to a delivery has arrived.
  func acknowledge(_ through: UInt64, by guest: Guest) throws(Violation) {
    guard through <= guest.deliveries else {
      throw Violation(
        text: "it confirms delivery \(through), and was sent \(guest.deliveries)")
    }
    if let first = guest.inFlight.first, first.sequence <= through { paid(guest) }
    while let first = guest.inFlight.first, first.sequence <= through {
      guest.inFlight.removeFirst()
      arrived(first)
    }
    if !guest.waiting.isEmpty, !guest.isOverloaded { release(guest) }
  }

  private func arrived(_ delivery: InFlight) {
    let ruling = delivery.ruling
    if delivery.origin.isPosted {
      ended(delivery.origin.number, ruling.delivered)
    } else {
      finish(delivery.origin, ruling.delivered, ruling.deliveredAnswer)
    }
  }

  /// Ends a request and tells its sender.
  func finish(
    _ origin: Origin, _ end: RequestEnd, _ answer: PackedOutcome, detail: String? = nil
  ) {
    ended(origin.number, end, detail: detail)
    guard let connection = origin.openConnection else { return }
    connection.outgoing.appendOutcome(request: origin.request, answer)
    told(origin.guest, connection)
  }

  /// Who asks faster than it listens has to wait for itself.
  private func told(_ guest: Guest, _ connection: GuestConnection) {
    markDirty(connection)
    if connection.outgoing.count > configuration.limits.backlog { hold(guest, for: guest) }
  }

  /// The same for an outcome with items or a status.
  func finish(
    _ origin: Origin, _ outcome: RequestOutcome, detail: String? = nil
  ) {
    ended(origin.number, outcome.end, detail: detail, status: outcome.status)
    guard let connection = origin.openConnection else { return }
    connection.outgoing.append(
      HostMessage(request: origin.request, .outcome(outcome)), using: encoding)
    told(origin.guest, connection)
  }

  // MARK: what guests owe

  func startDebtTimer(_ guest: Guest) {
    guest.lastProgress = loop.now
    guest.debtTimer?.start(after: configuration.limits.delivery)
  }

  /// `guest` has confirmed or answered something.
  func paid(_ guest: Guest) {
    guest.lastProgress = loop.now
  }

  /// The timer is not set anew for each confirmation: when it fires, it looks how long ago the last was.
  func checkDebt(_ guest: Guest) {
    guard guest.isInDebt else { return }
    let elapsed = loop.now - guest.lastProgress
    let limit = configuration.limits.delivery * (guest.isKeptWaiting ? 3 : 1)
    guard elapsed >= limit else {
      guest.debtTimer?.start(after: limit - elapsed)
      return
    }
    switch guest.state {
    case .suspended: giveUp(on: guest, "`\(guest.name)` is suspended")
    case .ready: end(guest, .unresponsive(doing: "taking deliveries"))
    default: break
    }
  }

  /// Ends what waits for a guest that is gone.
  func settleDebts(of guest: Guest, because cause: ExitCause) {
    guest.held.removeAll()
    giveUp(on: guest, "`\(guest.name)` \(cause.text)")
    fail(guest.asks, of: guest)
    forgetDeferred(guest)
    failExtensionWork(of: guest, because: cause)
  }

  private func fail(_ asks: [UInt64: Guest.Ask], of guest: Guest) {
    for (number, ask) in asks.sorted(by: { $0.key < $1.key }) {
      guest.asks[number] = nil
      ask.fail()
    }
  }

  func giveUp(on guest: Guest, _ why: String) {
    guest.held.removeAll()
    fail(guest.asks.filter { $0.value.isDebt }, of: guest)
    let lost = guest.inFlight
    guest.inFlight.removeAll()
    for delivery in lost {
      finish(
        delivery.origin, .undeliverable, delivery.ruling.answer(.undeliverable), detail: why)
    }
    release(guest)
  }
}
