internal import Model
internal import Policy
internal import Wire

/// Identity switches, to an account that is signed in and that its policy opens.
extension AccessController {
  func switchIdentity(
    _ change: SwitchIdentity, in task: TaskContext?, _ pending: PendingRequest
  ) throws(Violation) {
    let guest = pending.guest
    guard change.others.count < Self.mostWindows,
      guest.acting.canName(change.level, Self.mostWindows)
    else { throw Violation(text: "more windows than a screen has room for") }
    guard guest.app.isMultiIdentity else {
      return replies.refuse(pending, .switchIdentity, .notMultiIdentity, subject: change.account)
    }
    let wanted: [Identity]
    do throws(SwitchRefusal) {
      wanted = try resolve([change.account] + change.others, in: guest)
    } catch {
      return replies.refuse(pending, .switchIdentity, error.rule, subject: error.name)
    }
    guard task?.thread == nil || Self.agrees(pending.actingIdentity.identity, with: wanted[0])
    else {
      return replies.refuse(
        pending, .switchIdentity, .threadOfOtherAccount, subject: change.account)
    }
    let actingIdentity = identities.actingIdentity(of: guest, viewing: wanted)
    let rules = Self.rules(of: wanted.map { identities.party(of: guest, actingFor: $0) })
    let pendingSwitch = PendingSwitch(level: change.level, identities: wanted)
    let access = verdictOnSwitch(of: guest, to: wanted, pendingSwitch)
    if let access, access.verdict.outcome == .blocked {
      return refuse(pending, switchTo: change.account, rules, access)
    }
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .switchIdentity,
        sender: pending.actingIdentity.participant,
        subject: change.account, verdict: Explainer.explain(rules)))
    identities.setActingIdentity(actingIdentity, of: guest, at: change.level)
    if change.level != .process { guest.acting.admission = access?.verdict }
    audit.record(
      .identitySwitched(
        guest: guest.name, identity: actingIdentity.identity.accountID,
        isManaged: actingIdentity.party.isManaged))
    replies.finish(pending, RequestOutcome(verdict: .allowed, end: .delivered))
  }

  private struct SwitchRefusal: Error {
    var rule: Rule
    var name: String?
  }

  /// The identities of those names, each once, in the order of the names; nil names the unset identity.
  private func resolve(
    _ names: [String?], in guest: Guest
  ) throws(SwitchRefusal) -> [Identity] {
    var found: [Identity] = []
    for name in names {
      guard let identity = identity(named: name, in: guest) else {
        throw SwitchRefusal(rule: .accountNotSignedIn, name: name)
      }
      guard !guest.isBlocked(identity) else {
        throw SwitchRefusal(rule: .accountBlocked, name: name)
      }
      guard !registry.isBeingWiped(identity.account, in: guest) else {
        throw SwitchRefusal(rule: .accountBeingWiped, name: name)
      }
      if !found.contains(where: { $0.isSame(as: identity) }) { found.append(identity) }
    }
    return found
  }

  /// Agreement of a thread's identity, which counts before those of process and windows, with the one to be set.
  private static func agrees(_ thread: Identity, with wanted: Identity) -> Bool {
    !wanted.isUnset && wanted.isSame(as: thread)
  }

  /// The largest number of windows that a guest may set identities for, and of accounts that one window may show.
  private static let mostWindows = 64

  /// The verdict on a switch to these parties, as far as it does not depend on conditional launch.
  private static func rules(of parties: [Party]) -> Verdict {
    let managed = parties.count(where: \.isManaged)
    if parties.count > 1, managed > 0 {
      return Verdict([
        Reason(managed == 1 ? .viewOfOneManagedAccount : .viewOfManagedAccounts, .device)
      ])
    }
    let isAccount = parties.first?.identity.account != nil
    return Verdict([Reason(isAccount ? .accountSignedIn : .unmanagedIdentity, .device)])
  }

  /// Refuses a switch to an account that is signed in, but that its policy does not open.
  private func refuse(
    _ pending: PendingRequest, switchTo accountID: String?, _ found: Verdict,
    _ access: ExplainedAccess
  ) {
    var explained = Explainer.explain(access.request, access.verdict)
    explained.reasons = Explainer.explain(found).reasons + explained.reasons
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .switchIdentity,
        sender: pending.actingIdentity.participant,
        subject: accountID, verdict: explained))
    replies.finish(
      pending,
      RequestOutcome(
        verdict: .blocked, end: .refused,
        reasons: (found.reasons + access.verdict.reasons).map(OutcomeReason.init)))
  }

  private func identity(named accountID: String?, in guest: Guest) -> Identity? {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      guest.accounts.signedIn.first { $0.account.isNamed(name) }.map { .account($0.account) }
    }
  }
}
