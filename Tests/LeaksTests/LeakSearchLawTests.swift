import Model
import Output
import Policy
import TestSupport
import Testing

@testable import Leaks

/// Compares the search with one that tries every sequence of transitions.
@Suite struct LeakSearchLawTests {
  /// Returns a world of five apps and an extension with random policies. Some apps may have other
  /// accounts.
  static func world(_ seed: Int) -> LeakWorld {
    var random = SeededGenerator(seed: UInt64(seed))
    func policy() -> EffectivePolicy {
      var settings = Worlds.strict
      settings.allowedOutboundDataTransferDestinations = random.pick([
        .allApps, .managedApps, .none,
      ])
      settings.allowedInboundDataTransferSources = random.pick([.allApps, .managedApps, .none])
      settings.allowedOutboundClipboardSharingLevel = random.pick([
        .allApps, .managedApps, .managedAppsWithPasteIn, .blocked,
      ])
      settings.saveAsBlocked = random.next() % 3 > 0
      settings.protectInboundDataFromUnknownSources = random.next() % 2 == 0
      return EffectivePolicy(settings: settings)
    }
    // The world includes several apps of one class: those with the same account under the same
    // policy.
    let policies = [policy(), policy()]
    var apps: [LeakWorld.App] = []
    for name in ["a", "b", "c", "e"] {
      let account = random.pick([Worlds.anna, Worlds.ben])
      switch random.next() % 4 {
      case 0: apps.append(Worlds.multi(name, account, random.pick(policies)))
      case 1: apps.append(Worlds.app(name))
      default:  // open: any other remainder
        apps.append(Worlds.app(name, account, random.pick(policies)))
      }
    }
    apps.append(Worlds.app("d"))
    for index in apps.indices where random.next() % 3 > 0 {
      apps[index].keychain = Worlds.keychain(apps[index].name, "G\(random.next() % 2)")
    }
    for index in apps.indices where random.next() % 3 == 0 {
      for persona in apps[index].personas.indices {
        apps[index].personas[persona].party.app.schemes = ["scheme-\(apps[index].name)"]
      }
    }
    for index in apps.indices where random.next() % 2 == 0 {
      let present = apps[index].personas.compactMap(\.account?.upn)
      apps[index].missing = Set([Worlds.anna.upn, Worlds.ben.upn]).subtracting(present)
    }
    for index in apps.indices.dropLast() where apps[index].personas[0].party.policy != nil {
      apps[index] = Worlds.signedIn(apps[index], .stated)
      var others = [Worlds.signedOut(apps[index])]
      let account = random.pick([Worlds.anna, Worlds.ben])
      if apps[index].personas[0].account?.isSameUser(as: account) == false {
        others.append(Worlds.app(apps[index].name, account, random.pick(policies)))
      }
      for other in others where random.next() % 2 == 0 {
        apps.append(Worlds.signedIn(other, .reachable))
      }
    }
    let accounts: [Account?] = [Worlds.anna, Worlds.ben, nil]
    if let account = random.pick(accounts) {
      var plugIn = Worlds.app("x", account, random.pick([policies[0], policy(), policy()]))
      plugIn.kind = .extension
      let types = ["public.png", "public.url"]
      plugIn.offered = .init(
        plain: Set(types.filter { _ in random.next() % 2 > 0 }),
        aliased: Set(types.filter { _ in random.next() % 2 > 0 }))
      if random.next() % 2 == 0 {
        plugIn.missing = Set([Worlds.anna.upn, Worlds.ben.upn]).subtracting([account.upn])
      }
      apps.insert(plugIn, at: 0)
      if random.next() % 3 == 0 {
        var other = Worlds.app("y")
        other.kind = .extension
        other.offered = .init(plain: ["public.url"], aliased: ["public.png"])
        apps.insert(other, at: 1)
      }
    }
    if apps[0].kind == .extension, random.next() % 2 == 0,
      let app = apps[1...].first(where: { $0.kind == .app })?.signIns
    {
      apps[0].signIns = app
      var out = Worlds.signedOut(apps[0])
      out.kind = .extension
      out.offered = apps[0].offered
      out.signIns = .init(app: app.app, accounts: [], .reachable)
      apps.append(out)
    }
    return LeakWorld(
      apps: apps,
      device: DeviceRestrictions(
        isMDMEnrolled: random.next() % 2 == 0,
        allowOpenFromManagedToUnmanaged: random.next() % 2 == 0),
      openers: Worlds.openers(apps))
  }

  @Test(arguments: 1...6 * thoroughness)
  func `the leak search and a naive search find the same leaks with equal path lengths`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let search = LeakSearch(world, behaviour)
      for account in world.managedAccounts {
        // The number of sequences grows by an order of magnitude with each transition.
        let length = behaviour == .honest ? 4 : 3
        var naive = NaiveSearch(world, behaviour, upTo: length)
        naive.run(for: account)
        var found: [String: Int] = [:]
        for leak in search.run(for: account).leaks {
          if case .app = leak.sink { found[leak.sink.name] = leak.moves }
        }
        #expect(found.filter { $0.value <= length } == naive.found, "\(behaviour) \(account.upn)")
      }
    }
  }

  @Test(arguments: 1...4 * thoroughness)
  func `every app to which a naive search delivers data is reported as reached`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      for account in world.managedAccounts {
        let origin = world.apps.first { app in
          app.kind == .app
            && app.personas.contains {
              $0.party.isManaged && $0.account?.isSameUser(as: account) == true
            }
        }
        guard let origin else { continue }
        var naive = NaiveSearch(world, behaviour, upTo: 3, following: true)
        naive.run(for: account, from: origin.name)
        let others = world.apps.map(\.name).unique.filter { $0 != origin.name }
        let report = LeakSearch(world, behaviour)
          .answer(LeakQuery(from: [origin.name], to: others))
        let reached = Set(
          report.leaks.filter { $0.owner.isSameUser(as: account) }.map(\.sink.name))
        let delivered = naive.found.keys.filter { $0.split(separator: " ")[0] != origin.name }
        #expect(Set(delivered).isSubset(of: reached), "\(behaviour) from \(origin.name)")
      }
    }
  }

  @Test(arguments: 1...60)
  func `a leak search with sign-ins finds every leak that a search without sign-ins finds`(
    seed: Int
  ) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let sinks = { (world: LeakWorld) in
        Set(LeakSearch(world, behaviour).explore().leaks.map { "\($0.owner.upn) \($0.sink)" })
      }
      #expect(sinks(world.stated).isSubset(of: sinks(world)))
    }
  }
}

/// Tests the changes that close leaks, in the same worlds.
@Suite struct LeakClosingLawTests {
  /// Returns whether settings can stop any leak that remains after the changes.
  private static func isClosed(_ search: LeakSearch, by changes: [SettingChange]) -> Bool {
    search.applying(SettingChanges(changes)).explore().leaks.allSatisfy(\.stopping.isEmpty)
  }

  @Test(arguments: 1...24)
  func `the changes proposed against leaks close all leaks, and each change is necessary`(seed: Int)
    throws
  {
    let search = LeakSearch(LeakSearchLawTests.world(seed), .honest)
    let report = search.run()
    guard let closing = report.closing else { return }
    #expect(closing.areFewest)
    #expect(Self.isClosed(search, by: closing.made))
    for index in closing.made.indices {
      var fewer = closing.made
      fewer.remove(at: index)
      #expect(!Self.isClosed(search, by: fewer), "without \(closing.changes[index])")
    }
    guard (2...4).contains(closing.made.count) else { return }
    var known: Set<String> = []
    let single = report.leaks.flatMap(\.stopping).flatMap(\.self).filter {
      known.insert($0.text).inserted
    }
    for changes in Self.choices(of: closing.made.count - 1, from: single[...]) {
      #expect(!Self.isClosed(search, by: changes), "\(changes.map(\.text))")
    }
  }

  private static func choices(
    of count: Int, from changes: ArraySlice<SettingChange>
  ) -> [[SettingChange]] {
    guard count > 0 else { return [[]] }
    return changes.indices.flatMap { index in
      choices(of: count - 1, from: changes[(index + 1)...]).map { [changes[index]] + $0 }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }
}

/// The model for model checkers reaches exactly the places that the search finds.
@Suite struct LeakModelTests {
  /// Returns the reachable places, each with the minimum number of transitions from the data's
  /// start.
  private static func reach(_ model: LeakModel) -> [Int: Int] {
    var distances = Dictionary(uniqueKeysWithValues: model.initialStates.map { ($0.place, 0) })
    var isDone = false
    while !isDone {
      isDone = true
      for move in model.moves {
        guard let distance = distances[move.from] else { continue }
        guard distance + 1 < distances[move.to] ?? .max else { continue }
        distances[move.to] = distance + 1
        isDone = false
      }
    }
    return distances
  }

  @Test(arguments: 1...60)
  func `the leak search and its generated model have equal states, depths and sinks`(seed: Int) {
    let world = LeakSearchLawTests.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let search = LeakSearch(world, behaviour)
      let runs = world.managedAccounts.map { search.run(for: $0) }
      let model = LeakModel(search)
      let distances = Self.reach(model)
      var states = 0
      var sinks: [String: Int] = [:]
      for (index, place) in model.places.enumerated() {
        guard let distance = distances[index + 1] else { continue }
        switch place {
        case .state: states += 1
        case .sink(let sink, let owner): sinks["\(owner) \(sink.name)"] = distance
        }
      }
      #expect(states == runs.map(\.states).reduce(0, +))
      #expect(distances.values.max() ?? 0 == runs.map(\.depth).max() ?? 0)
      for (number, run) in runs.enumerated() {
        for leak in run.leaks {
          #expect(sinks.removeValue(forKey: "\(number) \(leak.sink.name)") == leak.moves)
        }
      }
      #expect(sinks.isEmpty, "\(behaviour) \(sinks)")
    }
  }

  @Test func `an app's name cannot end a comment in a generated Promela or Murphi model`() {
    var world = LeakWorld(
      apps: [Worlds.app("a", Worlds.anna, .init(settings: Worlds.strict)), Worlds.app("d")],
      device: .init())
    world.apps[0].name = "a */ x\ny"
    let model = LeakModel(LeakSearch(world, .careless))
    for text in [model.promela, model.murphi] {
      #expect(!text.contains("a */ x"))
      #expect(text.contains("a * / x y"))
    }
  }
}

/// Tries every sequence of transitions up to some length, as long as the data is under a policy. It
/// caches nothing and skips nothing.
struct NaiveSearch {
  let world: LeakWorld
  let behaviour: LeakSearch.Behaviour
  let length: Int
  /// Whether the search follows data after it has left.
  let isFollowing: Bool
  /// The minimum number of transitions by which each app and persona without a policy gets the
  /// data.
  private(set) var found: [String: Int] = [:]

  /// The data of one app. It is content under a tag, or the app's own content.
  private struct Copy {
    var app: Int
    /// The tag's account. It is `.some(nil)` for a tag without an account, and nil for no tag.
    var tag: Account??
    /// The persona for which the app's own content is moved.
    var persona = 0
    /// The type of an item under a tag. Own content can become an item of any type.
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

  /// Searches for leaks.
  ///
  /// - Parameter name: The app in which the data starts; nil for all.
  mutating func run(for owner: Account, from name: String? = nil) {
    for (app, one) in world.apps.enumerated() where name == nil || one.name == name {
      for (number, persona) in one.personas.enumerated()
      where persona.party.policy != nil
        && persona.party.identity.account?.isSameUser(as: owner) == true
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
      // The tags of an extension run are lost at its end.
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
        let here = app.personas.first { $0.party.identity.account?.isSameUser(as: account) == true }
        guard here != nil || !app.missing.contains(account.upn) else { continue }
        owner = Owner(account: account, policy: here?.party.policy)
      } else {
        guard number == copy.persona else { continue }
        owner = Owner(account: sender.party.identity.account, policy: sender.party.policy)
      }
      send(copy, sender, owner, count)
      echo(copy, sender, owner, count)
      store(copy, sender, owner, count)
      let isOwn =
        copy.tag == nil || copy.tag??.isSameUser(as: sender.party.identity.account) == true
      if isOwn { sendUntagged(copy, sender, count) }
    }
  }

  /// Changes the app's accounts. The data of a removed account is lost, except what hostile apps
  /// remember.
  private mutating func signInAndOut(_ copy: Copy, _ count: Int) {
    let app = world.apps[copy.app]
    if app.kind == .extension, copy.tag != nil { return }
    let account = copy.tag ?? app.personas[copy.persona].party.identity.account
    for (index, other) in world.apps.enumerated() where index != copy.app && other.name == app.name
    {
      func has(_ app: LeakWorld.App) -> Int? {
        app.personas.firstIndex { account?.isSameUser(as: $0.party.identity.account) == true }
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

  /// Returns whether `index` is another set of the app's accounts, or an extension with other
  /// accounts than its app.
  private func isElsewhen(_ index: Int, from app: Int) -> Bool {
    guard index != app, let mine = world.apps[app].signIns, let theirs = world.apps[index].signIns
    else { return false }
    return mine.app == theirs.app
      && (mine.accounts != theirs.accounts || world.apps[app].name == world.apps[index].name)
  }

  /// Sends data through keychain groups and URL schemes, which carry no tag.
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

  /// Saves data to a managed account's storage, from which its apps open the data.
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
        guard
          let own = app.personas.first(where: { account.isSameUser(as: $0.party.identity.account) })
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

  /// Returns whether a receiver gets a URL. An app with the sender's managed account is asked to
  /// act for it.
  private func opens(
    _ scheme: String, _ sender: LeakWorld.Persona, _ receiver: LeakWorld.Persona,
    in app: LeakWorld.App, isAsked canBeAsked: Bool
  ) -> Bool {
    let account = sender.party.identity.account
    let isAsked =
      canBeAsked
      && app.personas.contains {
        sender.party.policy != nil && $0.party.policy != nil
          && $0.party.identity.account?.isSameUser(as: account) == true
      }
    guard !isAsked || receiver.party.identity.account?.isSameUser(as: account) == true else {
      return false
    }
    let owner = Owner(account: account, policy: sender.party.policy)
    let request = TransferRequest(
      channel: .openURL, sender: sender.party, owner: owner, receiver: receiver.party,
      content: Content(scheme: scheme), device: world.device)
    let verdict = evaluate(request)
    // The SDK opens the twin of a managed app's scheme, which no app in these worlds registers.
    return verdict.outcome == .allowed && !verdict.reasons.contains { $0.rule == .managedScheme }
  }

  /// Returns the item types that an app can create from its data. These are all distinct types, or
  /// the type of its item.
  private func types(of copy: Copy) -> [String] {
    guard copy.tag == nil else { return [copy.type] }
    let offered = world.apps.filter { $0.kind == .extension }
      .flatMap { $0.offered.plain.union($0.offered.aliased) }
    return Array(Set(offered).union([Copy(app: 0, tag: nil).type]))
  }

  /// Returns whether a share sheet shows an extension for a sender's item.
  private static func isOffered(
    _ app: LeakWorld.App, _ type: String, to sender: LeakWorld.Persona, _ path: SharingPath
  ) -> Bool {
    let settings = sender.party.policy?.settings
    let isAliased =
      path == .sdk
      && settings.map { $0.allowedOutboundDataTransferDestinations != .allApps } ?? false
    return (isAliased ? app.offered.aliased : app.offered.plain).contains(type)
  }

  /// Returns the tag under which a receiver gets a transfer; nil if the transfer is not allowed.
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

  /// Returns content that the user typed into an extension to every app that may share an item of
  /// its own with it.
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

  /// Shares from an app with an extension. The app gets back the shared item, or content that the
  /// user typed into the extension.
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
        let isOwn = tag?.isSameUser(as: account) == true
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
  fileprivate func isSameUser(as other: Account?) -> Bool {
    other.map { isSameUser(as: $0) } ?? false
  }
}
