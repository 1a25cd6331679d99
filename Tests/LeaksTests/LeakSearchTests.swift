import Model
import Policy
import Testing

@testable import Leaks

/// Tests leaks of org data.
@Suite struct LeakSearchTests {
  private let strict = EffectivePolicy(settings: Worlds.strict)

  private func apps(
    _ world: LeakWorld, _ behaviour: LeakSearch.Behaviour = .careless
  ) -> [String: Int] { LeakSearch(world, behaviour).run().apps }

  @Test func `a strict policy has no leak in apps with a single identity`() {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, strict), Worlds.app("notes", Worlds.anna, strict),
      Worlds.app("viewer"))
    #expect(apps(world, .careless) == [:])
    #expect(apps(world, .honest) == [:])
  }

  @Test func `an open policy leaks in one hop`() {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.app("viewer"))
    #expect(apps(world, .honest) == ["viewer": 1])
  }

  @Test func `retyped data leaks to a personal account of the same app, but tagged data does not`()
  {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, strict), Worlds.multi("notes", Worlds.anna, strict),
      Worlds.app("viewer"))
    #expect(apps(world, .honest) == [:])
    // Data that has left is not followed.
    #expect(apps(world, .careless) == ["notes as anna-own": 1])
  }

  @Test func `a leak query follows retyped data onward to unmanaged apps`() {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, strict), Worlds.multi("notes", Worlds.anna, strict),
      Worlds.app("viewer"))
    let careless = LeakSearch(world, .careless)
    #expect(careless.run().onward == ["notes as anna-own", "viewer"])
    let report = careless.answer(LeakQuery(from: ["mail"], to: ["viewer"]))
    let hops = report.leaks.first { $0.sink.name == "viewer" }?.hops.map(\.text)
    #expect(
      hops == [
        "made in mail as anna", "mail as anna shares it with notes as anna",
        "retyped in notes as anna-own", "notes as anna-own shares it with viewer",
      ])
    #expect(report.text.contains("viewer: REACHED by data of anna@contoso.com in 3 hops\n"))
    let honest = LeakSearch(world, .honest).answer(LeakQuery(from: ["mail"], to: ["viewer"]))
    #expect(honest.isClean)
    #expect(honest.text.contains("viewer: NOT REACHED: exhaustive for honest apps over "))
    #expect(honest.unreached == ["viewer"])
  }

  @Test func `a leak query follows data that an app saves to Photos and another app opens`() {
    var saving = Worlds.strict
    saving.saveAsBlocked = false
    saving.allowedOutboundDataTransferDestinations = .allApps
    saving.allowedOutboundClipboardSharingLevel = .blocked
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, EffectivePolicy(settings: saving)), Worlds.app("viewer"))
    let search = LeakSearch(world, .honest)
    var run = LeakRun(LeakTransitions(of: Worlds.anna, in: search, followingFrom: ["mail"]))
    run.explore()
    let moves = LeakTransitions(of: Worlds.anna, in: search, followingFrom: ["mail"])
    let sender = moves.senders(of: moves.initialStates[0].state)[0]
    let outside = LeakHop.Outside(channel: .saveTo, location: .cameraRoll, account: "unset")
    let arrivals = moves.openings(
      of: outside, in: 1, after: sender, moves.request(outside, of: .system, from: sender))
    #expect(
      arrivals.map(\.hop.text) == ["mail as anna saves the data to Photos, and viewer opens it"])
    #expect(run.leaks.contains { $0.sink.name == "viewer" })
  }

  @Test func `data that an extension stores reaches its containing app`() {
    var clip = Worlds.plugIn("clip")
    clip.personas[0].party.app.containingApp = "com.example.viewer"
    let world = LeakWorld(
      apps: [
        Worlds.app("mail", Worlds.anna, Worlds.open), clip,
        Worlds.app("viewer"),
      ], device: DeviceRestrictions())
    let report = LeakSearch(world, .honest).answer(LeakQuery(from: [], to: ["viewer"]))
    #expect(Set(report.leaks.map(\.sink.name)) == ["clip", "viewer"])
    #expect(report.text.contains("viewer: REACHED by data of anna@contoso.com in 1 hop, at clip"))
  }

  @Test func `the admin centre offers each combination of changes that a leak search proposes`()
    throws
  {
    var open = Worlds.strict
    open.allowedOutboundDataTransferDestinations = .allApps
    open.saveAsBlocked = false
    let policy = EffectivePolicy(settings: open)
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, policy), Worlds.app("notes", Worlds.anna, policy),
      Worlds.app("viewer"))
    let search = LeakSearch(
      world, .honest, keeping: [LeakSearch.Flow(from: "mail", to: "notes")])
    let closing = try #require(search.run().closing)
    #expect(!closing.losses.contains { $0.contains("can no longer share") })
    // Only this choice of Send allows blocked copies to be configured.
    let sending = "`Send org data to other apps` = `Policy managed apps`"
    #expect(closing.changes.contains { $0.hasPrefix(sending) }, "\(closing.changes)")
    let saving = "`Save copies of org data` = `Block`"
    #expect(closing.changes.contains { $0.hasPrefix(saving) }, "\(closing.changes)")
    #expect(closing.notOffered.isEmpty)
  }

  @Test func `a change that the admin centre disables names the setting that enables it`() throws {
    var saving = Worlds.strict
    saving.saveAsBlocked = false
    let world = Worlds.world(Worlds.app("mail", Worlds.anna, EffectivePolicy(settings: saving)))
    let changes = LeakSearch(world, .honest).run().leaks.flatMap(\.stopping).flatMap(\.self)
    let block = try #require(
      changes.first { $0.text.hasPrefix("`Save copies of org data` = `Block`") })
    #expect(block.obstacle(in: EffectivePolicy(settings: saving)) == nil)
    saving.allowedOutboundDataTransferDestinations = .allApps
    #expect(
      block.obstacle(in: EffectivePolicy(settings: saving))
        == "configurable only while `Send org data to other apps` is Policy managed apps")
  }

  @Test func `a leak is reported with the hops of its shortest path`() {
    var notes = Worlds.app("notes", Worlds.ben, Worlds.open)
    notes.missing = [Worlds.anna.upn]
    let world = Worlds.world(Worlds.app("mail", Worlds.anna, strict), notes, Worlds.app("viewer"))
    let report = LeakSearch(world, .careless).run()
    let leak = report.leaks.first {
      $0.owner.isSameUser(as: Worlds.anna) && $0.sink.name == "viewer"
    }
    // The data moves to Ben's app, which is managed. Content retyped there belongs to Ben, whose
    // policy allows it to leave.
    #expect(
      leak?.hops.map(\.text) == [
        "made in mail as anna", "mail as anna shares it with notes as ben",
        "retyped in notes as ben", "notes as ben shares it with viewer",
      ])
  }

  @Test func `an app without the owner's account cannot share the owner's data`() {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.app("viewer"),
      Worlds.app("reader"))
    // From `viewer` on, the data has no tag. Both apps are therefore reached from `mail` itself.
    #expect(apps(world, .honest) == ["viewer": 1, "reader": 1])
  }

  @Test func `an app with the owner's account but no policy shares the owner's data`() {
    var notes = Worlds.app("notes", Worlds.ben, Worlds.open)
    func reached() -> [String] {
      let world = Worlds.world(Worlds.app("mail", Worlds.anna, strict), notes, Worlds.app("viewer"))
      return LeakSearch(world, .honest).run().leaks
        .filter { $0.owner.isSameUser(as: Worlds.anna) }.map(\.sink.name)
    }
    #expect(reached().contains("viewer"))
    notes.missing = [Worlds.anna.upn]
    #expect(!reached().contains("viewer"))
  }

  @Test func `content copied for one account can be pasted for another account`() {
    let policy = Worlds.policy { $0.allowedOutboundClipboardSharingLevel = .allApps }
    let notes = Worlds.multi("notes", Worlds.anna, policy)
    #expect(apps(Worlds.world(notes), .honest) == ["notes as anna-own": 1])
  }

  // MARK: Transfers without a tag

  private func opener(_ name: String, schemes: Set<String>) -> LeakWorld.App {
    var app = Worlds.app(name)
    app.personas[0].party.app.schemes = schemes
    return app
  }

  @Test func `all apps of a keychain group read its items`() throws {
    var (mail, bare, other) = (
      Worlds.app("mail", Worlds.anna, strict), Worlds.app("bare"), Worlds.app("other")
    )
    mail.keychain = Worlds.keychain("mail", "shared")
    bare.keychain = Worlds.keychain("bare", "shared")
    other.keychain = Worlds.keychain("other", "another")
    let report = LeakSearch(Worlds.world(mail, bare, other), .honest).run()
    let leak = try #require(report.leaks.first { $0.sink.name == "bare" })
    #expect(
      leak.hops.last?.text
        == "mail as anna keeps the data in the keychain group TEAM.shared, and bare reads it")
    #expect(leak.hops.last?.verdict?.deciding == .keychainGroupEntitled)
    #expect(report.apps == ["bare": 1])
    // No setting stops the leak.
    #expect(report.closing?.rest.map(\.sink.name).contains("bare") == true)
  }

  @Test func `keychain items have no owner, and any reader can share them`() {
    var mail = Worlds.app("mail", Worlds.anna, strict)
    var desk = Worlds.app("desk", Worlds.ben, Worlds.open)
    desk.missing = [Worlds.anna.upn]
    mail.keychain = Worlds.keychain("mail", "shared")
    desk.keychain = Worlds.keychain("desk", "shared")
    func hops() -> Int? {
      LeakSearch(Worlds.world(mail, desk, Worlds.app("viewer")), .honest).run().leaks
        .first { $0.owner.isSameUser(as: Worlds.anna) && $0.sink.name == "viewer" }?.hops.count
    }
    #expect(hops() == 3)
    mail.keychain = nil
    #expect(hops() == nil)
  }

  @Test func `a URL that the policy allows reaches the first app with the URL's scheme`() throws {
    let policy = Worlds.policy { $0.exemptedAppProtocols = ["skype"] }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let skype = opener("skype", schemes: ["skype"])
    let world = Worlds.world(mail, skype, opener("game", schemes: ["game"]))
    #expect(apps(world, .honest) == ["skype": 1])
    // The second app receives nothing.
    let both = Worlds.world(mail, opener("first", schemes: ["skype"]), skype)
    #expect(apps(both, .honest) == ["first": 1])
  }

  @Test func `a link that the policy exempts reaches the app that claims it`() throws {
    let policy = Worlds.policy {
      $0.managedBrowser = .microsoftEdge
      $0.exemptedUniversalLinks = [LinkPattern("https://maps.example.org/to/*")]
    }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let (maps, shop) = (Worlds.app("maps"), opener("shop", schemes: ["https"]))
    var world = Worlds.world(mail, maps, shop)
    world.openers = Worlds.openers(
      world.apps,
      domains: ["maps": ["applinks:maps.example.org"], "shop": ["applinks:*.shop.example.org"]])
    let report = LeakSearch(world, .honest).run()
    #expect(report.apps == ["maps": 1])
    let hop = try #require(report.leaks.first { $0.sink.name == "maps" }?.hops.last)
    #expect(hop.text.hasPrefix("mail as anna opens https://maps.example.org/to/"))
    #expect(hop.verdict?.deciding == .exemptedUniversalLink)
  }

  @Test func `phone numbers open in the dialer that the policy names`() throws {
    let policy = Worlds.policy {
      $0.dialerRestrictionLevel = .customApp
      $0.customDialerAppProtocol = "contosocall"
    }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let phone = opener("phone", schemes: ["tel"])
    let dialer = opener("dialer", schemes: ["contosocall"])
    let report = LeakSearch(Worlds.world(mail, phone, dialer), .honest).run()
    #expect(report.apps == ["dialer": 1])
    #expect(
      report.leaks.first { $0.sink.name == "dialer" }?.hops.last?.text.contains("tel:") == true)
  }

  @Test func `the leak search tests a wildcard domain with a host that no app claims`() {
    let policy = Worlds.policy {
      $0.exemptedUniversalLinks = [LinkPattern("https://*.example.org/*")]
    }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let notes = Worlds.app("notes", Worlds.anna, strict)
    var world = Worlds.world(mail, notes, Worlds.app("wild"))
    world.openers = Worlds.openers(
      world.apps,
      domains: [
        "notes": ["applinks:www.example.org", "applinks:a0.example.org"],
        "wild": ["applinks:*.example.org"],
      ])
    #expect(apps(world, .honest) == ["wild": 1])
  }

  @Test(arguments: ["http", "telprompt", "imessage"])
  func `the leak search tests each exempted scheme, even if similar schemes are blocked`(
    scheme: String
  ) {
    let policy = Worlds.policy {
      $0.exemptedAppProtocols = [scheme]
      $0.managedBrowser = .microsoftEdge
      $0.dialerRestrictionLevel = .blocked
      $0.protectedMessagingRedirectAppType = .blocked
    }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let all = opener("all", schemes: ["http", "https", "tel", "telprompt", "sms", "imessage"])
    #expect(apps(Worlds.world(mail, all), .honest) == ["all": 1])
  }

  @Test func `a link claimed by a denied app reaches no app`() {
    let policy = Worlds.policy {
      $0.exemptedAppProtocols = ["foo"]
      $0.exemptedUniversalLinks = [LinkPattern("https://example.net/*")]
    }
    let mail = Worlds.app("mail", Worlds.anna, policy)
    var world = Worlds.world(mail, Worlds.app("second"))
    world.openers = Worlds.openers(world.apps, domains: ["second": ["applinks:example.net"]])
    #expect(apps(world, .honest) == ["second": 1])
    world.openers.insert(
      LeakWorld.Opener(
        bundleID: "com.example.first", schemes: ["foo"], domains: ["applinks:example.net"],
        integratesSDK: false, isBanned: true, app: nil), at: 0)
    #expect(apps(world, .honest) == [:])
    // A scheme can also open the next app.
    world.openers[2].schemes = ["foo"]
    #expect(apps(world, .honest) == ["second": 1])
  }

  @Test func `an app can open its own URL for another of its accounts`() {
    var settings = Worlds.strict
    settings.exemptedAppProtocols = ["notes"]
    var notes = Worlds.multi("notes", Worlds.anna, EffectivePolicy(settings: settings))
    #expect(apps(Worlds.world(notes), .honest) == [:])
    for index in notes.personas.indices { notes.personas[index].party.app.schemes = ["notes"] }
    #expect(apps(Worlds.world(notes), .honest) == ["notes as anna-own": 1])
  }

  @Test func `the first app of a keychain group reads what the second app stores`() {
    var (mail, notes) = (
      Worlds.multi("mail", Worlds.anna, strict), Worlds.app("notes", Worlds.anna, strict)
    )
    mail.keychain = Worlds.keychain("mail", "shared")
    notes.keychain = Worlds.keychain("notes", "shared")
    #expect(apps(Worlds.world(mail, notes), .honest) == ["mail as anna-own": 1])
  }

  @Test func `an app that has the account is asked to switch identity before it receives a URL`() {
    var desk = Worlds.multi("desk", Worlds.anna, strict)
    for index in desk.personas.indices { desk.personas[index].party.app.schemes = ["desk"] }
    let world = Worlds.world(Worlds.app("mail", Worlds.anna, strict), desk)
    #expect(apps(world, .honest) == [:])
  }

  /// Returns a world with Anna's mail, Ben's extension under an open policy, and an unmanaged app.
  private func plugIn(_ offered: LeakWorld.App.OfferedTypes = .text) -> LeakWorld {
    let mark = Worlds.plugIn("mark", Worlds.ben, Worlds.open, offered: offered)
    return Worlds.world(Worlds.app("mail", Worlds.anna, strict), mark, Worlds.app("viewer"))
  }

  @Test func `text typed into an extension reaches every app that starts the extension`() {
    func leak(of owner: Account, _ behaviour: LeakSearch.Behaviour) -> Leak? {
      LeakSearch(plugIn(), behaviour).run().leaks.first {
        $0.owner.isSameUser(as: owner) && $0.sink.name == "viewer"
      }
    }
    #expect(leak(of: Worlds.ben, .honest)?.hops.first?.text == "made in mark as ben")
    #expect(leak(of: Worlds.anna, .honest) == nil)
    let leak = leak(of: Worlds.anna, .careless)
    #expect(
      leak?.hops.map(\.text) == [
        "made in mail as anna", "mail as anna shares it with mark as ben",
        "retyped in mark as ben",
        "mark as ben hands the data back to viewer, which started the extension",
      ])
    // The verdicts are for the share that starts the extension, and for its result.
    #expect(leak?.hops.last?.verdicts.count == 2)
  }

  @Test func `an extension is offered for the types of its activation rule`() {
    let plain = LeakSearch(plugIn(.init(plain: ["public.png"], aliased: [])), .careless).run()
    let leak = plain.leaks.first {
      $0.owner.isSameUser(as: Worlds.anna) && $0.sink.name == "viewer"
    }
    // Under a policy that restricts receivers, the SDK would show the alias. The system shows the
    // type.
    #expect(leak?.hops[1].text == "mail as anna shares it via the system with mark as ben")
    let aliased = plugIn(.init(plain: [], aliased: ["public.png"]))
    // The app `mail` shares with the extension, and no app without a policy can start it.
    #expect(apps(aliased)["viewer"] == nil)
  }

  @Test func `an extension cannot pass data to an extension that accepts only other types`() {
    var world = plugIn(.init(plain: ["public.png"], aliased: ["public.png"]))
    world.apps[2] = Worlds.plugIn(
      "clip", offered: .init(plain: ["public.url"], aliased: ["public.url"]))
    let search = LeakSearch(world, .careless)
    let reached = search.run(for: Worlds.anna).leaks.map(\.sink.name)
    #expect(!reached.contains("clip"))
  }

  @Test func `data that reaches an unmanaged extension is not followed further`() {
    let clip = Worlds.plugIn("clip")
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, Worlds.open), clip)
    #expect(apps(world) == ["clip": 1])
  }

  @Test(arguments: LeakSearch.Behaviour.allCases)
  func `an allowed system channel is a leak, and a blocked storage location is not`(
    behaviour: LeakSearch.Behaviour
  ) {
    var settings = Worlds.strict
    settings.printBlocked = false
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, EffectivePolicy(settings: settings)))
    let sinks = LeakSearch(world, behaviour).run().leaks.map(\.sink.name)
    #expect(sinks.contains("print"))
    #expect(!sinks.contains("oneDriveForBusiness of anna"))
    #expect(!sinks.contains("localDrive"))
  }

  @Test func `an app receives no org data while its required account is not signed in`() {
    var world = Worlds.world(
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.signedOut(Worlds.app("word")))
    world.device.isMDMEnrolled = true
    #expect(apps(world, .honest) == ["word": 1])
    world.apps[1].personas[0].party.app.lacksRequiredAccount = true
    #expect(apps(world, .honest) == [:])
    // The app may start extensions, and gets their results.
    let moves = LeakTransitions(of: Worlds.anna, in: LeakSearch(world, .honest))
    let result = moves.request(
      LeakTransitions.results[0], from: moves.senders(of: moves.initialStates[0].state)[0],
      to: world.apps[1].personas[0])
    #expect(!result.receiver.app.lacksRequiredAccount)
  }

  @Test
  func `incoming data without an owner reaches the enrolled user, not an unmanaged persona`() {
    let incoming = Worlds.policy { $0.protectInboundDataFromUnknownSources = true }
    var word = Worlds.multi("word", Worlds.anna, incoming)
    word.personas[0].party.app.hasEnrolledUPN = true
    var world = Worlds.world(
      Worlds.app("viewer"), word, Worlds.multi("pages", Worlds.anna, incoming))
    world.device.isMDMEnrolled = true
    func receives(_ channel: Channel, from app: Int = 0, as persona: Int, in other: Int) -> Bool {
      let search = LeakSearch(world, .careless)
      let moves = LeakTransitions(of: Worlds.anna, in: search, followingFrom: ["viewer"])
      let sender = moves.senders(of: LeakState(app: app, form: .own(persona: 0)))[0]
      return moves.receives(
        .init(channel: channel, via: .sdk), from: sender, as: persona, in: other)
    }
    for channel in [Channel.share, .openIn, .dragAndDrop] {
      #expect(receives(channel, as: 0, in: 1))
      #expect(!receives(channel, as: 1, in: 1))
      #expect(receives(channel, as: 1, in: 2), "it does not know the enrolled user")
      #expect(receives(channel, from: 2, as: 1, in: 1), "the data has an owner")
    }
    #expect(receives(.clipboard, as: 1, in: 1))
    world.device.isMDMEnrolled = false
    #expect(receives(.share, as: 1, in: 1))
  }

  @Test func `an app configuration key of sender or owner restricts saving even under All apps`() {
    var world = Worlds.world(Worlds.multi("mail", Worlds.anna, Worlds.open))
    func saved() -> Bool {
      LeakSearch(world, .honest).run().leaks.contains {
        if case .outside(let outside) = $0.sink { outside.channel == .saveTo } else { false }
      }
    }
    func restricts(_ form: LeakState.Form, as persona: Int) -> Bool {
      let moves = LeakTransitions(of: Worlds.anna, in: LeakSearch(world, .honest))
      let sender = moves.senders(of: LeakState(app: 0, form: form))[persona]
      let outside = LeakHop.Outside(channel: .saveTo, location: .other, account: "unset")
      return moves.request(outside, of: .system, from: sender).sender.app.alwaysRestrictsSaving
    }
    let tagged = LeakState.Form.tagged(owner: Worlds.anna.upn, type: Item.plainText)
    #expect(saved())
    #expect(!restricts(tagged, as: 1))
    world.apps[0].personas[0].party.app.alwaysRestrictsSaving = true
    #expect(!saved())
    #expect(restricts(tagged, as: 0))
    #expect(restricts(tagged, as: 1))
    #expect(restricts(.own(persona: 0), as: 0))
    #expect(!restricts(.own(persona: 1), as: 0))
  }

  @Test func `a world without managed accounts has no data to search`() {
    let report = LeakSearch(Worlds.world(Worlds.app("a"), Worlds.app("b")), .careless).run()
    #expect(report.leaks.isEmpty && report.states == 0)
  }
}

/// Tests changes that close leaks, transfers that they must preserve, and differences between two
/// worlds.
@Suite struct LeakClosingTests {
  private static var open: Settings {
    var settings = Worlds.strict
    settings.allowedOutboundDataTransferDestinations = .allApps
    settings.printBlocked = false
    return settings
  }

  private static func origins(_ settings: [Setting]) -> [Setting: EffectivePolicy.Origin] {
    Dictionary(
      uniqueKeysWithValues: settings.enumerated().map {
        ($1, EffectivePolicy.Origin(file: "org.json", line: $0 + 3, policy: "org"))
      })
  }

  private static let origins = origins([
    .allowedOutboundDataTransferDestinations, .printBlocked, .saveAsBlocked,
    .allowedOutboundClipboardSharingLevel,
  ])

  private static func world(_ settings: Settings) -> LeakWorld {
    // Each app has its own policy object from the same file, like the objects that devices create.
    Worlds.world(
      Worlds.app("mail", Worlds.anna, EffectivePolicy(settings: settings, origins: origins)),
      Worlds.app("notes", Worlds.anna, EffectivePolicy(settings: settings, origins: origins)),
      Worlds.app("viewer"))
  }

  private static func closing(
    _ settings: Settings, keeping kept: [LeakSearch.Flow] = []
  ) -> LeakClosing? {
    LeakSearch(world(settings), .honest, keeping: kept).run().closing
  }

  /// Returns a world of apps, each with an open policy in a file of its own.
  private static func world(ofPolicies count: Int) -> LeakWorld {
    let apps = (0..<count).map { number in
      var settings = Self.open
      settings.minimumPinLength = number
      let origins = Self.origins.mapValues { origin in
        EffectivePolicy.Origin(file: "\(number).json", line: origin.line, policy: "\(number)")
      }
      return Worlds.app(
        "app\(number)", Worlds.anna, EffectivePolicy(settings: settings, origins: origins))
    }
    let all = apps + [Worlds.app("viewer")]
    return LeakWorld(apps: all, device: DeviceRestrictions(), openers: Worlds.openers(all))
  }

  @Test func `the search for leak-closing changes grows linearly with the number of policies`() {
    func closing(_ count: Int) -> LeakClosing {
      LeakClosing(LeakSearch(Self.world(ofPolicies: count), .careless))
    }
    let (few, many) = (closing(8), closing(32))
    #expect(few.areFewest && many.areFewest)
    #expect(many.changes.count == 4 * few.changes.count)
    #expect(Double(many.work) < 4.6 * Double(few.work), "\(few.work) and \(many.work)")
    // Apps that lose the same flows share a sentence.
    #expect(many.losses.count == few.losses.count)
  }

  @Test func `no change is proposed for a leak endpoint that retyped data also reaches`() throws {
    let pasting = Worlds.policy { $0.allowedOutboundClipboardSharingLevel = .allApps }
    let world = Worlds.world(
      Worlds.multi("mail", Worlds.anna, Worlds.policy()), Worlds.app("notes", Worlds.anna, pasting))
    let honest = try #require(LeakSearch(world, .honest).run().closing)
    #expect(honest.changes.contains { $0.contains("Restrict cut, copy, and paste") })
    let careless = try #require(LeakSearch(world, .careless).run().closing)
    #expect(!careless.changes.contains { $0.contains("Restrict cut, copy, and paste") })
    #expect(careless.rest.map(\.sink.name).contains("mail as anna-own"))
  }

  @Test func `a change to a shared policy file is proposed once for all its apps`() throws {
    let closing = try #require(Self.closing(Self.open))
    #expect(closing.changes.contains("`Printing Org data` = `Block` in org.json:4 (org)"))
    #expect(closing.changes.count { $0.hasPrefix("`Send org data to other apps`") } == 1)
    #expect(closing.rest.allSatisfy { leak in leak.hops.contains { $0.verdict != nil } })
  }

  @Test func `a leak search proposes distinct changes that close leaks`() throws {
    let world = Self.world(Self.open)
    let report = LeakSearch(world, .honest).run()
    let closing = try #require(report.closing)
    #expect(Set(closing.changes).count == closing.changes.count)
    #expect(closing.rest.count < report.leaks.count)
  }

  @Test func `the proposed changes keep a flow that must be preserved`() throws {
    let flow = LeakSearch.Flow(from: "mail", to: "notes")
    let free = try #require(Self.closing(Self.open))
    let kept = try #require(Self.closing(Self.open, keeping: [flow]))
    let none = "`Send org data to other apps` = `None` in org.json:3 (org)"
    #expect(free.changes.contains(none))
    #expect(!kept.changes.contains(none))
    // The share sheet itself remains open together with the share.
    #expect(kept.rest.map(\.sink.name).contains("safariExtension"))
    #expect(!kept.rest.map(\.sink.name).contains("viewer"))
    #expect(LeakSearch(Self.world(Self.open), .honest, keeping: [flow]).closedFlows.isEmpty)
    let impossible = LeakSearch.Flow(from: "viewer", to: "mail")
    #expect(
      LeakSearch(Self.world(Self.open), .honest, keeping: [impossible]).closedFlows == [impossible])
  }

  @Test func `a comparison of leak searches lists new and closed endpoints`() {
    var looser = Worlds.strict
    looser.printBlocked = false
    let strict = LeakSearch(Self.world(Worlds.strict), .honest).run()
    let loose = LeakSearch(Self.world(looser), .honest).run()
    let forth = LeakComparison(loose, against: strict)
    #expect(forth.new.map(\.sink.name) == ["print"])
    #expect(forth.closed.isEmpty)
    let back = LeakComparison(strict, against: loose)
    #expect(back.new.isEmpty)
    #expect(back.closed.map(\.sink.name) == ["print"])
    #expect(
      LeakComparison(strict, against: strict).text
        == "the leaks reach the same places as in the baseline\n")
  }
}

/// Many accounts in one app.
@Suite struct SimilarAccountsTests {
  /// Returns a world in which an app has this many accounts under each of two policies.
  private static func world(_ count: Int) -> LeakWorld {
    let policies = [Worlds.policy(), Worlds.open]
    let personas = policies.enumerated().flatMap { number, policy in
      (0..<count).map {
        Worlds.persona(
          Account(upn: "user\($0)-\(number)@contoso.com"), in: "mail", policy, isMulti: true)
      }
    }
    return Worlds.world(
      LeakWorld.App(
        name: "mail", personas: personas + [Worlds.persona(nil, in: "mail", isMulti: true)],
        appPolicy: policies[0]),
      Worlds.app("viewer"))
  }

  @Test(arguments: [LeakSearch.Behaviour.honest, .careless, .hostile])
  func `accounts with the same policies have the same leaks in small and large groups`(
    behaviour: LeakSearch.Behaviour
  ) {
    /// The lengths of the paths to each endpoint, by the account's name without its number.
    func paths(_ count: Int) -> [String: Set<[Leak.Sink: Int]>] {
      let leaks = LeakSearch(Self.world(count), behaviour).explore().leaks
      let accounts = Dictionary(grouping: leaks, by: \.owner.upn).mapValues { leaks in
        Dictionary(leaks.map { ($0.sink, $0.moves) }, uniquingKeysWith: min)
      }
      #expect(accounts.count == 2 * count)
      return Dictionary(grouping: accounts) { String($0.key.drop { $0 != "-" }) }
        .mapValues { Set($0.map(\.value)) }
    }
    let few = paths(3)
    #expect(few.values.allSatisfy { $0.count == 1 })
    #expect(paths(9) == few)
  }

  @Test func `the leak search's moves grow linearly with the number of accounts`() {
    func moves(_ count: Int) -> Int {
      LeakSearch(Self.world(count), .careless).explore().transitions
    }
    // The first accounts of a group need one account fewer than the others.
    #expect(2 * moves(80) <= 9 * moves(20))
  }
}
