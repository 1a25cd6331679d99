import Model
import Policy
import TestSupport
import Testing

@testable import Leaks

/// Tests the flows within the organisation that changes close.
@Suite struct InnerLossesTests {
  private static func losses(
    _ apps: [LeakWorld.App], _ change: (EffectivePolicy) -> EffectivePolicy
  ) -> InnerLosses {
    let before = LeakWorld(apps: apps, device: DeviceRestrictions())
    var after = before
    var changed: [ObjectIdentifier: EffectivePolicy] = [:]
    func new(_ policy: EffectivePolicy?) -> EffectivePolicy? {
      policy.map { policy in
        let new = changed[ObjectIdentifier(policy)] ?? change(policy)
        changed[ObjectIdentifier(policy)] = new
        return new
      }
    }
    for index in after.apps.indices {
      after.apps[index].appPolicy = new(after.apps[index].appPolicy)
      for persona in after.apps[index].personas.indices {
        let policy = new(after.apps[index].personas[persona].party.policy)
        after.apps[index].personas[persona].party.policy = policy
      }
    }
    return InnerLosses(from: before, to: after)
  }

  /// Forbids all sending.
  private static func closed(_ policy: EffectivePolicy) -> EffectivePolicy {
    var settings = policy.settings
    settings.allowedOutboundDataTransferDestinations = .none
    settings.allowedOutboundClipboardSharingLevel = .blocked
    return EffectivePolicy(settings: settings)
  }

  private static func transfers(_ losses: InnerLosses) -> [String] {
    losses.sentences.filter { !$0.contains("can no longer save to") }
  }

  private static let managed = Worlds.policy { $0.allowedInboundDataTransferSources = .managedApps }

  @Test
  func `closed flows between apps with the same policy are listed, unlike those to unmanaged apps`()
  {
    let apps = ["mail", "notes", "board"].map { Worlds.app($0, Worlds.anna, Self.managed) }
    let losses = Self.losses(apps + [Worlds.app("viewer")], Self.closed)
    #expect(
      Self.transfers(losses) == [
        "mail, notes and board can no longer share with each other",
        "mail, notes and board can no longer copy text to each other",
      ])
  }

  @Test func `closed flows from changed apps to changed and unchanged apps are listed`() {
    let changed = Worlds.policy { $0.printBlocked = false }
    let apps = [
      Worlds.app("mail", Worlds.anna, changed), Worlds.app("notes", Worlds.anna, changed),
      Worlds.app("board", Worlds.anna, Self.managed),
    ]
    let losses = Self.losses(apps) { $0 === changed ? Self.closed($0) : $0 }
    #expect(
      Self.transfers(losses) == [
        "mail and notes can no longer share with each other and board",
        // "Blocked" also blocks pasting into the app.
        "mail, notes and board can no longer copy text to each other",
      ])
  }

  @Test func `closed flows between two apps with different policies are listed`() {
    let apps = ["mail", "notes"].map { name in
      Worlds.app(name, Worlds.anna, Worlds.policy { $0.minimumPinLength = name == "mail" ? 5 : 6 })
    }
    let losses = Self.losses(apps, Self.closed)
    #expect(Self.transfers(losses).first == "mail and notes can no longer share with each other")
  }

  @Test func `an unchanged policy closes no flow between apps`() {
    let apps = ["mail", "notes"].map { Worlds.app($0, Worlds.anna, Self.managed) }
    let losses = Self.losses(apps) { $0 }
    #expect(losses.sentences == [] && losses.count == 0)
  }

  @Test
  func `more apps under one policy add no evaluations to the search for closed flows`() {
    func evaluations(_ count: Int) -> Int {
      let apps = (0..<count).map { Worlds.app("app\($0)", Worlds.anna, Self.managed) }
      return Self.losses(apps, Self.closed).evaluations
    }
    #expect(evaluations(20) > 0)
    #expect(evaluations(80) == evaluations(20))
  }

  @Test
  func `evaluations in the search for closed flows grow linearly with the number of policies`() {
    func evaluations(_ count: Int) -> Int {
      let apps = (0..<count).map { number in
        Worlds.app("app\(number)", Worlds.anna, Worlds.policy { $0.minimumPinLength = number })
      }
      return Self.losses(apps, Self.closed).evaluations
    }
    #expect(evaluations(80) <= 4 * evaluations(20))
  }

  /// Compares the losses with all pairs of apps.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the number of closed flows equals the result of a naive search of all pairs`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let policies = (0..<3).map { number in
      Worlds.policy {
        $0.minimumPinLength = 4 + number
        if Bool.random(using: &generator) { $0.allowedInboundDataTransferSources = .none }
        if Bool.random(using: &generator) { $0.saveAsBlocked = false }
      }
    }
    let apps = (0..<8).map { number in
      Worlds.app(
        "app\(number)", Worlds.anna,
        Bool.random(using: &generator) ? policies[0] : policies[number % 3])
    }
    let before = LeakWorld(apps: apps, device: DeviceRestrictions())
    let changed = policies[Int.random(in: 0..<3, using: &generator)]
    let after = apps.map { app in
      app.appPolicy === changed
        ? Worlds.app(app.name, Worlds.anna, Self.closed(changed)) : app
    }
    let naive = Self.open(in: before.apps).subtracting(Self.open(in: after))
    #expect(
      InnerLosses(from: before, to: LeakWorld(apps: after, device: DeviceRestrictions())).count
        == naive.count)
  }

  private static func open(in apps: [LeakWorld.App]) -> Set<[String]> {
    var open: Set<[String]> = []
    for app in apps {
      let sender = app.personas[0]
      for other in apps where other.name != app.name {
        for channel in [Channel.share, .clipboard] {
          let request = TransferRequest(
            channel: channel, sender: sender.party, owner: sender.owner,
            receiver: other.personas[0].party,
            content: Content(characters: channel == .clipboard ? LeakSearch.characters : nil),
            device: DeviceRestrictions())
          guard evaluate(request).outcome == .allowed else { continue }
          open.insert([channel.rawValue, app.name, other.name])
        }
      }
      for location in StorageLocation.saveLocations {
        let request = TransferRequest(
          channel: .saveTo, sender: sender.party, owner: sender.owner, receiver: sender.party,
          appPolicy: app.appPolicy, content: Content(location: location),
          device: DeviceRestrictions())
        guard evaluate(request).outcome == .allowed else { continue }
        open.insert(["saveTo", app.name, location.rawValue])
      }
    }
    return open
  }
}
