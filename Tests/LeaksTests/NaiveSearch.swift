import Model
import Policy

@testable import Leaks

/// Every sequence of moves up to some length, one after the other, as far as the data are under a policy: nothing is
/// remembered, and nothing left out.
struct NaiveSearch {
  let world: LeakWorld
  let isCareless: Bool
  let length: Int
  /// The fewest moves by which each app and persona without policy gets the data.
  private(set) var found: [String: Int] = [:]

  /// What one app has: content under a tag, or its own.
  private struct Copy {
    var app: Int
    /// The account that the tag states; `.some(nil)`: a tag of nobody; nil: no tag.
    var tag: Account??
    /// For whom the app's own content is moved.
    var persona = 0
  }

  init(_ world: LeakWorld, isCareless: Bool, upTo length: Int) {
    self.world = world
    self.isCareless = isCareless
    self.length = length
  }

  mutating func run(for owner: Account) {
    for (app, one) in world.apps.enumerated() where one.kind == .app {
      for (number, persona) in one.personas.enumerated()
      where persona.party.policy != nil && persona.party.identity.account?.isSame(as: owner) == true
      {
        walk(Copy(app: app, tag: nil, persona: number), 0)
      }
    }
  }

  private mutating func walk(_ copy: Copy, _ count: Int) {
    guard count < length else { return }
    let app = world.apps[copy.app]
    if isCareless {
      for (number, persona) in app.personas.enumerated()
      where copy.tag != nil || number != copy.persona {
        if persona.party.policy == nil {
          find(app, persona, count + 1)
        } else {
          walk(Copy(app: copy.app, tag: nil, persona: number), count + 1)
        }
      }
    }
    for (number, sender) in app.personas.enumerated() {
      let owner: Owner
      if let tag = copy.tag {
        guard let account = tag else {
          send(copy, sender, Owner(), count)
          continue
        }
        let here = app.personas.first { $0.party.identity.account?.isSame(as: account) == true }
        guard here != nil || !app.missing.contains(account.upn) else { continue }
        owner = Owner(account: account, policy: here?.party.policy)
      } else {
        guard number == copy.persona else { continue }
        owner = Owner(account: sender.party.identity.account, policy: sender.party.policy)
      }
      send(copy, sender, owner, count)
      let isOwn = copy.tag == nil || copy.tag??.isSame(as: sender.party.identity.account) == true
      if isOwn { sendUntagged(copy, sender, count) }
    }
  }

  /// Keychain groups and URLs of schemes, on which no tag comes along.
  private mutating func sendUntagged(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ count: Int
  ) {
    for (index, app) in world.apps.enumerated() where app.kind == .app {
      let isOwn = index == copy.app
      let shared = Set(isOwn ? [] : world.apps[copy.app].keychain?.groups ?? [])
        .intersection(app.keychain?.groups ?? [])
      for (number, receiver) in app.personas.enumerated()
      where !isOwn || receiver.name != sender.name {
        let isOpened = app.personas[0].party.app.schemes.contains { scheme in
          opens(scheme, sender, receiver, in: app, isAsked: !isOwn)
        }
        guard !shared.isEmpty || isOpened else { continue }
        if receiver.party.policy == nil {
          find(app, receiver, count + 1)
        } else {
          walk(Copy(app: index, tag: nil, persona: number), count + 1)
        }
      }
    }
  }

  /// Whether a receiver gets a URL: an app that has the managed account of the sender is asked to act for it.
  private func opens(
    _ scheme: String, _ sender: LeakWorld.Persona, _ receiver: LeakWorld.Persona,
    in app: LeakWorld.App, isAsked canBeAsked: Bool
  ) -> Bool {
    let account = sender.party.identity.account
    let isAsked =
      canBeAsked
      && app.personas.contains {
        sender.party.policy != nil && $0.party.policy != nil
          && $0.party.identity.account?.isSame(as: account) == true
      }
    guard !isAsked || receiver.party.identity.account?.isSame(as: account) == true else {
      return false
    }
    let owner = Owner(account: account, policy: sender.party.policy)
    let request = TransferRequest(
      channel: .openURL, sender: sender.party, owner: owner, receiver: receiver.party,
      content: Content(scheme: scheme), device: world.device)
    return evaluate(request).outcome == .allowed
  }

  private mutating func find(_ app: LeakWorld.App, _ persona: LeakWorld.Persona, _ count: Int) {
    let name = Leak.Sink.app(app.name, persona: persona.name).text
    found[name] = min(found[name] ?? .max, count)
  }

  private mutating func send(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ owner: Owner, _ count: Int
  ) {
    for (index, app) in world.apps.enumerated() {
      for receiver in app.personas where index != copy.app || receiver.name != sender.name {
        for (channel, via) in [
          (Channel.share, SharingPath.sdk), (.share, .os), (.openIn, .sdk), (.openIn, .os),
          (.dragAndDrop, .sdk), (.clipboard, .sdk),
        ]
        where (app.kind == .app || (channel, via) == (.share, .sdk))
          && (index != copy.app || channel == .clipboard)
        {
          let request = TransferRequest(
            channel: channel, via: via, sender: sender.party, owner: owner,
            receiver: receiver.party,
            content: Content(characters: channel == .clipboard ? 1 : nil), device: world.device)
          let verdict = evaluate(request)
          guard verdict.outcome == .allowed else { continue }
          guard receiver.party.policy != nil else {
            find(app, receiver, count + 1)
            continue
          }
          guard app.kind == .app else { continue }
          let isTaken = verdict.reasons.contains { $0.rule == .incomingOrgData }
          let account = isTaken ? receiver.party.identity.account : owner.account
          walk(Copy(app: index, tag: .some(account)), count + 1)
        }
      }
    }
  }
}

extension Account {
  fileprivate func isSame(as other: Account?) -> Bool { other.map { isSame(as: $0) } ?? false }
}
