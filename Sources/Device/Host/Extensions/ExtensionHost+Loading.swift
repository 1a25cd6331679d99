internal import Model
internal import Policy
internal import Wire

/// Loads by an extension of the items that it was started for. Each load is decided by what holds at its time.
extension ExtensionHost {
  func loadItem(_ reference: RepresentationReference, _ pending: PendingRequest) {
    let instance = pending.guest
    guard let work = instance.work, let found = work.representation(reference) else {
      return replies.refuse(pending, .loadItem, .noSuchRepresentation, subject: reference.type)
    }
    guard !access.refuseWhileLocked(.loadItem, pending, lockOf: work.pending.guest) else { return }
    switch found.content {
    case .data(let bytes, let tag):
      let item = Item(
        type: found.type, name: work.name(of: reference), payload: .inline(bytes), tag: tag)
      hand(item, of: work, pending)
    case .promised: fetch(reference, of: work, pending)
    }
  }

  /// Cancels the load that the extension no longer waits for.
  func cancelLoad(_ request: UInt64, by instance: Guest) {
    guard let load = instance.work?.load, load.pending.request == request, let work = instance.work
    else {
      return
    }
    instance.work?.load = nil
    // Answers that still come for the load count for nothing.
    load.provider.mailbox.calls[load.ask]?.abandon()
    turn.send(HostMessage(.cancelProvide(ask: load.ask)), to: load.provider)
    let ruling = self.ruling(on: nil, of: work, load.pending)
    recordDecision(on: load.reference.type, ruling, load.pending, work)
    replies.finish(
      load.pending, ruling.outcome(.failed), detail: "the extension no longer wants it")
    replies.settle(load.pending)
  }

  /// Tells the extension how much of a representation, from 0 to 1, the app that promised it has made.
  func progress(_ fraction: Double, of ask: UInt64, by provider: Guest) throws(Violation) {
    guard case .representation(let provision)? = provider.mailbox.calls[ask] else {
      throw Violation(text: "progress of something that nobody asked for")
    }
    guard fraction >= 0, fraction <= 1 else { throw Violation(text: "a progress of \(fraction)") }
    deliveries.madeProgress(provider)
    provision.progress(fraction)
  }

  private static let leastProgress = 0.01

  // MARK: promises

  private func fetch(
    _ reference: RepresentationReference, of work: ExtensionWork, _ pending: PendingRequest
  ) {
    let (instance, provider) = (pending.guest, work.pending.guest)
    guard work.pending.openConnection != nil else {
      return replies.refuse(pending, .loadItem, .nothingToImport, subject: provider.app.bundleID)
    }
    instance.mailbox.unansweredRequests += 1
    var told = 0.0
    let provision = Provision(
      progress: { [unowned self] fraction in
        // Finer steps than anybody sees would fill the queue of an extension that does not read.
        guard fraction >= told + Self.leastProgress else { return }
        told = fraction
        turn.send(HostMessage(request: pending.request, .loadProgress(fraction)), to: instance)
      },
      answer: { [unowned self] item in
        instance.work?.load = nil
        receive(item, for: reference, of: work, pending)
        replies.settle(pending)
      })
    let number = deliveries.ask(provider, .representation(provision)) {
      HostMessage(.provideRepresentation(ask: $0, share: work.pending.request, reference))
    }
    instance.work?.load = PendingLoad(
      pending: pending, provider: provider, ask: number, reference: reference)
  }

  private func receive(
    _ item: Item?, for reference: RepresentationReference, of work: ExtensionWork,
    _ pending: PendingRequest
  ) {
    guard pending.guest.work?.pending.number == work.pending.number else {
      return replies.refuse(pending, .loadItem, .noSuchRepresentation, subject: reference.type)
    }
    let provider = work.pending.guest
    guard var item, item.type.lowercased() == reference.type.lowercased() else {
      return replies.refuse(pending, .loadItem, .nothingToImport, subject: provider.app.bundleID)
    }
    if let rule = custody.fault(of: item, from: provider) {
      return replies.refuse(pending, .loadItem, rule, subject: reference.type)
    }
    guard !access.refuseWhileLocked(.loadItem, pending),
      !access.refuseWhileLocked(.loadItem, pending, lockOf: provider)
    else { return }
    item.name = item.name ?? work.name(of: reference)
    hand(item, of: work, pending)
  }

  // MARK: deciding

  private func hand(_ item: Item, of work: ExtensionWork, _ pending: PendingRequest) {
    let offer = work.pending
    guard !custody.isOrphaned(item.tag, offeredAs: offer.actingIdentity, in: offer.guest) else {
      return replies.refuse(pending, .loadItem, .ownerNotSignedIn, subject: item.type)
    }
    let ruling = self.ruling(on: item.tag, of: work, pending)
    custody.answer(
      pending, .loadItem, with: item, ruling, sender: work.pending.actingIdentity.participant)
  }

  /// The ruling on the transfer by what holds now, for data that came under `tag`.
  private func ruling(
    on tag: OwnershipTag?, of work: ExtensionWork, _ pending: PendingRequest
  ) -> Ruling {
    let caller = work.pending.guest
    let actingIdentity = identities.renewed(work.pending.actingIdentity, of: caller)
    let ownership = custody.ownership(of: tag, in: caller, as: actingIdentity)
    var transfer = work.ruling.request
    transfer.sender = actingIdentity.party
    transfer.owner = ownership.owner
    transfer.receiver = pending.actingIdentity.party
    let verdict = enforcement.verdict(on: transfer)
    return Ruling(
      transfer, verdict, ownership, arena: turn.encoding, from: [work.pending.number])
  }

  private func recordDecision(
    on type: String, _ ruling: Ruling, _ pending: PendingRequest,
    _ work: ExtensionWork
  ) {
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: .loadItem, via: ruling.request.via,
        sender: work.pending.actingIdentity.participant,
        receiver: pending.actingIdentity.participant,
        owner: ruling.ownership.owner.account?.upn ?? "", type: type, from: ruling.from,
        verdict: ruling.explained))
  }
}

extension ExtensionWork {
  /// The offered representation that the reference names; nil where there is none.
  func representation(_ reference: RepresentationReference) -> OfferedRepresentation? {
    attachment(reference)?.representations.first {
      $0.type.lowercased() == reference.type.lowercased()
    }
  }

  func name(of reference: RepresentationReference) -> String? {
    attachment(reference)?.suggestedName
  }

  private func attachment(_ reference: RepresentationReference) -> OfferedAttachment? {
    guard items.indices.contains(reference.item),
      items[reference.item].attachments.indices.contains(reference.attachment)
    else { return nil }
    return items[reference.item].attachments[reference.attachment]
  }
}
