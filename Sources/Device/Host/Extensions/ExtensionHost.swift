internal import Activation
internal import Model
internal import Policy
internal import UniformTypes
internal import Wire

/// Runs extensions, with one process for each request. Above the maximum number of concurrent runs, runs wait
/// in a ``RunQueue``.
final class ExtensionHost: HostService {
  private let limits: DeviceConfiguration.Limits
  private let enforcement: DeviceConfiguration.Enforcement
  private let driver: GuestDriver
  private let identities: IdentityCoordinator
  private let access: AccessController
  private let management: ManagementAgent
  private let tags: TagAuthority
  private let accounts: SignInCoordinator
  private let configurations: AppConfigurationService
  /// The running instances, and the instances that wait to start.
  private var queue: RunQueue<Guest>
  private var isAdvancing = false
  /// The total size of the item data in memory for running and waiting instances, in bytes.
  private var heldBytes = 0

  init(
    _ core: ServiceCore, _ configuration: DeviceConfiguration, driver: GuestDriver,
    identities: IdentityCoordinator, access: AccessController, accounts: SignInCoordinator,
    configurations: AppConfigurationService, management: ManagementAgent, tags: TagAuthority
  ) {
    limits = configuration.limits
    enforcement = configuration.enforcement
    self.driver = driver
    self.identities = identities
    self.access = access
    self.accounts = accounts
    self.configurations = configurations
    self.management = management
    self.tags = tags
    queue = RunQueue(limits)
    super.init(core)
  }

  /// Creates an instance of an extension. The instance has the accounts of the app that contains the extension.
  ///
  /// - Parameter starter: The guest that requests the instance.
  func newInstance(of destination: Guest, startedBy starter: Guest) -> Guest {
    let name = registry.nextInstance(of: destination)
    let instance = identities.makeGuest(
      named: name.description, registry.completed(destination.app),
      container: folders.container(destination.app.name), limits: limits)
    if let prepared = destination.takePreparedRun(startedBy: starter.name) {
      instance.preparation = prepared
      if let behaviour = prepared.behaviour { instance.app.behaviour = behaviour }
    }
    instance.accounts.signedIn = accounts.accounts(ofExtension: instance.app).map {
      configurations.configured($0, instance)
    }
    let actor = SignInCoordinator.actor(of: instance.accounts.signedIn)
    identities.setIdentity(actor.map { .account($0.account) } ?? .unset, of: instance)
    registry.add(instance: instance)
    return instance
  }

  /// Discards an instance whose request has failed: stops it if it is running, and otherwise removes it.
  private func discard(_ instance: Guest) {
    guard instance.app.kind != .app else { return }
    if instance.isRunning {
      supervisor.supervise(instance, .stop)
    } else {
      registry.removeInstance(instance)
      instance.preparation.notBegun()
    }
  }

  func completeExtension(_ items: [Item], _ pending: PendingRequest) throws {
    let instance = pending.guest
    guard items.count <= RequestLimits.returnedItems else {
      throw Violation(
        text: "\(items.count) returned items; the limit is \(RequestLimits.returnedItems)")
    }
    let work = try takeWork(of: instance)
    audit.record(
      .extensionCompleted(guest: instance.name, request: work.pending.number, returned: items.count)
    )
    let stated = audit.takeStatement(of: pending.number)
    let returned = items.compactMap { handBack($0, from: instance, to: work.pending, stated) }
    replies.finish(work.pending, work.decision.outcome(work.decision.delivered, items: returned))
    supervisor.supervise(instance, .stop)
  }

  func cancelExtension(_ why: String, _ pending: PendingRequest) throws {
    let instance = pending.guest
    _ = audit.takeStatement(of: pending.number)
    let work = try takeWork(of: instance)
    audit.record(.extensionCancelled(guest: instance.name, request: work.pending.number, why: why))
    replies.finish(
      work.pending, .failed, work.decision.answer(.failed), detail: "cancelled by the extension")
    supervisor.supervise(instance, .stop)
  }

  private func takeWork(of instance: Guest) throws -> ExtensionWork {
    guard let work = removeWork(of: instance) else {
      throw Violation(
        text: "the completion or cancellation of an extension request that is not open")
    }
    return work
  }

  private func removeWork(of instance: Guest) -> ExtensionWork? {
    guard let work = instance.work else { return nil }
    instance.work = nil
    heldBytes -= work.bytes
    return work
  }

  /// Transfers a result of an extension to the app that called the extension. The transfer is a request of its own.
  /// Returns the item for the app; nil if the transfer is refused.
  ///
  /// - Parameter stated: The items that the extension declares as sources of its results.
  private func handBack(
    _ item: Item, from instance: Guest, to pending: PendingRequest, _ stated: [Int]
  ) -> Item? {
    let caller = pending.guest
    // The calling task's identity, with the policy that applies now.
    let actingIdentity = identities.renewed(pending.actingIdentity, of: caller)
    let number = audit.nextRequest()
    audit.recordProvenance(stated, of: number)
    guard let ownership = tags.ownership(of: item, from: instance) else {
      refuseResult(
        number, from: instance, Explainer.explain(Verdict([Reason(.tagSealBroken, .device)])))
      return nil
    }
    guard !tags.isOrphaned(item.tag, in: instance) else {
      refuseResult(
        number, from: instance, Explainer.explain(Verdict([Reason(.ownerNotSignedIn, .device)])))
      return nil
    }
    // The calling app may have been locked during the extension's run.
    if let lock = caller.acting.lock(of: actingIdentity) {
      refuseResult(number, from: instance, lock.explained)
      return nil
    }
    let transfer = TransferRequest(
      channel: .extensionResult, sender: instance.party, owner: ownership.owner,
      receiver: actingIdentity.party, device: policies.deviceState)
    // The sources of an item without a tag are the items of the extension's request.
    let decision = TransferDecision(
      transfer, evaluate(transfer), ownership, arena: transaction.encoding,
      from: item.tag?.items ?? [pending.number])
    audit.decided(
      PendingRequest(number: number, guest: instance, request: 0), by: decision,
      RequestDecision(
        request: number, operation: .completeExtension, via: .sdk, sender: instance.participant,
        receiver: actingIdentity.participant, owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, from: decision.from, verdict: decision.explained
      ))
    let isAllowed = decision.verdict.outcome == .allowed
    if isAllowed {
      audit.handedOver(number, item)
      tags.handed(item, number, to: caller.app.bundleID)
    }
    audit.ended(number, isAllowed ? .delivered : .refused)
    return isAllowed ? tags.tagged(item, decision.ownership(at: actingIdentity), number) : nil
  }

  private func refuseResult(_ number: Int, from instance: Guest, _ verdict: ExplainedVerdict) {
    audit.decided(
      PendingRequest(number: number, guest: instance, request: 0),
      RequestDecision(
        request: number, operation: .completeExtension, sender: instance.participant,
        verdict: verdict))
    audit.ended(number, .refused)
  }

  /// Ends the request that an extension was started for. It is called after the extension's exit, and before the
  /// extension is stopped because its acting identity is locked.
  func failExtensionWork(of instance: Guest, reason cause: ExitCause) {
    guard let work = removeWork(of: instance) else { return }
    let text = instance.text(of: cause)
    audit.record(.extensionCancelled(guest: instance.name, request: work.pending.number, why: text))
    replies.finish(
      work.pending, .undeliverable, work.decision.answer(.undeliverable),
      detail: "`\(instance.name)` \(text)")
  }
}

// MARK: - Offered items

/// Offers items to an extension. One decision covers all items. The extension's process then loads the data
/// that it needs.
extension ExtensionHost {
  func share(_ share: ShareItems, _ pending: PendingRequest) throws(Violation) {
    try Self.check(share.items)
    guard let destination = registry.guest(named: share.destination), destination.app.kind != .app
    else {
      return replies.refuse(pending, .share, .noSuchDestination, subject: share.destination)
    }
    offer(share.items, to: destination, by: .share, via: share.via, pending)
  }

  func offer(_ share: ShareFrame, to destination: Guest, _ pending: PendingRequest) {
    var item = Item(share.parts)
    item.tag = share.item.tag
    offer([OfferedItem(item)], to: destination, by: share.way, via: share.via, pending)
  }

  private func offer(
    _ items: [OfferedItem], to destination: Guest, by way: Way, via: SharingPath,
    _ pending: PendingRequest
  ) {
    let operation = Operation(way.channel)
    guard !management.refuseWhileBanned(operation, pending, destination) else { return }
    guard !access.refuseWhileLocked(operation, pending, lockOf: destination) else { return }
    guard Self.accepts(way, for: destination.app) else {
      return replies.refuse(
        pending, operation, .extensionOfAnotherPoint, subject: destination.app.bundleID)
    }
    let owners: [Ownership]
    switch ownerships(of: items, pending) {
    case .all(let all): owners = all
    case .refused(let rule): return replies.refuse(pending, operation, rule)
    }
    let instance = newInstance(of: destination, startedBy: pending.guest)
    let decisions = owners.map { ownership in
      let transfer = TransferRequest(
        channel: way.channel, via: via, sender: pending.actingIdentity.party,
        owner: ownership.owner,
        receiver: identities.receiver(instance.acting.actingIdentity, in: instance),
        device: policies.deviceState)
      let verdict = enforcement.verdict(on: transfer)
      return TransferDecision(transfer, verdict, ownership, arena: transaction.encoding)
    }
    // Several items are offered together under the strictest of their verdicts.
    guard let decision = decisions.min(by: { $0.verdict.outcome < $1.verdict.outcome }) else {
      return
    }
    if decision.verdict.outcome != .blocked, !isOffered(destination, for: items, decision) {
      discard(instance)
      return replies.refuse(
        pending, operation, .extensionNotOffered, subject: destination.app.bundleID)
    }
    recordDecision(on: items, decision, pending, instance)
    guard decision.verdict.outcome != .blocked else {
      discard(instance)
      return replies.finish(pending, .refused, decision.answer(.refused))
    }
    begin(instance, with: items, decision, pending)
  }

  /// Returns whether the share sheet offers the extension for `way`. For `share`, it offers every extension that can be
  /// in the share sheet; for `openIn`, only Open-In actions.
  private static func accepts(_ way: Way, for app: AppDescription) -> Bool {
    guard app.kind.extensionPoint?.isInShareSheet == true else { return false }
    return way == .share || way == .openIn && app.isOpenInAction
  }

  /// Returns whether the share sheet shows the extension for the items. If the sender's policy restricts sending, the
  /// SDK registers the items under its own aliases of their types, and the extension must accept the aliases.
  private func isOffered(
    _ destination: Guest, for items: [OfferedItem], _ decision: TransferDecision
  )
    -> Bool
  {
    let restricts = decision.request.via == .sdk && decision.request.sender.restrictsSending
    let shared = items.map { item in
      SharedItem(
        attachments: item.attachments.map { attachment in
          SharedAttachment(
            registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map {
              restricts ? IntuneTypeAlias.of($0) : $0
            })
        })
    }
    return destination.app.activation.offers(shared, types: registry.types)
  }

  private func recordDecision(
    on items: [OfferedItem], _ decision: TransferDecision, _ pending: PendingRequest,
    _ instance: Guest
  ) {
    let representations = items.flatMap(\.attachments).compactMap(\.representations.first)
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: Operation(decision.request.channel),
        via: decision.request.via, sender: pending.actingIdentity.participant,
        receiver: instance.participant,
        owner: decision.ownership.owner.account?.upn ?? "", type: representations.first?.type,
        bytes: representations.reduce(0) { $0 + $1.count }, from: items.flatMap(\.sources),
        likely: likely(items, pending), verdict: decision.explained))
  }

  /// Compares the content of untagged items with the content of earlier items. Returns the numbers of the earlier items
  /// that are probably the sources.
  private func likely(_ items: [OfferedItem], _ pending: PendingRequest) -> [Int] {
    let representations = items.flatMap(\.attachments).flatMap(\.representations)
    return representations.flatMap { representation -> [Int] in
      guard case .data(let bytes, nil) = representation.content else { return [] }
      let item = Item(type: representation.type, payload: .inline(bytes))
      return tags.likely(
        item, from: pending.guest.app.bundleID, knowing: audit.stated(pending.number))
    }
  }

  /// Starts the instance with the items but without their data, which the extension loads later. If
  /// too many instances are running, the instance waits.
  func begin(
    _ instance: Guest, with items: [OfferedItem], _ decision: TransferDecision,
    _ pending: PendingRequest
  ) {
    let work = ExtensionWork(pending: pending, decision: decision, items: items)
    guard heldBytes + work.bytes <= limits.extensionBytes else {
      discard(instance)
      return replies.finish(
        pending, .undeliverable, decision.answer(.undeliverable),
        detail: "extensions are already loading the maximum amount of data")
    }
    let admission = queue.admit(
      instance, named: instance.name, startedBy: pending.guest.name)
    if case .refused(let why) = admission {
      discard(instance)
      return replies.finish(
        pending, .undeliverable, decision.answer(.undeliverable), detail: why)
    }
    instance.work = work
    heldBytes += work.bytes
    if admission == .starts { start(instance) }
  }

  /// Starts waiting instances, up to the maximum number of running instances. If an instance's starter is ending or the
  /// device is shutting down, the instance is cancelled.
  private func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    if supervisor.isStoppingAll {
      for instance in queue.removeAll() { cancel(instance, "the device is shutting down") }
    }
    while let instance = queue.next() { startWaiting(instance) }
  }

  private func startWaiting(_ instance: Guest) {
    guard let starter = instance.work?.pending.guest, !starter.isStaying else {
      return start(instance)
    }
    cancel(instance, endOfStarter(starter))
    didEnd(instance.name)
  }

  /// Gives a waiting instance the slot of an instance that has ended.
  private func didEnd(_ name: String) {
    guard queue.isRunning(name) else { return }
    if let lender = queue.ended(name), let next = queue.nextStarted(by: lender) {
      startWaiting(next)
    }
    advance()
  }

  private func endOfStarter(_ guest: Guest) -> String {
    "`\(guest.name)` ended before the extension started"
  }

  private func start(_ instance: Guest) {
    guard let work = instance.work else { return didEnd(instance.name) }
    let (pending, outcome) = (work.pending, work.decision.verdict.outcome)
    let request = ExtensionRequest(
      items: work.items.map { $0.promised(outcome) }, sender: pending.guest.app.bundleID,
      openIn: openInPlace(of: instance.app, pending))
    instance.mailbox.outbox.append(
      HostMessage(.extensionRequest(request)), using: transaction.encoding)
    driver.prepare(instance)
    supervisor.start(instance)
  }

  /// Handles a guest's exit: cancels the waiting instances that the guest requested, and gives the guest's slot to
  /// another waiting instance.
  func didExit(_ guest: Guest) {
    for instance in queue.removeAll(startedBy: guest.name) {
      cancel(instance, endOfStarter(guest))
    }
    didEnd(guest.name)
  }

  /// Ends the request of an instance that was never started.
  private func cancel(_ instance: Guest, _ why: String) {
    guard let work = removeWork(of: instance) else { return }
    discard(instance)
    replies.finish(
      work.pending, .undeliverable, work.decision.answer(.undeliverable), detail: why)
  }

  /// If the extension is an Open-In action with the SDK, returns the app group for received data and the URL scheme
  /// that opens the containing app; otherwise nil.
  private func openInPlace(of action: AppDescription, _ pending: PendingRequest) -> OpenInPlace? {
    guard action.isOpenInAction, action.integratesSDK else { return nil }
    let app = registry.containingApp(of: action)?.app
    let group = app.flatMap { app in
      action.accessibleGroups.first(where: app.accessibleGroups.contains)
    }
    let scheme = app?.schemes.first { app?.schemes.contains("\($0)-intunemam") == true }
    return OpenInPlace(
      group: group ?? "", scheme: scheme.map { "\($0)-intunemam" } ?? "",
      mark: "\(clock.now)-\(pending.number)")
  }

  // MARK: Owners

  private enum Owners {
    case all([Ownership])
    case refused(Rule)
  }

  /// Returns the owners of the offered items, without duplicates. Titles, texts and untagged data belong to the
  /// sender's acting identity.
  private func ownerships(of items: [OfferedItem], _ pending: PendingRequest) -> Owners {
    let hasTexts = items.contains { $0.title != nil || $0.contentText != nil }
    var owners = hasTexts ? [pending.actingIdentity.ownership] : []
    for representation in items.flatMap(\.attachments).flatMap(\.representations) {
      var ownership = pending.actingIdentity.ownership
      if case .data(let bytes, let tag?) = representation.content {
        let item = Item(type: representation.type, payload: .inline(bytes), tag: tag)
        if let rule = tags.rejection(of: item, from: pending.guest) { return .refused(rule) }
        ownership = tags.ownership(of: tag, in: pending.guest)
      }
      if !owners.contains(where: { $0.isSameUser(as: ownership) }) { owners.append(ownership) }
    }
    return .all(owners.isEmpty ? [pending.actingIdentity.ownership] : owners)
  }

  // MARK: Limits

  private static func check(_ items: [OfferedItem]) throws(Violation) {
    let attachments = items.flatMap(\.attachments)
    guard items.count <= 64, attachments.count <= 256 else {
      throw Violation(
        text:
          "a share of \(items.count) items with \(attachments.count) attachments; the limits are 64 and 256"
      )
    }
    for attachment in attachments {
      let types = Set(attachment.registeredTypeIdentifiers.map { $0.lowercased() })
      guard types.count == attachment.representations.count, (1...64).contains(types.count) else {
        throw Violation(text: "an attachment with no type, too many types or duplicate types")
      }
    }
  }
}

extension OfferedItem {
  /// The numbers of source items, taken from the tags of the item's representations.
  fileprivate var sources: [Int] {
    attachments.flatMap(\.representations).flatMap { representation -> [Int] in
      if case .data(_, let tag?) = representation.content { return tag.items }
      return []
    }
  }

  /// Returns the item without the data of its attachments, which the extension loads later. If `outcome` requires
  /// encryption, the title and the text are removed too, because only loaded data can be encrypted.
  fileprivate func promised(_ outcome: Outcome) -> OfferedItem {
    var item = self
    if outcome != .allowed { (item.title, item.contentText) = (nil, nil) }
    for index in item.attachments.indices {
      for place in item.attachments[index].representations.indices {
        item.attachments[index].representations[place].content = .promised
      }
    }
    return item
  }
}

extension Ownership {
  fileprivate func isSameUser(as other: Ownership) -> Bool {
    switch (owner.account, other.owner.account) {
    case (nil, nil): true
    case (let mine?, let theirs?): mine.isSameUser(as: theirs)
    case (nil, _?), (_?, nil): false
    }
  }
}

// MARK: - Loads

/// Loads the data of offered items for an extension. Each load is a request of its own, and is decided under the
/// policies at the time of the load.
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

  func cancelLoad(_ request: UInt64, by instance: Guest) {
    guard let load = instance.work?.load, load.pending.request == request, let work = instance.work
    else {
      return
    }
    instance.work?.load = nil
    // The provider's answer to this load will be ignored.
    load.provider.mailbox.calls[load.ask]?.abandon()
    transaction.send(HostMessage(.cancelProvide(ask: load.ask)), to: load.provider)
    let decision = self.decision(on: nil, of: work, load.pending)
    recordDecision(on: load.reference.type, decision, load.pending, work)
    replies.finish(
      load.pending, decision.outcome(.failed), detail: "the extension cancelled the load")
    replies.resolve(load.pending)
  }

  /// Forwards the progress of a promised representation, from 0 to 1, from the provider to the extension.
  func progress(_ fraction: Double, of ask: UInt64, by provider: Guest) throws(Violation) {
    guard case .representation(let provision)? = provider.mailbox.calls[ask] else {
      throw Violation(text: "the progress of a load that was not requested")
    }
    guard fraction >= 0, fraction <= 1 else { throw Violation(text: "a progress of \(fraction)") }
    deliveries.madeProgress(provider)
    provision.progress(fraction)
  }

  private static let leastProgress = 0.01

  // MARK: Promised representations

  private func fetch(
    _ reference: RepresentationReference, of work: ExtensionWork, _ pending: PendingRequest
  ) {
    let (instance, provider) = (pending.guest, work.pending.guest)
    guard work.pending.openConnection != nil else {
      return replies.refuse(pending, .loadItem, .nothingToImport, subject: provider.app.bundleID)
    }
    instance.mailbox.unansweredRequests += 1
    var reported = 0.0
    let provision = Provision(
      progress: { [unowned self] fraction in
        // Smaller increments would only fill the queue of an extension that does not read.
        guard fraction >= reported + Self.leastProgress else { return }
        reported = fraction
        transaction.send(
          HostMessage(request: pending.request, .loadProgress(fraction)), to: instance)
      },
      answer: { [unowned self] item in
        instance.work?.load = nil
        receive(item, for: reference, of: work, pending)
        replies.resolve(pending)
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
    if let rule = tags.rejection(of: item, from: provider) {
      return replies.refuse(pending, .loadItem, rule, subject: reference.type)
    }
    guard !access.refuseWhileLocked(.loadItem, pending),
      !access.refuseWhileLocked(.loadItem, pending, lockOf: provider)
    else { return }
    item.name = item.name ?? work.name(of: reference)
    hand(item, of: work, pending)
  }

  // MARK: Decisions

  private func hand(_ item: Item, of work: ExtensionWork, _ pending: PendingRequest) {
    let offer = work.pending
    guard !tags.isOrphaned(item.tag, offeredAs: offer.actingIdentity, in: offer.guest) else {
      return replies.refuse(pending, .loadItem, .ownerNotSignedIn, subject: item.type)
    }
    let decision = self.decision(on: item.tag, of: work, pending)
    replies.answer(
      pending, .loadItem, with: item, decision, sender: work.pending.actingIdentity.participant)
  }

  /// Returns the decision on a transfer of data with the tag `tag`, under the current policies.
  private func decision(
    on tag: OwnershipTag?, of work: ExtensionWork, _ pending: PendingRequest
  ) -> TransferDecision {
    let caller = work.pending.guest
    let actingIdentity = identities.renewed(work.pending.actingIdentity, of: caller)
    let ownership = tags.ownership(of: tag, in: caller, as: actingIdentity)
    var transfer = work.decision.request
    transfer.sender = actingIdentity.party
    transfer.owner = ownership.owner
    transfer.receiver = pending.actingIdentity.party
    let verdict = enforcement.verdict(on: transfer)
    return TransferDecision(
      transfer, verdict, ownership, arena: transaction.encoding, from: [work.pending.number])
  }

  private func recordDecision(
    on type: String, _ decision: TransferDecision, _ pending: PendingRequest,
    _ work: ExtensionWork
  ) {
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: .loadItem, via: decision.request.via,
        sender: work.pending.actingIdentity.participant,
        receiver: pending.actingIdentity.participant,
        owner: decision.ownership.owner.account?.upn ?? "", type: type, from: decision.from,
        verdict: decision.explained))
  }
}

extension ExtensionWork {
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

// MARK: - Calls

/// Handles calls that reach an extension through the system instead of a share sheet, such as a VPN connection
/// or a sign-in through an identity provider.
extension ExtensionHost {
  /// Starts an instance of the extension for the call. No policy applies to the call, because iOS itself passes the
  /// app's data on unchanged.
  func call(_ call: ExtensionCall, _ pending: PendingRequest) {
    let item = call.item
    guard let destination = registry.guest(named: call.extensionID) else {
      return replies.refuse(pending, .extensionCall, .noSuchDestination, subject: call.extensionID)
    }
    guard !management.refuseWhileBanned(.extensionCall, pending, destination) else { return }
    switch destination.app.kind.extensionPoint {
    case .singleSignOn: break
    case .packetTunnel:
      // Only the app that contains the extension has a session with it (NETunnelProviderSession).
      let (app, tunnel) = (pending.guest.app, destination.app)
      guard tunnel.kind.containingApp == app.bundleID, tunnel.team == app.team else {
        return replies.refuse(
          pending, .extensionCall, .extensionOfAnotherApp, subject: call.extensionID)
      }
    case .share, .action, .service, .notificationService, .keyboard, .safariWebExtension,
      .fileProvider, nil:
      return replies.refuse(
        pending, .extensionCall, .extensionOfAnotherPoint, subject: call.extensionID)
    }
    if let rule = tags.rejection(of: item, from: pending.guest) {
      return replies.refuse(pending, .extensionCall, rule, subject: call.extensionID)
    }
    let ownership = tags.ownership(
      of: item.tag, in: pending.guest, as: pending.actingIdentity)
    let instance = newInstance(of: destination, startedBy: pending.guest)
    let transfer = TransferRequest(
      channel: .share, sender: pending.actingIdentity.party, owner: ownership.owner,
      receiver: instance.party, device: policies.deviceState)
    let verdict = Verdict([Reason(.systemCallsExtension, .device)])
    let decision = TransferDecision(
      transfer, verdict, ownership, arena: transaction.encoding, from: item.tag?.items ?? [])
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .extensionCall,
        sender: pending.actingIdentity.participant,
        receiver: instance.participant, owner: ownership.owner.account?.upn ?? "", type: item.type,
        bytes: item.payload.count, from: decision.from, subject: call.extensionID,
        verdict: decision.explained))
    begin(instance, with: [OfferedItem(item)], decision, pending)
  }
}

extension Guest {
  /// Whether the guest has a process, and it is not being stopped.
  fileprivate var isStaying: Bool {
    switch state {
    case .spawning, .ready, .suspended: true
    case .stopping, .exited, nil: false
    }
  }
}

// MARK: - Work of an instance

/// The request for which an extension instance was started.
struct ExtensionWork {
  var pending: PendingRequest
  var decision: TransferDecision
  let items: [OfferedItem]
  /// The size of the item data that the device holds, in bytes.
  let bytes: Int
  var load: PendingLoad?

  init(pending: PendingRequest, decision: TransferDecision, items: [OfferedItem]) {
    self.pending = pending
    self.decision = decision
    self.items = items
    bytes = items.flatMap(\.attachments).flatMap(\.representations).reduce(0) { $0 + $1.count }
  }
}

/// A load of a representation that the providing app must first create.
struct PendingLoad {
  var pending: PendingRequest
  var provider: Guest
  /// The number of the device's call that asks the provider for the representation.
  var ask: UInt64
  var reference: RepresentationReference
}
