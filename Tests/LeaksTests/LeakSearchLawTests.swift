import Model
import Policy
import TestSupport
import Testing

@testable import Leaks

/// The search against one that tries every sequence of moves.
@Suite struct LeakSearchLawTests {
  /// A world of five apps and an extension with policies at random, some of which may have other accounts.
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
    // Apps of one class, too: those of the same account under the same policy.
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
      if apps[index].personas[0].account?.isSame(as: account) == false {
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
  func `both find the same places, in as few moves`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let search = LeakSearch(world, behaviour)
      for account in world.managedAccounts {
        // The number of sequences grows by an order of magnitude with each move.
        let length = behaviour == .honest ? 4 : 3
        var naive = NaiveSearch(world, behaviour, upTo: length)
        naive.run(for: account)
        var found: [String: Int] = [:]
        for leak in search.run(for: account).leaks {
          if case .app = leak.sink { found[leak.sink.text] = leak.moves }
        }
        #expect(found.filter { $0.value <= length } == naive.found, "\(behaviour) \(account.upn)")
      }
    }
  }

  @Test(arguments: 1...4 * thoroughness)
  func `no sequence of moves delivers data to an app that is reported as not reached`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      for account in world.managedAccounts {
        let origin = world.apps.first { app in
          app.kind == .app
            && app.personas.contains {
              $0.party.isManaged && $0.account?.isSame(as: account) == true
            }
        }
        guard let origin else { continue }
        var naive = NaiveSearch(world, behaviour, upTo: 3, following: true)
        naive.run(for: account, from: origin.name)
        let others = world.apps.map(\.name).unique.filter { $0 != origin.name }
        let report = LeakSearch(world, behaviour)
          .answer(LeakQuery(from: [origin.name], to: others))
        let reached = Set(
          report.leaks.filter { $0.owner.isSame(as: account) }.map(\.sink.text))
        let delivered = naive.found.keys.filter { $0.split(separator: " ")[0] != origin.name }
        #expect(Set(delivered).isSubset(of: reached), "\(behaviour) from \(origin.name)")
      }
    }
  }

  @Test(arguments: 1...60)
  func `who signs in or out opens ways, and closes none`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let sinks = { (world: LeakWorld) in
        Set(LeakSearch(world, behaviour).explore().leaks.map { "\($0.owner.upn) \($0.sink)" })
      }
      #expect(sinks(world.stated).isSubset(of: sinks(world)))
    }
  }
}

/// What closes leaks, on the same worlds.
@Suite struct LeakClosingLawTests {
  /// Whether settings can stop anything that leaks after changes.
  private static func isClosed(_ search: LeakSearch, by changes: [SettingChange]) -> Bool {
    search.applying(changes).explore().leaks.allSatisfy(\.stopping.isEmpty)
  }

  @Test(arguments: 1...24)
  func `the changes close all, each is needed, and no fewer of those that stop a leak do`(seed: Int)
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
