import Model
import Policy
import Testing

@testable import Leaks

/// The search against one that tries every sequence of moves.
@Suite struct LeakSearchLawTests {
  /// A world of five apps with policies at random.
  private static func world(_ seed: Int) -> LeakWorld {
    var random = Numbers(state: UInt64(seed))
    func policy() -> EffectivePolicy {
      var settings = Worlds.strict
      settings.allowedOutboundDataTransferDestinations = random.pick([
        .allApps, .managedApps, .none,
      ])
      settings.allowedInboundDataTransferSources = random.pick([.allApps, .managedApps, .none])
      settings.allowedOutboundClipboardSharingLevel = random.pick([
        .allApps, .managedApps, .managedAppsWithPasteIn, .blocked,
      ])
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
      default: apps.append(Worlds.app(name, account, random.pick(policies)))
      }
    }
    apps.append(Worlds.app("d"))
    for index in apps.indices where random.next() % 2 == 0 {
      let present = apps[index].personas.compactMap(\.account?.upn)
      apps[index].missing = Set([Worlds.anna.upn, Worlds.ben.upn]).subtracting(present)
    }
    return LeakWorld(
      apps: apps,
      device: DeviceRestrictions(
        isMDMEnrolled: random.next() % 2 == 0,
        allowOpenFromManagedToUnmanaged: random.next() % 2 == 0))
  }

  @Test(arguments: 1...60)
  func `both find the same places, in as few moves`(seed: Int) {
    let world = Self.world(seed)
    for behaviour in LeakSearch.Behaviour.allCases {
      let report = LeakSearch(world, behaviour).run()
      for account in world.managedAccounts {
        var naive = NaiveSearch(world, isCareless: behaviour == .careless, upTo: 4)
        naive.run(for: account)
        var found: [String: Int] = [:]
        for leak in report.leaks where leak.owner.isSame(as: account) {
          if case .app = leak.sink { found[leak.sink.text] = leak.hops.count - 1 }
        }
        // The naive search stops at four moves.
        #expect(found.filter { $0.value <= 4 } == naive.found, "\(behaviour) \(account.upn)")
      }
    }
  }
}

/// Numbers that are the same in every run (SplitMix64).
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(next() % UInt64(values.count))]
  }
}
