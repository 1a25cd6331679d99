internal import DequeModule
internal import EventLoop
internal import Model
internal import Policy
internal import Wire

/// Share and action extensions: a process for each item, started for the item and ended after it.
final class ExtensionHost {
  let limits: DeviceConfiguration.Limits
  let enforcement: DeviceConfiguration.Enforcement
  let registry: GuestRegistry
  let supervisor: GuestSupervisor
  let deliveries: Deliveries
  let policies: PolicyAssignments
  let identities: IdentityCoordinator
  let access: AccessController
  let management: ManagementAgent
  let custody: ItemCustody
  let clock: VirtualClock
  let audit: AuditLog
  let turn: Turn
  let replies: Replies
  private let folders: Folders
  private let accounts: SignInCoordinator
  private let configurations: AppConfigurationService

  init(
    _ configuration: DeviceConfiguration, folders: Folders, registry: GuestRegistry,
    supervisor: GuestSupervisor, deliveries: Deliveries, policies: PolicyAssignments,
    identities: IdentityCoordinator, access: AccessController, accounts: SignInCoordinator,
    configurations: AppConfigurationService, management: ManagementAgent, custody: ItemCustody,
    clock: VirtualClock, audit: AuditLog, replies: Replies
  ) {
    limits = configuration.limits
    enforcement = configuration.enforcement
    self.folders = folders
    self.registry = registry
    self.supervisor = supervisor
    self.deliveries = deliveries
    self.policies = policies
    self.identities = identities
    self.access = access
    self.accounts = accounts
    self.configurations = configurations
    self.management = management
    self.custody = custody
    self.clock = clock
    self.audit = audit
    self.replies = replies
    turn = supervisor.turn
  }

  /// Creates an instance of an extension, which acts for the accounts of its app.
  ///
  /// - Parameter starter: the guest whose request it is for.
  func newInstance(of destination: Guest, startedBy starter: Guest) -> Guest {
    let name = registry.nextInstance(of: destination)
    let instance = identities.makeGuest(
      named: name.description, registry.completed(destination.app),
      container: folders.container(destination.app.name), limits: limits)
    if let prepared = destination.preparedRuns.removeValue(forKey: starter.name) {
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

  /// Ends an instance that gets no item.
  func discard(_ instance: Guest) {
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
      throw Violation(text: "it hands back \(items.count) items")
    }
    let work = try takeWork(of: instance)
    audit.record(
      .extensionCompleted(guest: instance.name, request: work.pending.number, returned: items.count)
    )
    let stated = audit.takeStatement(of: pending.number)
    let returned = items.compactMap { handBack($0, from: instance, to: work.pending, stated) }
    replies.finish(work.pending, work.ruling.outcome(work.ruling.delivered, items: returned))
    supervisor.supervise(instance, .stop)
  }

  func cancelExtension(_ why: String, _ pending: PendingRequest) throws {
    let instance = pending.guest
    _ = audit.takeStatement(of: pending.number)
    let work = try takeWork(of: instance)
    audit.record(.extensionCancelled(guest: instance.name, request: work.pending.number, why: why))
    replies.finish(
      work.pending, .failed, work.ruling.answer(.failed), detail: "cancelled by the extension")
    supervisor.supervise(instance, .stop)
  }

  private func takeWork(of instance: Guest) throws -> ExtensionWork {
    guard let work = instance.work else {
      throw Violation(text: "it ends an extension request that is not open")
    }
    instance.work = nil
    return work
  }

  /// Hands a result back as a transfer of its own, from the extension to the app that called it; nil where it is
  /// refused.
  ///
  /// - Parameter stated: the items that the results were made of, as the extension says.
  private func handBack(
    _ item: Item, from instance: Guest, to pending: PendingRequest, _ stated: [Int]
  ) -> Item? {
    let caller = pending.guest
    // The identity that the calling task asked for, by what holds now.
    let actingIdentity = identities.renewed(pending.actingIdentity, of: caller)
    let number = audit.nextRequest()
    audit.state(stated, of: number)
    guard let ownership = custody.ownership(of: item, from: instance) else {
      refuseResult(
        number, from: instance, Explainer.explain(Verdict([Reason(.tagSealBroken, .device)])))
      return nil
    }
    guard !custody.isOrphaned(item.tag, in: instance) else {
      refuseResult(
        number, from: instance, Explainer.explain(Verdict([Reason(.ownerNotSignedIn, .device)])))
      return nil
    }
    // The app that called may have been locked while the extension worked.
    if let lock = caller.acting.lock(of: actingIdentity) {
      refuseResult(number, from: instance, lock.explained)
      return nil
    }
    let transfer = TransferRequest(
      channel: .extensionResult, sender: instance.party, owner: ownership.owner,
      receiver: actingIdentity.party, device: policies.deviceState)
    // What has no tag was made of what the extension was started for.
    let ruling = Ruling(
      transfer, evaluate(transfer), ownership, arena: turn.encoding,
      from: item.tag?.items ?? [pending.number])
    audit.decided(
      PendingRequest(number: number, guest: instance, request: 0), by: ruling,
      RequestDecision(
        request: number, operation: .completeExtension, via: .sdk, sender: instance.participant,
        receiver: actingIdentity.participant, owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, from: ruling.from, verdict: ruling.explained))
    let isAllowed = ruling.verdict.outcome == .allowed
    if isAllowed {
      audit.handedOver(number, item)
      custody.handed(item, number, to: caller.app.bundleID)
    }
    audit.ended(number, isAllowed ? .delivered : .refused)
    return isAllowed ? custody.tagged(item, ruling.ownership(at: actingIdentity), number) : nil
  }

  private func refuseResult(_ number: Int, from instance: Guest, _ verdict: ExplainedVerdict) {
    audit.decided(
      PendingRequest(number: number, guest: instance, request: 0),
      RequestDecision(
        request: number, operation: .completeExtension, sender: instance.participant,
        verdict: verdict))
    audit.ended(number, .refused)
  }

  /// Ends the request of an extension that is gone, and has neither completed nor cancelled it.
  func failExtensionWork(of instance: Guest, reason cause: ExitCause) {
    guard let work = instance.work else { return }
    instance.work = nil
    let text = instance.text(of: cause)
    audit.record(.extensionCancelled(guest: instance.name, request: work.pending.number, why: text))
    replies.finish(
      work.pending, .undeliverable, work.ruling.answer(.undeliverable),
      detail: "`\(instance.name)` \(text)")
  }
}
