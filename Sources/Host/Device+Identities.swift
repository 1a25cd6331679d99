internal import Policy
internal import Transfer
internal import Wire

/// For whom guests act: in their process, and in each of their windows.
extension Device {
  func switchIdentity(_ change: SwitchIdentity, _ origin: Origin) throws(Violation) {
    let guest = origin.guest
    guard change.others.count < Self.mostWindows, guest.canName(change.level, Self.mostWindows)
    else { throw Violation(text: "more windows than a screen has room for") }
    guard guest.app.isMultiIdentity else {
      return refuse(origin, .switchIdentity, .notMultiIdentity, subject: change.account)
    }
    let identities: [Identity]
    do throws(SwitchRefusal) {
      identities = try self.identities(named: [change.account] + change.others, in: guest)
    } catch {
      return refuse(origin, .switchIdentity, error.rule, subject: error.name)
    }
    let persona = persona(of: guest, viewing: identities)
    let rules = Self.rules(of: identities.map { party(of: guest, actingFor: $0) })
    let wish = Guest.Wish(level: change.level, identities: identities)
    let access = verdictOnSwitch(of: guest, to: identities, wish)
    if let access, access.verdict.outcome == .blocked {
      return refuse(origin, switchTo: change.account, rules, access)
    }
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .switchIdentity, sender: origin.persona.participant,
        subject: change.account, verdict: Explainer.explain(rules)))
    setPersona(persona, of: guest, at: change.level)
    if change.level != .process { guest.admission = access?.verdict }
    record(
      .identitySwitched(
        guest: guest.name, identity: persona.identity.accountID,
        isManaged: persona.party.isManaged))
    finish(origin, RequestOutcome(verdict: .allowed, end: .delivered))
  }

  private struct SwitchRefusal: Error {
    var rule: Rule
    var name: String?
  }

  /// Each once, in the order of the names; nil names the identity that is unset.
  private func identities(
    named names: [String?], in guest: Guest
  ) throws(SwitchRefusal) -> [Identity] {
    var identities: [Identity] = []
    for name in names {
      guard let identity = identity(named: name, in: guest) else {
        throw SwitchRefusal(rule: .accountNotSignedIn, name: name)
      }
      guard !guest.isBlocked(identity) else {
        throw SwitchRefusal(rule: .accountBlocked, name: name)
      }
      guard !isBeingWiped(identity.account, in: guest) else {
        throw SwitchRefusal(rule: .accountBeingWiped, name: name)
      }
      if !identities.contains(where: { $0.isSame(as: identity) }) { identities.append(identity) }
    }
    return identities
  }

  /// Windows that a guest may have identities for, and accounts that one may show.
  private static let mostWindows = 64

  /// Why a view of these accounts is what it is.
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

  /// The account is there, and its policy does not open it.
  private func refuse(
    _ origin: Origin, switchTo accountID: String?, _ found: Verdict, _ access: ExplainedAccess
  ) {
    var explained = Explainer.explain(access.request, access.verdict)
    explained.reasons = Explainer.explain(found).reasons + explained.reasons
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .switchIdentity, sender: origin.persona.participant,
        subject: accountID, verdict: explained))
    finish(
      origin,
      RequestOutcome(
        verdict: .blocked, end: .refused,
        reasons: (found.reasons + access.verdict.reasons).map(OutcomeReason.init)))
  }

  private func identity(named accountID: String?, in guest: Guest) -> Identity? {
    switch accountID {
    case nil: .unset
    case "": .unknown
    case let name?:
      guest.accounts.first { $0.account.isNamed(name) }.map { .account($0.account) }
    }
  }

  // MARK: setting

  /// The identity that an app has without having asked for one: none in a multi-identity app, else its
  /// managed account, else the one that signed in first.
  func actForDefaultAccount(_ guest: Guest) {
    let accounts = guest.accounts.filter { !guest.isBlocked(.account($0.account)) }
    let account = accounts.first { $0.policy != nil } ?? accounts.first
    let identity: Identity =
      guest.app.isMultiIdentity ? .unset : account.map { .account($0.account) } ?? .unset
    change(guest) {
      guest.forgetWindows()
      guest.processPersona = persona(of: guest, actingFor: identity)
    }
    sendIdentities(guest)
  }

  /// Acts for `identity` in the window in front; in an app of one identity, altogether.
  func setIdentity(_ identity: Identity, of guest: Guest) {
    let level: IdentityLevel =
      guest.app.isMultiIdentity ? .window(guest.keyWindow) : .process
    setPersona(persona(of: guest, actingFor: identity), of: guest, at: level)
  }

  func setPersona(_ persona: Persona, of guest: Guest, at level: IdentityLevel) {
    change(guest) {
      switch level {
      case .process: guest.processPersona = persona
      case .window(let name):
        guest.setPersona(persona.identity.isUnset ? nil : persona, ofWindow: name)
      }
    }
    sendIdentity(guest, at: level)
  }

  /// An account is no longer there: views go on with whom else they show, windows that showed it alone show nobody,
  /// and the process acts for whom it would without it.
  func dropPersonas(of account: Account, in guest: Guest) {
    guard guest.personas.contains(where: { $0.concerns(account) }) else { return }
    guard guest.app.isMultiIdentity else {
      actForDefaultAccount(guest)
      if guest.isReady { checkAccess(guest) }
      return
    }
    renewPersonas(of: guest) { $0.account?.isSame(as: account) ?? false ? nil : $0 }
  }

  /// An account has another name: who acts for it goes on doing so.
  func renamePersonas(of guest: Guest, _ account: Account, to new: Account) {
    renewPersonas(of: guest) {
      $0.account?.isSame(as: account) ?? false ? .account(new) : $0
    }
  }

  /// Makes every persona anew: of what was signed in, something is different now.
  ///
  /// - Parameter substitute: gives who takes an identity's place; nil: nobody.
  func renewPersonas(of guest: Guest, _ substitute: (Identity) -> Identity? = { $0 }) {
    change(guest) {
      guest.processPersona = renewed(guest.processPersona, of: guest, substitute)
      for (name, persona) in guest.windows {
        let renewed = renewed(persona, of: guest, substitute)
        guest.replacePersona(renewed.identity.isUnset ? nil : renewed, ofWindow: name)
      }
    }
    sendIdentities(guest)
  }

  /// Tells a guest for whom it acts everywhere.
  func sendIdentities(_ guest: Guest) {
    sendIdentity(guest, at: .process)
    for name in Set(guest.windows.keys).union([""]).sorted() {
      sendIdentity(guest, at: .window(name))
    }
  }

  /// Carries out a change of identity, and draws its consequences.
  private func change(_ guest: Guest, _ body: () -> Void) {
    let before = guest.persona
    body()
    generation += 1
    let losesPolicy = before.party.isManaged && !guest.party.isManaged
    guard losesPolicy || !guest.identity.isSame(as: before.identity) else { return }
    guest.admission = nil
    for index in guest.locks.indices { guest.locks[index].wish = nil }
    // What was decided about the account that the guest acted for before holds no longer.
    guard guest.held.count > 0 else { return }
    giveUp(on: guest, "`\(guest.name)` acts for another account now")
  }

  /// Tells a guest for whom it acts.
  func sendIdentity(_ guest: Guest, at level: IdentityLevel) {
    guard guest.isReady || guest.state == .suspended else { return }
    let persona =
      switch level {
      case .process: guest.processPersona
      case .window(let name): guest.windows[name] ?? guest.processPersona
      }
    send(
      HostMessage(
        .identityChanged(
          IdentityChange(
            account: persona.identity.accountID, isManaged: persona.party.isManaged,
            level: level))),
      to: guest)
  }
}

extension Identity {
  fileprivate var isUnset: Bool {
    if case .unset = self { true } else { false }
  }
}
