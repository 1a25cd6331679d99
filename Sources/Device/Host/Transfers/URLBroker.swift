internal import Model
internal import Policy
internal import Wire

/// Opens URLs in the app that registered their scheme or claims their domain.
final class URLBroker: HostService {
  private let identities: IdentityCoordinator
  private let access: AccessController
  private let management: ManagementAgent
  private let tags: TagAuthority

  init(
    _ core: ServiceCore, identities: IdentityCoordinator, access: AccessController,
    management: ManagementAgent, tags: TagAuthority
  ) {
    self.identities = identities
    self.access = access
    self.management = management
    self.tags = tags
    super.init(core)
  }

  func open(_ open: OpenURL, _ pending: PendingRequest) {
    guard let scheme = URLScheme.of(open.url) else {
      return replies.refuse(pending, .openURL, .malformedURL, subject: open.url)
    }
    let opening = opening(open, scheme, pending.actingIdentity)
    // A banned app opens no URLs. For a scheme, it is the receiver only if no other app registers the scheme.
    if let receiver = opening.receiver {
      guard !management.refuseWhileBanned(.openURL, pending, receiver) else { return }
    }
    guard !open.isQuestion, opening.missingTwin == nil, let receiver = opening.receiver,
      let identity = identity(of: receiver, toOpenFor: pending),
      !isBlocked(opening.transfer, bySenderTo: receiver, actingFor: identity)
    else { return conclude(open, opening, pending) }
    pending.guest.mailbox.unansweredRequests += 1
    access.require(identity, of: receiver, reason: "openURL") { [unowned self] isSwitching in
      var pending = pending
      guard isSwitching else {
        replies.refuse(pending, .openURL, .identitySwitchRefused, subject: open.url)
        return replies.resolve(pending)
      }
      guard
        !tags.isOrphaned(nil, offeredAs: pending.actingIdentity, in: pending.guest)
      else {
        replies.refuse(pending, .openURL, .ownerNotSignedIn, subject: open.url)
        return replies.resolve(pending)
      }
      pending.actingIdentity = identities.renewed(pending.actingIdentity, of: pending.guest)
      if !access.refuseWhileLocked(.openURL, pending) {
        conclude(open, self.opening(open, scheme, pending.actingIdentity), pending)
      }
      replies.resolve(pending)
    }
  }

  /// Returns the identity that a multi-identity receiver must switch to before it gets the URL; nil if no switch is
  /// needed or possible. A receiver must switch to the sender's managed account if this account is signed in to the
  /// receiver and the receiver acts for another one. A receiver that must switch is started.
  ///
  /// The SDK requests the switch (`identitySwitchRequired`, reason `openURL`). If the app does not switch, the SDK
  /// reports this to the user instead of passing the URL on.
  private func identity(of receiver: Guest, toOpenFor pending: PendingRequest) -> Identity? {
    guard receiver.app.isMultiIdentity, receiver !== pending.guest,
      pending.actingIdentity.party.isManaged,
      let account = pending.actingIdentity.identity.account,
      !receiver.acting.actingIdentity.concerns(account),
      let own = receiver.accounts.signedIn.first(where: { $0.account.isSameUser(as: account) }),
      own.policy != nil, receiver.state != .suspended
    else { return nil }
    let identity = Identity.account(own.account)
    guard !receiver.isBlocked(identity), !registry.isBeingWiped(own.account, in: receiver) else {
      return nil
    }
    if !receiver.isRunning { supervisor.start(receiver) }
    return receiver.isRunning ? identity : nil
  }

  /// Returns whether the sender's SDK would block the URL even after the receiver has switched to `identity`. If so,
  /// the receiver's SDK never gets the URL and requests no switch.
  private func isBlocked(
    _ transfer: TransferRequest, bySenderTo receiver: Guest, actingFor identity: Identity
  ) -> Bool {
    var transfer = transfer
    transfer.receiver = identities.party(of: receiver, actingFor: identity)
    return evaluate(transfer).reasons.contains {
      $0.side == .sender && $0.rule.effect == .blocked
    }
  }

  private func conclude(_ open: OpenURL, _ opening: Opening, _ pending: PendingRequest) {
    let operation = Operation(opening.transfer.channel)
    if !open.isQuestion, let receiver = opening.receiver,
      access.refuseWhileLocked(operation, pending, lockOf: receiver)
    {
      return
    }
    let sender = pending.actingIdentity
    let decision = TransferDecision(
      opening.transfer, opening.verdict, sender.ownership, arena: transaction.encoding)
    audit.decided(
      pending, by: decision,
      RequestDecision(
        request: pending.number, operation: operation, sender: sender.participant,
        receiver: opening.receiver?.participant,
        owner: sender.ownership.owner.account?.upn ?? "", subject: open.url,
        verdict: decision.explained))
    carryOut(open, opening, decision, pending)
  }

  /// The decision on opening a URL, with the receiving app and the URL that it gets.
  private struct Opening {
    var transfer: TransferRequest
    var verdict: Verdict
    /// The URL for the receiver, which may differ from the requested URL.
    var url: String
    /// The app that opens the URL; nil if no app on this device opens it.
    var receiver: Guest?
    /// The twin scheme that the SDK uses instead of the requested scheme, if no app registers the twin; otherwise nil.
    var missingTwin: String?
  }

  /// Decides on opening a URL in the requested app. If the verdict requires another app, decides again for that app. If
  /// the request permits only universal links, decides only once.
  ///
  /// Source: ms-intune-app-sdk-ios, issue 486.
  private func opening(_ open: OpenURL, _ scheme: String, _ sender: ActingIdentity) -> Opening {
    var target = target(of: open.url, scheme)
    if open.isUniversalLinkOnly, target.channel == .openURL { target.app = nil }
    var transfer = request(for: open, scheme, target, sender)
    var verdict = evaluate(transfer)
    if !open.isUniversalLinkOnly, let required = app(requiredBy: verdict, for: transfer),
      management.ban(on: required) == nil
    {
      target = URLTarget(channel: .openURL, app: required)
      transfer = request(for: open, scheme, target, sender)
      verdict = evaluate(transfer)
    }
    guard !open.isUniversalLinkOnly, let url = redirection(of: open.url, for: transfer, verdict)
    else {
      let fails = target.app != nil && lacksTwin(scheme, for: verdict)
      let missing = fails ? URLScheme.twin(of: scheme) : nil
      return Opening(
        transfer: transfer, verdict: verdict, url: open.url, receiver: target.app,
        missingTwin: missing)
    }
    let receiver = URLScheme.of(url).flatMap(app(opening:))
    return Opening(
      transfer: transfer, verdict: verdict, url: url,
      receiver: receiver.flatMap { management.ban(on: $0) == nil ? $0 : nil })
  }

  private func request(
    for open: OpenURL, _ scheme: String, _ target: URLTarget<Guest>, _ sender: ActingIdentity
  ) -> TransferRequest {
    // The app's list of managed schemes decides a query, and an opening that no installed app can carry out. Any
    // other opening is decided by the installed app.
    let isKnown =
      open.isKnownManagedScheme && (open.isQuestion || target.app == nil)
      || belongsToManagedTwin(scheme)
    return TransferRequest(
      channel: target.channel, sender: sender.party, owner: sender.ownership.owner,
      receiver: target.app?.party ?? .system,
      content: Content(
        scheme: scheme, isKnownManagedScheme: isKnown,
        opensInManagedBrowser: target.app.map { $0 === managedBrowser } ?? false, url: open.url,
        link: WebLink(open.url)),
      device: policies.deviceState)
  }

  private func carryOut(
    _ open: OpenURL, _ opening: Opening, _ decision: TransferDecision, _ pending: PendingRequest
  ) {
    if decision.verdict.outcome == .blocked {
      replies.finish(pending, .refused, decision.answer(.refused))
    } else if let twin = opening.missingTwin {
      replies.finish(
        pending, .failed, decision.answer(.failed),
        detail:
          "the SDK opens the URL with the scheme `\(twin)`, but no app on this device registers this scheme (-10814)"
      )
    } else if open.isQuestion, opening.receiver != nil || WebLink(open.url) != nil {
      replies.finish(pending, .delivered, decision.answer(.delivered))
    } else if let receiver = opening.receiver {
      deliveries.deliver(url: opening.url, from: pending, to: receiver, decision)
    } else {
      replies.finish(
        pending, .failed, decision.answer(.failed),
        detail: "no app on this device opens `\(opening.url)`")
    }
  }
}

extension URLBroker: URLOpeners {
  func app(claiming host: String, for service: String) -> Guest? {
    registry.installed.first { guest in
      guest.app.associatedDomains.contains { $0.claims(host, for: service) }
    }
  }

  func app(opening scheme: String) -> Guest? {
    let apps = registry.installed.filter { $0.app.schemes.contains(scheme) }
    return apps.first { management.ban(on: $0) == nil } ?? apps.first
  }

  func integratesSDK(_ guest: Guest) -> Bool { guest.app.integratesSDK }

  func protectsAccount(_ guest: Guest) -> Bool {
    guest.accounts.signedIn.contains { $0.policy != nil }
  }

  var managedBrowser: Guest? {
    registry.installed.first { $0.app.bundleID.lowercased() == ManagedBrowser.bundleID }
  }
}
