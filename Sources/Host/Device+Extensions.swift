internal import DequeModule
internal import EventLoop
internal import Policy
internal import Transfer
internal import Wire

/// Share and action extensions: a process for each item, started for it and ended after it.
extension Device {
  /// A new run of an extension, which acts for the accounts of its app.
  func newRun(of destination: Guest) -> Guest {
    let number = runs[destination.name, default: 0] + 1
    runs[destination.name] = number
    let name = RunName(of: destination.name, number)
    let run = makeGuest(named: name.description, completed(destination.app))
    run.accounts = accounts(ofExtension: run.app).map { configured($0, run) }
    setIdentity(Self.actor(of: run.accounts).map { .account($0.account) } ?? .unset, of: run)
    add(run)
    return run
  }

  /// An extension with what it does not state, and so has from its app.
  func completed(_ extension: AppDescription) -> AppDescription {
    guard let app = containingApp(of: `extension`)?.app else { return `extension` }
    var description = `extension`
    description.version = description.version ?? app.version
    description.sdkVersion = description.sdkVersion ?? app.sdkVersion
    // Whom MDM enrolled is told to the app, and its extensions know it from there.
    if description.configuration.isEmpty { description.configuration = app.configuration }
    // MDM installs an app with its extensions.
    description.isMDMManaged = description.isMDMManaged || app.isMDMManaged
    return description
  }

  /// An extension acts for the accounts of its app: it has no sign-in of its own.
  func accounts(ofExtension extension: AppDescription) -> [Guest.SignedIn] {
    guard let app = containingApp(of: `extension`) else { return [] }
    return app.accounts.map(\.account).filter {
      !app.isBlocked(.account($0)) && !isBeingWiped($0, in: app)
    }.map { signedIn($0, `extension`, of: app) }
  }

  /// For whom an extension acts: the managed account, or else the one that signed in first.
  static func actor(of accounts: [Guest.SignedIn]) -> Guest.SignedIn? {
    accounts.first { $0.policy != nil } ?? accounts.first
  }

  /// nil where it is not on the device.
  func containingApp(of extension: AppDescription) -> Guest? {
    `extension`.kind.containingApp.flatMap { bundles[$0] }
  }

  /// A run that gets no item is none.
  func discard(_ run: Guest) {
    guard run.app.kind != .app else { return }
    if run.isRunning {
      supervise(run, .stop)
    } else {
      remove(run)
    }
  }

  func completeExtension(_ items: [Item], _ origin: Origin) throws {
    let run = origin.guest
    guard items.count <= RequestLimits.returnedItems else {
      throw Violation(text: "it hands back \(items.count) items")
    }
    let work = try takeWork(of: run)
    record(
      .extensionCompleted(guest: run.name, request: work.origin.number, returned: items.count))
    let returned = items.compactMap { handBack($0, from: run, to: work.origin) }
    finish(work.origin, work.ruling.outcome(work.ruling.delivered, items: returned))
    supervise(run, .stop)
  }

  func cancelExtension(_ why: String, _ origin: Origin) throws {
    let run = origin.guest
    let work = try takeWork(of: run)
    record(.extensionCancelled(guest: run.name, request: work.origin.number, why: why))
    finish(
      work.origin, .failed, work.ruling.answer(.failed), detail: "cancelled by the extension")
    supervise(run, .stop)
  }

  private func takeWork(of run: Guest) throws -> Guest.ExtensionWork {
    guard let work = run.work else {
      throw Violation(text: "it ends an extension request that is not open")
    }
    run.work = nil
    return work
  }

  /// A result is a transfer of its own, from the extension to the app that called it.
  private func handBack(_ item: Item, from run: Guest, to origin: Origin) -> Item? {
    let caller = origin.guest
    // For whom the task asked that called, by what holds now.
    let persona = renewed(origin.persona, of: caller)
    let number = nextRequest()
    guard let ownership = ownership(of: item, from: run) else {
      refuseResult(number, from: run, Explainer.explain(Verdict([Reason(.tagSealBroken, .device)])))
      return nil
    }
    guard !isOrphaned(item.tag, in: run) else {
      refuseResult(
        number, from: run, Explainer.explain(Verdict([Reason(.ownerNotSignedIn, .device)])))
      return nil
    }
    // The app that called may have been locked while the extension worked.
    if let lock = caller.lock(of: persona) {
      refuseResult(number, from: run, lock.explained)
      return nil
    }
    let transfer = TransferRequest(
      channel: .extensionResult, sender: run.party, owner: ownership.owner,
      receiver: persona.party, device: configuration.state)
    let ruling = Ruling(transfer, evaluate(transfer), ownership, arena: encoding)
    decide(
      Origin(number: number, guest: run, request: 0),
      RequestDecision(
        request: number, operation: .completeExtension, via: .sdk, sender: run.participant,
        receiver: persona.participant, owner: ownership.owner.account?.upn ?? "",
        type: item.type, bytes: item.payload.count, verdict: ruling.explained))
    let isAllowed = ruling.verdict.outcome == .allowed
    if isAllowed { observer?.onItem?(number, item) }
    ended(number, isAllowed ? .delivered : .refused)
    return isAllowed ? tagged(item, ruling.ownership(at: persona)) : nil
  }

  private func refuseResult(_ number: Int, from run: Guest, _ verdict: ExplainedVerdict) {
    decide(
      Origin(number: number, guest: run, request: 0),
      RequestDecision(
        request: number, operation: .completeExtension, sender: run.participant,
        verdict: verdict))
    ended(number, .refused)
  }

  /// The extension is gone, and has neither completed nor cancelled.
  func failExtensionWork(of run: Guest, because cause: ExitCause) {
    guard let work = run.work else { return }
    run.work = nil
    let text = run.text(of: cause)
    record(.extensionCancelled(guest: run.name, request: work.origin.number, why: text))
    finish(
      work.origin, .undeliverable, work.ruling.answer(.undeliverable),
      detail: "`\(run.name)` \(text)")
  }
}
