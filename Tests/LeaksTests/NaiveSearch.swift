import Model
import Policy

@testable import Leaks

/// Every sequence of moves up to some length, one after the other, as far as the data are under a policy: nothing is
/// remembered, and nothing left out.
struct NaiveSearch {
  let world: LeakWorld
  let behaviour: LeakSearch.Behaviour
  let length: Int
  /// Whether data are followed once they are out.
  let isFollowing: Bool
  /// The fewest moves by which each app and persona without policy gets the data.
  private(set) var found: [String: Int] = [:]

  /// What one app has: content under a tag, or its own.
  private struct Copy {
    var app: Int
    /// The account that the tag states; `.some(nil)`: a tag of nobody; nil: no tag.
    var tag: Account??
    /// For whom the app's own content is moved.
    var persona = 0
    /// The type of an item under a tag; content of its own makes an item of any.
    var type = "public.utf8-plain-text"
  }

  init(
    _ world: LeakWorld, _ behaviour: LeakSearch.Behaviour, upTo length: Int,
    following isFollowing: Bool = false
  ) {
    self.isFollowing = isFollowing
    self.world = world
    self.behaviour = behaviour
    self.length = length
  }

  /// - Parameter name: the app in which the data begin; nil: all.
  mutating func run(for owner: Account, from name: String? = nil) {
    for (app, one) in world.apps.enumerated() where name == nil || one.name == name {
      for (number, persona) in one.personas.enumerated()
      where persona.party.policy != nil && persona.party.identity.account?.isSame(as: owner) == true
      {
        walk(Copy(app: app, tag: nil, persona: number), 0)
      }
    }
  }

  private mutating func come(_ copy: Copy, as receiver: LeakWorld.Persona, _ count: Int) {
    let isOut = receiver.party.policy == nil
    if isOut || isFollowing { find(world.apps[copy.app], receiver, count) }
    if !isOut || isFollowing { walk(copy, count) }
  }

  private mutating func walk(_ copy: Copy, _ count: Int) {
    guard count < length else { return }
    let app = world.apps[copy.app]
    signInAndOut(copy, count)
    if behaviour != .honest {
      for (number, persona) in app.personas.enumerated()
      where copy.tag != nil || number != copy.persona {
        come(Copy(app: copy.app, tag: nil, persona: number), as: persona, count + 1)
      }
    }
    guard app.kind == .app else {
      // The tags of a run of an extension are gone with it.
      if copy.tag == nil { handBack(copy, count) }
      return
    }
    for (number, sender) in app.personas.enumerated() {
      let owner: Owner
      if let tag = copy.tag {
        guard let account = tag else {
          send(copy, sender, Owner(), count)
          echo(copy, sender, Owner(), count)
          store(copy, sender, Owner(), count)
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
      echo(copy, sender, owner, count)
      store(copy, sender, owner, count)
      let isOwn = copy.tag == nil || copy.tag??.isSame(as: sender.party.identity.account) == true
      if isOwn { sendUntagged(copy, sender, count) }
    }
  }

  /// The app's accounts change: what belongs to one that goes is lost, but for what hostile apps remember.
  private mutating func signInAndOut(_ copy: Copy, _ count: Int) {
    let app = world.apps[copy.app]
    if app.kind == .extension, copy.tag != nil { return }
    let account = copy.tag ?? app.personas[copy.persona].party.identity.account
    for (index, other) in world.apps.enumerated() where index != copy.app && other.name == app.name
    {
      func has(_ app: LeakWorld.App) -> Int? {
        app.personas.firstIndex { account?.isSame(as: $0.party.identity.account) == true }
      }
      let (here, there) = (has(app), has(other))
      if copy.tag != nil, here == nil || there != nil {
        walk(Copy(app: index, tag: copy.tag, type: copy.type), count + 1)
      } else if copy.tag == nil, let there {
        walk(Copy(app: index, tag: nil, persona: there), count + 1)
      } else if behaviour == .hostile, app.kind == .app {
        for (number, persona) in other.personas.enumerated() {
          come(Copy(app: index, tag: nil, persona: number), as: persona, count + 1)
        }
      }
    }
  }

  /// Whether `index` is another set of accounts of the app, or an extension with other accounts than its app has.
  private func isElsewhen(_ index: Int, from app: Int) -> Bool {
    guard index != app, let mine = world.apps[app].signIns, let theirs = world.apps[index].signIns
    else { return false }
    return mine.app == theirs.app
      && (mine.accounts != theirs.accounts || world.apps[app].name == world.apps[index].name)
  }

  /// Keychain groups, and URLs of schemes, on which no tag comes along.
  private mutating func sendUntagged(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ count: Int
  ) {
    for (index, app) in world.apps.enumerated()
    where app.kind == .app && !isElsewhen(index, from: copy.app) {
      let isOwn = index == copy.app
      let shared = Set(isOwn ? [] : world.apps[copy.app].keychain?.groups ?? [])
        .intersection(app.keychain?.groups ?? [])
      for (number, receiver) in app.personas.enumerated()
      where !isOwn || receiver.name != sender.name {
        let isOpened = app.personas[0].party.app.schemes.contains { scheme in
          opens(scheme, sender, receiver, in: app, isAsked: !isOwn)
        }
        guard !shared.isEmpty || isOpened else { continue }
        come(Copy(app: index, tag: nil, persona: number), as: receiver, count + 1)
      }
    }
  }

  /// What is saved to a managed account's storage, and opened by its apps.
  private mutating func store(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ owner: Owner, _ count: Int
  ) {
    let shared: [StorageLocation] = [
      .other, .oneDriveForBusiness, .sharePoint, .box, .iManage, .egnyte,
    ]
    for holder in world.apps[copy.app].personas where holder.party.policy != nil {
      guard let account = holder.party.identity.account else { continue }
      let locations = shared.filter { location in
        let request = TransferRequest(
          channel: .saveTo, sender: sender.party, owner: owner, receiver: holder.party,
          appPolicy: world.apps[copy.app].appPolicy,
          content: Content(characters: 1, location: location), device: world.device)
        return evaluate(request).outcome == .allowed
      }
      for (index, app) in world.apps.enumerated()
      where app.kind == .app && (index == copy.app || app.name != world.apps[copy.app].name) {
        guard let own = app.personas.first(where: { account.isSame(as: $0.party.identity.account) })
        else { continue }
        for (number, receiver) in app.personas.enumerated()
        where index != copy.app || receiver.name != sender.name {
          let isOpened = locations.contains { location in
            let request = TransferRequest(
              channel: .openFrom, sender: own.party,
              owner: Owner(account: own.party.identity.account, policy: own.party.policy),
              receiver: receiver.party, appPolicy: app.appPolicy,
              content: Content(location: location), device: world.device)
            return evaluate(request).outcome == .allowed
          }
          guard isOpened else { continue }
          come(Copy(app: index, tag: nil, persona: number), as: receiver, count + 1)
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

  /// The types of items that an app can make of what it has: all that are told apart, or that of its item.
  private func types(of copy: Copy) -> [String] {
    guard copy.tag == nil else { return [copy.type] }
    let offered = world.apps.filter { $0.kind == .extension }
      .flatMap { $0.offered.plain.union($0.offered.aliased) }
    return Array(Set(offered).union([Copy(app: 0, tag: nil).type]))
  }

  /// Whether a share sheet shows an extension for what a sender shares.
  private static func isOffered(
    _ app: LeakWorld.App, _ type: String, to sender: LeakWorld.Persona, _ path: SharingPath
  ) -> Bool {
    let settings = sender.party.policy?.settings
    let isAliased =
      path == .sdk
      && settings.map { $0.allowedOutboundDataTransferDestinations != .allApps } ?? false
    return (isAliased ? app.offered.aliased : app.offered.plain).contains(type)
  }

  /// The tag under which a receiver has what a transfer brings; nil where it is not allowed.
  private func passed(
    _ channel: Channel, _ path: SharingPath, from sender: LeakWorld.Persona, _ owner: Owner,
    to receiver: LeakWorld.Persona
  ) -> Account?? {
    let verdict = evaluate(
      TransferRequest(
        channel: channel, via: path, sender: sender.party, owner: owner,
        receiver: receiver.party, device: world.device))
    guard verdict.outcome == .allowed else { return nil }
    let isTaken = verdict.reasons.contains { $0.rule == .incomingOrgData }
    return .some(isTaken ? receiver.party.identity.account : owner.account)
  }

  /// An extension hands back what its user types in to every app that may share something of its own with it.
  private mutating func handBack(_ copy: Copy, _ count: Int) {
    let plugIn = world.apps[copy.app].personas[copy.persona]
    let own = { (persona: LeakWorld.Persona) in
      Owner(account: persona.party.identity.account, policy: persona.party.policy)
    }
    for (index, app) in world.apps.enumerated()
    where app.kind == .app && !isElsewhen(index, from: copy.app) {
      for caller in app.personas {
        let isStarted = [SharingPath.sdk, .os].contains { path in
          types(of: copy).contains { Self.isOffered(world.apps[copy.app], $0, to: caller, path) }
            && passed(.share, path, from: caller, own(caller), to: plugIn) != nil
        }
        guard isStarted,
          let tag = passed(.extensionResult, .sdk, from: plugIn, own(plugIn), to: caller)
        else { continue }
        come(Copy(app: index, tag: .some(tag)), as: caller, count + 1)
      }
    }
  }

  /// An app shares with an extension and gets back what it has shared, or what the user types in there.
  private mutating func echo(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ owner: Owner, _ count: Int
  ) {
    for (index, app) in world.apps.enumerated()
    where app.kind == .extension && !isElsewhen(index, from: copy.app) {
      let plugIn = app.personas[0]
      let policy = plugIn.party.policy
      guard policy != nil || isFollowing else { continue }
      let ways = [SharingPath.sdk, .os].flatMap { path in types(of: copy).map { (path, $0) } }
      for (path, type) in ways where Self.isOffered(app, type, to: sender, path) {
        guard let tag = passed(.share, path, from: sender, owner, to: plugIn) else { continue }
        let account = plugIn.party.identity.account
        let isOwn = tag?.isSame(as: account) == true
        var owners: [Owner] = []
        if isOwn || tag == nil || !app.missing.contains(tag?.upn ?? "") {
          owners.append(Owner(account: tag, policy: isOwn ? policy : nil))
        }
        if behaviour != .honest { owners.append(Owner(account: account, policy: policy)) }
        for owner in owners {
          guard let back = passed(.extensionResult, .sdk, from: plugIn, owner, to: sender)
          else { continue }
          come(Copy(app: copy.app, tag: .some(back), type: type), as: sender, count + 1)
        }
      }
    }
  }

  private mutating func find(_ app: LeakWorld.App, _ persona: LeakWorld.Persona, _ count: Int) {
    let name = Leak.Sink.app(app.name, persona: persona.name).text
    found[name] = min(found[name] ?? .max, count)
  }

  private mutating func send(
    _ copy: Copy, _ sender: LeakWorld.Persona, _ owner: Owner, _ count: Int
  ) {
    for (index, app) in world.apps.enumerated() where !isElsewhen(index, from: copy.app) {
      for receiver in app.personas where index != copy.app || receiver.name != sender.name {
        for (channel, via) in [
          (Channel.share, SharingPath.sdk), (.share, .os), (.openIn, .sdk), (.openIn, .os),
          (.dragAndDrop, .sdk), (.clipboard, .sdk),
        ]
        where (app.kind == .app || channel == .share)
          && (index != copy.app || channel == .clipboard)
        {
          let request = TransferRequest(
            channel: channel, via: via, sender: sender.party, owner: owner,
            receiver: receiver.party,
            content: Content(characters: channel == .clipboard ? 1 : nil), device: world.device)
          let verdict = evaluate(request)
          guard verdict.outcome == .allowed else { continue }
          if receiver.party.policy == nil || isFollowing {
            let isOffered = types(of: copy).contains { Self.isOffered(app, $0, to: sender, via) }
            if app.kind == .app || isOffered { find(app, receiver, count + 1) }
            guard isFollowing else { continue }
          }
          let isTaken = verdict.reasons.contains { $0.rule == .incomingOrgData }
          let account = isTaken ? receiver.party.identity.account : owner.account
          for type in types(of: copy)
          where app.kind == .app || Self.isOffered(app, type, to: sender, via) {
            walk(Copy(app: index, tag: .some(account), type: type), count + 1)
          }
        }
      }
    }
  }
}

extension Account {
  fileprivate func isSame(as other: Account?) -> Bool { other.map { isSame(as: $0) } ?? false }
}
