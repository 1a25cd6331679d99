internal import Policy
internal import Transfer
internal import Wire

/// What an extension loads of the items that it was started for: each load is decided by what holds then.
extension ExtensionHost {
  func loadItem(_ reference: RepresentationReference, _ origin: Origin) {
    let run = origin.guest
    guard let work = run.work, let found = work.representation(reference) else {
      return replies.refuse(origin, .loadItem, .noSuchRepresentation, subject: reference.type)
    }
    guard !access.refuseWhileLocked(.loadItem, origin, lockOf: work.origin.guest) else { return }
    switch found.content {
    case .data(let bytes, let tag):
      let item = Item(
        type: found.type, name: work.name(of: reference), payload: .inline(bytes), tag: tag)
      hand(item, of: work, origin)
    case .promised: fetch(reference, of: work, origin)
    }
  }

  /// The extension no longer wants what it is waiting for.
  func cancelLoad(_ request: UInt64, by run: Guest) {
    guard let load = run.work?.load, load.origin.request == request, let work = run.work else {
      return
    }
    run.work?.load = nil
    // What still comes for it counts for nothing.
    load.provider.mailbox.asks[load.ask]?.abandon()
    turn.send(HostMessage(.cancelProvide(ask: load.ask)), to: load.provider)
    let ruling = self.ruling(on: nil, of: work, load.origin)
    recordDecision(on: load.reference.type, ruling, load.origin, work)
    replies.finish(
      load.origin, ruling.outcome(.failed), detail: "the extension no longer wants it")
    replies.settle(load.origin)
  }

  /// How far the app that promised a representation has come with it.
  func progress(_ fraction: Double, of ask: UInt64, by provider: Guest) throws(Violation) {
    guard case .representation(let provision)? = provider.mailbox.asks[ask] else {
      throw Violation(text: "progress of something that nobody asked for")
    }
    guard fraction >= 0, fraction <= 1 else { throw Violation(text: "a progress of \(fraction)") }
    deliveries.paid(provider)
    provision.progress(fraction)
  }

  private static let leastProgress = 0.01

  // MARK: promises

  private func fetch(
    _ reference: RepresentationReference, of work: ExtensionWork, _ origin: Origin
  ) {
    let (run, provider) = (origin.guest, work.origin.guest)
    guard work.origin.openConnection != nil else {
      return replies.refuse(origin, .loadItem, .nothingToImport, subject: provider.app.bundleID)
    }
    run.mailbox.unsettled += 1
    var told = 0.0
    let provision = Provision(
      progress: { [unowned self] fraction in
        // Who tells more than anybody sees would fill the queue of an extension that does not read.
        guard fraction >= told + Self.leastProgress else { return }
        told = fraction
        turn.send(HostMessage(request: origin.request, .loadProgress(fraction)), to: run)
      },
      answer: { [unowned self] item in
        run.work?.load = nil
        receive(item, for: reference, of: work, origin)
        replies.settle(origin)
      })
    let number = deliveries.ask(provider, .representation(provision)) {
      HostMessage(.provideRepresentation(ask: $0, share: work.origin.request, reference))
    }
    run.work?.load = PendingLoad(
      origin: origin, provider: provider, ask: number, reference: reference)
  }

  private func receive(
    _ item: Item?, for reference: RepresentationReference, of work: ExtensionWork,
    _ origin: Origin
  ) {
    guard origin.guest.work?.origin.number == work.origin.number else {
      return replies.refuse(origin, .loadItem, .noSuchRepresentation, subject: reference.type)
    }
    let provider = work.origin.guest
    guard var item, item.type.lowercased() == reference.type.lowercased() else {
      return replies.refuse(origin, .loadItem, .nothingToImport, subject: provider.app.bundleID)
    }
    if let rule = custody.fault(of: item, from: provider) {
      return replies.refuse(origin, .loadItem, rule, subject: reference.type)
    }
    guard !access.refuseWhileLocked(.loadItem, origin),
      !access.refuseWhileLocked(.loadItem, origin, lockOf: provider)
    else { return }
    item.name = item.name ?? work.name(of: reference)
    hand(item, of: work, origin)
  }

  // MARK: deciding

  private func hand(_ item: Item, of work: ExtensionWork, _ origin: Origin) {
    let ruling = self.ruling(on: item.tag, of: work, origin)
    custody.answer(origin, .loadItem, with: item, ruling, sender: work.origin.persona.participant)
  }

  /// The same transfer by what holds now, of what came under `tag`.
  private func ruling(
    on tag: OwnershipTag?, of work: ExtensionWork, _ origin: Origin
  ) -> Ruling {
    let caller = work.origin.guest
    let persona = identities.renewed(work.origin.persona, of: caller)
    let ownership = tag.map { custody.ownership(of: $0, in: caller) } ?? persona.ownership
    var transfer = work.ruling.request
    transfer.sender = persona.party
    transfer.owner = ownership.owner
    transfer.receiver = origin.persona.party
    let verdict = enforcement.verdict(on: transfer)
    return Ruling(transfer, verdict, ownership, arena: turn.encoding)
  }

  private func recordDecision(
    on type: String, _ ruling: Ruling, _ origin: Origin,
    _ work: ExtensionWork
  ) {
    audit.decided(
      origin,
      RequestDecision(
        request: origin.number, operation: .loadItem, via: ruling.request.via,
        sender: work.origin.persona.participant, receiver: origin.persona.participant,
        owner: ruling.ownership.owner.account?.upn ?? "", type: type,
        verdict: ruling.explained))
  }
}

extension ExtensionWork {
  /// nil where nothing of the kind is offered.
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
