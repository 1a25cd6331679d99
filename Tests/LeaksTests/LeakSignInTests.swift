import Model
import Policy
import Testing

@testable import Leaks

/// Tests leaks with a sign-in or sign-out.
@Suite struct LeakSignInTests {
  /// Returns a world whose last apps are initially signed out.
  private static func world(
    _ stated: [LeakWorld.App], reachable: [LeakWorld.App]
  ) -> LeakWorld {
    let apps =
      stated.map { $0.personas[0].party.app.linksSDK ? Worlds.signedIn($0, .stated) : $0 }
      + reachable.map { Worlds.signedIn($0, .reachable) }
    return LeakWorld(
      apps: apps, device: DeviceRestrictions(), openers: Worlds.openers(stated), signIns: .pairs)
  }

  private static func hops(
    _ sink: String, _ world: LeakWorld, _ behaviour: LeakSearch.Behaviour
  ) -> [String]? {
    LeakSearch(world, behaviour).explore().leaks.first { $0.sink.name == sink }?.hops.map(\.text)
  }

  @Test func `signing in a personal account next to the managed one opens a leak`() {
    let policy = Worlds.policy()
    let notes = Worlds.multi("notes", Worlds.anna, policy)
    var before = notes
    before.personas.removeLast()
    let world = Self.world([before], reachable: [notes])
    #expect(
      Self.hops("notes as anna-own", world, .careless) == [
        "anna-own signs in to notes", "made in notes as anna", "retyped in notes as anna-own",
      ])
    #expect(Self.hops("notes as anna-own", world, .honest) == nil)
  }

  @Test
  func `after its account has signed out, an app still receives data if the policy allows it`() {
    let (mail, notes) = (
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.app("notes", Worlds.anna, Worlds.open)
    )
    #expect(
      Self.hops("notes", Self.world([mail, notes], reachable: [Worlds.signedOut(notes)]), .honest)
        == [
          "made in mail as anna", "anna signs out of notes", "mail as anna shares it with notes",
        ])
    let strict = Worlds.policy()
    let (desk, file) = (
      Worlds.app("desk", Worlds.anna, strict), Worlds.app("file", Worlds.anna, strict)
    )
    for behaviour in [LeakSearch.Behaviour.honest, .careless] {
      #expect(
        Self.hops("file", Self.world([desk, file], reachable: [Worlds.signedOut(file)]), behaviour)
          == nil)
    }
  }

  @Test func `sign-out removes the account's data, except from hostile apps`() {
    let policy = Worlds.policy()
    let notes = Worlds.app("notes", Worlds.anna, policy)
    let world = Self.world([notes], reachable: [Worlds.signedOut(notes)])
    #expect(Self.hops("notes", world, .careless) == nil)
    #expect(
      Self.hops("notes", world, .hostile) == [
        "made in notes as anna", "anna signs out of notes", "retyped in notes",
      ])
  }

  @Test func `the leak path to an endpoint has no sign-in unless one is necessary`() {
    let (mail, notes) = (
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.multi("notes", Worlds.ben, Worlds.open)
    )
    let world = Self.world(
      [mail, notes, Worlds.app("viewer")], reachable: [Worlds.signedOut(notes)])
    let leaks = LeakSearch(world, .honest).explore().leaks
    for leak in leaks where leak.sink.name != "notes as unknown" {
      #expect(!leak.hops.contains { $0.text.contains("sign") }, "\(leak.hops.map(\.text))")
    }
  }

  @Test func `an extension has the accounts of its app`() {
    let notes = Worlds.app("notes", Worlds.anna, Worlds.open)
    let clip = Worlds.plugIn("clip", Worlds.anna, Worlds.open)
    var bare = Worlds.signedOut(clip)
    bare.kind = .extension
    func world(_ stated: [LeakWorld.App]) -> LeakWorld {
      var world = Self.world(stated + [clip], reachable: [Worlds.signedOut(notes), bare])
      for index in world.apps.indices where world.apps[index].name == "clip" {
        world.apps[index].signIns?.app = "notes"
      }
      return world
    }
    // In the app, the extension would need other accounts than the app.
    #expect(Self.hops("clip", world([notes]), .honest) == nil)
    let mail = Worlds.app("mail", Worlds.anna, Worlds.open)
    #expect(
      Self.hops("clip", world([mail, notes]), .honest) == [
        "made in mail as anna", "anna signs out of notes", "mail as anna shares it with clip",
      ])
  }

  @Test func `if no account is signed in at first, the permitted accounts are searched`() {
    let notes = Worlds.app("notes", Worlds.anna, Worlds.open)
    let world = Self.world([Worlds.signedOut(notes), Worlds.app("viewer")], reachable: [notes])
    #expect(world.managedAccounts.map(\.upn) == [Worlds.anna.upn])
    #expect(
      Self.hops("viewer", world, .honest) == [
        "anna signs in to notes", "made in notes as anna", "notes as anna shares it with viewer",
      ])
  }

  @Test func `the leak report names the permitted accounts that the search omits`() {
    let policy = Worlds.policy()
    let mail = Worlds.app("mail", Worlds.anna, policy)
    let world = Self.world([mail], reachable: [Worlds.app("mail", Worlds.ben, policy)])
    let report = LeakSearch(world, .honest).explore()
    #expect(report.notSearched.hasPrefix("data of \(Worlds.ben.upn), who may sign in, "))
    #expect(LeakSearch(world.stated, .honest).explore().notSearched.hasPrefix("contacts"))
  }

  @Test func `the text of a leak's hop names all accounts that sign in and out`() {
    let out = LeakHop(app: "a", persona: "", action: .signIns(.init(out: ["x", "y"], in: ["z"])))
    #expect(out.text == "x and y sign out of a, z signs in")
    let all = LeakHop(app: "a", persona: "", action: .signIns(.init(out: [], in: ["x", "y", "z"])))
    #expect(all.text == "x, y and z sign in to a")
  }

  // MARK: Storage

  @Test
  func
    `a file saved for a managed account opens only in apps with the account, if policies allow it`()
  {
    let saves = Worlds.policy { $0.allowedDataStorageLocations = [.oneDriveForBusiness] }
    let mail = Worlds.app("mail", Worlds.anna, saves)
    let notes = Worlds.multi("notes", Worlds.anna, Worlds.policy())
    #expect(Self.hops("notes as anna-own", Worlds.world(mail, notes), .honest) == nil)
    let free = Worlds.multi("notes", Worlds.anna, Worlds.open)
    #expect(
      Self.hops("notes as anna-own", Worlds.world(mail, free), .honest) == [
        "made in mail as anna",
        "mail as anna saves the data to OneDrive for Business of anna, and notes as anna-own opens it",
      ])
    // An app without the account cannot access its storage.
    let other = Worlds.multi("notes", Worlds.ben, Worlds.open)
    let others = LeakSearch(Worlds.world(mail, other), .honest).explore().leaks
    #expect(!others.flatMap(\.hops).contains { $0.text.contains("of anna, opened") })
  }
}
