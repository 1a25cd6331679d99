internal import Cryptography
internal import Policy
internal import Transfer
internal import Wire

/// Items from one guest to another.
extension Device {
  /// The way of almost every message, from a decoded frame to a verdict to a delivery.
  ///
  /// - Parameter persona: whom the sender shares for; nil: whom it acts for.
  func share(
    _ share: ShareFrame, request: UInt64, from sender: Guest, as persona: Persona? = nil
  ) {
    let origin = Origin(
      number: nextRequest(), guest: sender, request: request, isPosted: share.isPosted,
      persona: persona)
    if let route = sender.route, origin.persona === sender.persona, route.fits(share, generation),
      route.ruling.holds(configuration.enforcement)
    {
      return settle(share.parts, route.ruling, origin, route.receiver)
    }
    judge(share, origin)
  }

  /// Finds out about everything that a share involves.
  private func judge(_ share: ShareFrame, _ origin: Origin) {
    guard !refuseWhileLocked(share.operation, origin) else { return }
    let sender = origin.guest
    guard !sender.app.isClosedKeyboard else {
      return refuse(origin, share.operation, .keyboardWithoutFullAccess)
    }
    guard !sender.isBlocked(origin.persona.identity) else {
      return refuse(origin, share.operation, .accountBlocked)
    }
    if !share.claimedSource.isEmpty { noteClaim(share.claimedSource, sender) }
    guard let destination = guest(named: String(decoding: share.destination, as: UTF8.self)) else {
      let name = String(decoding: share.destination, as: UTF8.self)
      return refuse(origin, share.operation, .noSuchDestination, subject: name)
    }
    guard !refuseWhileBanned(share.operation, origin, destination) else { return }
    guard !refuseWhileLocked(share.operation, origin, lockOf: destination) else { return }
    guard destination.app.kind == .app else { return offer(share, to: destination, origin) }
    if let tag = share.item.tag,
      let rule = fault(of: tag, type: share.item.type, payload: share.item.payload)
    {
      return refuse(origin, share.operation, rule)
    }
    guard !isOrphaned(share.item.tag, in: sender) else {
      return refuse(origin, share.operation, .ownerNotSignedIn)
    }
    let ownership =
      share.item.tag.map { self.ownership(of: $0, in: sender) } ?? origin.persona.ownership
    let transfer = TransferRequest(
      channel: share.way.channel, via: share.via, sender: origin.persona.party,
      owner: ownership.owner, receiver: destination.party, device: configuration.state)
    let verdict = configuration.enforcement == .full ? evaluate(transfer) : .unchecked
    let ruling = Ruling(transfer, verdict, ownership, arena: encoding)
    if let switched = documentImport(for: transfer, verdict: verdict) {
      return askToSwitch(destination, StoredShare(share, ruling, origin), switched)
    }
    if share.item.tag == nil, origin.persona === sender.persona {
      sender.route = Route(
        destination: Array(share.destination), receiver: destination, generation: generation,
        ruling: ruling)
    }
    settle(share.parts, ruling, origin, destination)
  }

  /// Records the decision on an item that is at hand, and delivers it or refuses.
  func settle(
    _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ origin: Origin, _ receiver: Guest,
    marks: FrameBuffer.DeliveryMarks = []
  ) {
    decide(origin, item, ruling, receiver, marks)
    if ruling.verdict.outcome != .blocked, let onItem = observer?.onItem {
      onItem(origin.number, Item(item))
    }
    switch ruling.verdict.outcome {
    case .blocked: finish(origin, .refused, ruling.answer(.refused))
    case .encrypted:
      ciphertext(of: item.payload).withUnsafeBytes { ciphertext in
        var encrypted = item
        encrypted.payload = ciphertext
        deliver(encrypted, ruling, origin, receiver, marks.union(.encrypted))
      }
    case .allowed: deliver(item, ruling, origin, receiver, marks)
    }
  }

  private func decide(
    _ origin: Origin, _ item: FrameBuffer.ItemParts, _ ruling: Ruling, _ receiver: Guest,
    _ marks: FrameBuffer.DeliveryMarks
  ) {
    guard journal != nil || observer != nil else { return }
    let decision = {
      RequestDecision(
        request: origin.number, operation: Operation(ruling.request.channel),
        via: ruling.request.via, sender: origin.persona.participant,
        receiver: marks.contains(.forUnmanaged)
          ? receiver.participant.asUnmanaged : receiver.participant,
        owner: ruling.ownership.owner.account?.upn ?? "",
        type: String(decoding: item.type, as: UTF8.self), bytes: item.payload.count,
        verdict: ruling.explained)
    }
    journal?.append(
      ruling.template(type: item.type, decision), request: origin.number,
      bytes: item.payload.count, time: clock.now)
    observer?.onDecision(origin.guest.name, decision())
    reportAction(
      Operation(ruling.request.channel), via: ruling.request.via, ruling.verdict.outcome,
      of: origin.guest)
  }

  /// What a receiver gets that may have an item but not read it.
  func ciphertext(of payload: UnsafeRawBufferPointer) -> [UInt8] {
    contentKey.seal(Array(payload), nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  // MARK: whose

  /// What is wrong with a tag that comes back; nil where it is genuine.
  func fault(
    of tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Rule? {
    if tag.device != configuration.name { return .tagOfAnotherDevice }
    return sealer.isGenuine(tag, type: type, payload: payload) ? nil : .tagSealBroken
  }

  /// Whether an item is a managed account's that has been signed out of the app that hands the item on: no policy
  /// speaks for it there any more, and with the account the app has lost what was its.
  func isOrphaned(_ tag: OwnershipTag?, in guest: Guest) -> Bool {
    guard let tag, tag.isManaged, let owner = tag.owner else { return false }
    return isMissing(owner, in: guest)
  }

  /// Whose an item is that `guest` got under `tag` and hands on.
  func ownership(of tag: OwnershipTag, in guest: Guest) -> Ownership {
    let account = tag.owner
    let policy = account.flatMap { account in
      guest.accounts.first { $0.account.isSame(as: account) }?.policy
    }
    return Ownership(
      owner: Owner(account: account, policy: policy), originApp: guest.app.bundleID,
      sealer: sealer)
  }

  private func noteClaim(_ claimed: UnsafeRawBufferPointer, _ sender: Guest) {
    let claimed = String(decoding: claimed, as: UTF8.self)
    guard claimed != sender.app.bundleID else { return }
    record(
      .claimIgnored(
        guest: sender.name, claim: "source", claimed: claimed, actual: sender.app.bundleID))
  }

  // MARK: answers

  /// Answers a request that fails before any policy is asked.
  func refuse(
    _ origin: Origin, _ operation: Operation, _ rule: Rule, subject: String? = nil
  ) {
    answer(
      origin, operation, Verdict([Reason(rule, .device)]), subject: subject, end: .refused)
  }

  /// Records and answers a decision about something other than a transfer.
  func answer(
    _ origin: Origin, _ operation: Operation, _ verdict: Verdict, subject: String? = nil,
    citing citations: [Setting: Explainer.Citation] = [:], end: RequestEnd, status: Int = 0,
    items: [Item] = [], detail: String? = nil
  ) {
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: operation, sender: origin.persona.participant,
        subject: subject, verdict: Explainer.explain(verdict, citing: citations)))
    finish(
      origin,
      RequestOutcome(
        verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
        status: status, items: items), detail: detail)
  }
}

extension ShareFrame {
  fileprivate var operation: Operation { Operation(way.channel) }

  fileprivate var parts: FrameBuffer.ItemParts {
    FrameBuffer.ItemParts(type: item.type, name: item.name, payload: item.payload)
  }
}

extension Ruling {
  /// Decides anew, as for every request.
  fileprivate func holds(_ enforcement: DeviceConfiguration.Enforcement) -> Bool {
    enforcement == .none || evaluate(request) == verdict
  }
}

extension Verdict {
  /// What stands for a verdict where nothing is decided.
  static let unchecked = Verdict([Reason(.noRuleApplied, .device)])
}

extension Participant {
  fileprivate var asUnmanaged: Participant {
    Participant(guest: guest, app: app, identity: "", isManaged: false)
  }
}

extension Item {
  fileprivate init(_ parts: FrameBuffer.ItemParts) {
    let name = String(decoding: parts.name, as: UTF8.self)
    self.init(
      type: String(decoding: parts.type, as: UTF8.self), name: name.isEmpty ? nil : name,
      payload: .inline(Array(parts.payload)))
  }
}
