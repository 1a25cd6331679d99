internal import Policy
internal import Transfer
internal import Wire

/// A guest acting for one identity: what rules, tags and the journal see of it. Never changes.
final class Persona {
  let identity: Identity
  let party: Party
  let ownership: Ownership
  let participant: Participant
  /// Everybody whose data is shown, where that is more than one.
  let viewed: [Identity]

  init(
    _ identity: Identity, party: Party, ownership: Ownership, participant: Participant,
    viewed: [Identity] = []
  ) {
    self.identity = identity
    self.viewed = viewed
    self.party = party
    self.ownership = ownership
    self.participant = participant
  }
}

extension Persona {
  /// Everybody whom it acts for, or shows data of.
  var everybody: [Identity] { viewed.isEmpty ? [identity] : viewed }

  /// Whether it acts for the account, or shows data of it.
  func concerns(_ account: Account) -> Bool {
    everybody.contains { $0.account?.isSame(as: account) ?? false }
  }
}

extension Device {
  /// The same persona by what holds now. An account that `change` gives no identity for is left out.
  func renewed(
    _ persona: Persona, of guest: Guest, _ change: (Identity) -> Identity? = { $0 }
  ) -> Persona {
    self.persona(of: guest, viewing: persona.everybody.compactMap(change))
  }

  func persona(of guest: Guest, actingFor identity: Identity) -> Persona {
    persona(of: guest, identity, party(of: guest, actingFor: identity))
  }

  private func persona(
    of guest: Guest, _ identity: Identity, _ party: Party, viewing viewed: [Identity] = []
  ) -> Persona {
    Persona(
      identity, party: party,
      ownership: Ownership(
        owner: Owner(account: identity.account, policy: party.policy),
        originApp: guest.app.bundleID, sealer: sealer),
      participant: Participant(
        guest: guest.name, app: guest.app.bundleID, identity: identity.accountID,
        isManaged: party.isManaged), viewed: viewed)
  }

  /// What rules see of a guest that acts for `identity`.
  func party(of guest: Guest, actingFor identity: Identity) -> Party {
    let policy = identity.account.flatMap { account in
      guest.accounts.first { $0.account.isSame(as: account) }?.policy
    }
    return Party(app: guest.app.state(for: identity.account), identity: identity, policy: policy)
  }

  /// A view that shows data of several accounts. With one managed account among them, that account's policy holds;
  /// with several, of each setting the most restrictive value.
  ///
  /// Source: Intune App SDK for iOS, stage 5, Identity overview.
  func persona(of guest: Guest, viewing identities: [Identity]) -> Persona {
    guard identities.count > 1 else {
      return persona(of: guest, actingFor: identities.first ?? .unset)
    }
    let managed = identities.filter { party(of: guest, actingFor: $0).isManaged }
    let first = managed.first ?? identities[0]
    var view = party(of: guest, actingFor: first)
    if managed.count > 1 { view.policy = lockDownPolicy(for: managed, in: guest.app) }
    return persona(of: guest, first, view, viewing: identities)
  }

  private func lockDownPolicy(
    for identities: [Identity], in app: AppDescription
  ) -> EffectivePolicy {
    let bundleID = protectedBundle(of: app)
    let entries = identities.compactMap(\.account).flatMap {
      policies.entries(for: $0, in: app, bundleID: bundleID)
    }
    return merging(entries)
  }

  /// Who acts where `guest` makes a request of a task: the thread's identity where it is set, else that of the
  /// window, else that of the process.
  ///
  /// Source: Intune App SDK for iOS, stage 5, Identity overview, effective identity.
  func persona(of guest: Guest, for task: TaskContext?, _ kind: TaskKind) -> Persona {
    guard let task, guest.app.isMultiIdentity else {
      return kind == .file ? guest.processPersona : guest.persona
    }
    if let thread = task.thread {
      return persona(of: guest, actingFor: identity(ofThread: thread, in: guest))
    }
    guard kind == .interface else { return guest.processPersona }
    guard !task.window.isEmpty else { return guest.persona }
    return guest.windows[task.window] ?? guest.processPersona
  }

  /// An account that is not signed in is nobody whom a policy protects.
  private func identity(ofThread accountID: String, in guest: Guest) -> Identity {
    guard !accountID.isEmpty else { return .unknown }
    let signedIn = guest.accounts.first { $0.account.isNamed(accountID) }?.account
    return .account(signedIn ?? account(named: accountID))
  }
}

/// What decides whose identity counts for a task.
enum TaskKind {
  /// Sharing, cut, copy and paste, and all else that a user sees.
  case interface
  /// Files, whom windows do not concern.
  case file
}
