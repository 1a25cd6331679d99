import Analysis
import GraphDocuments
import Model
import Policy
import PolicySupport
import TestSupport
import Testing

@testable import Leaks

/// Compares the search with the ways out of the tables: both use one definition of what leaves.
@Suite struct WayOutLawTests {
  /// Returns a random policy for devices without MDM.
  private static func policy(_ seed: Int) -> PolicyDocument {
    var random = SeededGenerator(seed: UInt64(seed))
    var pool = SettingPool()
    // Apps register schemes in lower case.
    pool.otherSchemes = ["", "dial", "chat", "firefox"]
    return PolicyDocument(
      displayName: "random", file: "random.json",
      settings: .random(using: &random, from: pool), targeting: Targeting(levels: [.unmanaged]))
  }

  /// Returns a world with two protected apps and, for each condition of a way out, an app of that name.
  private static func world(_ settings: Settings) -> LeakWorld {
    let policy = EffectivePolicy(settings: settings)
    var apps = [
      Worlds.multi("mail", Worlds.anna, policy), Worlds.multi("notes", Worlds.anna, policy),
    ]
    for index in apps.indices {
      for persona in apps[index].personas.indices {
        apps[index].personas[persona].party.app.linksSDK = true
        guard index == 0 else { continue }
        apps[0].personas[persona].party.app.schemes = ["mail", "mail-intunemam"]
      }
    }
    var domains: [String: [String]] = [:]
    for need in Set(WayOut.all(among: [settings]).compactMap(\.needs)).sorted() {
      var app = Worlds.app(need)
      let name = need.split(separator: "`").dropFirst().first.map(String.init) ?? ""
      if need.hasPrefix("an app that opens") {
        app.personas[0].party.app.schemes = [String(name.dropLast())]
      } else if need.hasPrefix("an app that claims") {
        domains[need] = ["applinks:\(name)"]
      } else if let schemes = systemSchemes[need] {
        app.personas[0].party.app.schemes = schemes
      } else if need != "an app without a policy" {
        continue
      }
      apps.append(app)
    }
    return LeakWorld(
      apps: apps, device: DeviceRestrictions(), openers: Worlds.openers(apps, domains: domains))
  }

  private static let systemSchemes: [String: Set<String>] = [
    "Phone": ["tel", "telprompt"], "Messages": ["sms", "imessage"], "Safari": ["http", "https"],
  ]

  @Test(arguments: 0..<20 * thoroughness)
  func `leak search and flow matrix find equal ways out, including one for each leak`(
    seed: Int
  ) throws {
    let document = Self.policy(seed)
    let tables = FlowMatrix(document).waysOut
    let report = LeakSearch(Self.world(document.settings), .honest).run()
    let ways = try #require(report.waysOut)
    #expect(ways.ways.map(\.outcome) == tables.ways.map(\.outcome))
    #expect(ways.open.map(\.way) == tables.open.map(\.way))
    #expect(ways.summary == tables.summary)
    #expect(report.text.contains(ways.summary))
    for leak in report.leaks {
      #expect(leak.way(among: ways) != nil, "\(leak.hops.map(\.text))")
    }
    let sinks = Set(report.leaks.map(\.sink.text))
    for way in ways.open {
      let end: String? =
        switch way.way.needs {
        case "a personal account in the app"?: "mail as anna-own"
        case nil where way.way.channel.counterpart == .system:
          way.way.channel.row.counterpartWords
        // The search has no App Clips, and names a location by its account.
        case let need?: need.hasPrefix("an App Clip") ? nil : need
        case nil: nil
        }
      if let end { #expect(sinks.contains(end), "\(way.way.title)") }
    }
  }

  @Test func `the leak report names the apps of a way out and counts retyping separately`() throws {
    let (strict, printing) = (
      Worlds.policy(), Worlds.policy { $0.printBlocked = false }
    )
    let report = LeakSearch(
      Worlds.world(
        Worlds.app("mail", Worlds.anna, strict), Worlds.multi("notes", Worlds.anna, printing)),
      .careless
    ).run()
    let ways = try #require(report.waysOut)
    let print = try #require(ways.open.first { $0.way.channel == .print })
    #expect(print.only == ["notes"])
    #expect(report.text.contains("\n    Print (in notes)\n"))
    let retyped = try #require(report.leaks.first { $0.sink.name == "notes as anna-own" })
    #expect(retyped.way(among: ways) == nil)
    #expect(
      report.text.contains("; 1 place above is reached by retyping, which no setting stops\n"))
    let printed = try #require(report.leaks.first { $0.sink.name == "print" })
    #expect(printed.way(among: ways)?.title == "Print")
  }

  @Test func `the changes proposed for a way out close the way out in every app`() throws {
    let exempting = Worlds.policy { $0.exemptedAppProtocols = ["skype"] }
    let alone = LeakSearch(Worlds.world(Worlds.app("mail", Worlds.anna, exempting)), .honest).run()
    let both = LeakSearch(
      Worlds.world(
        Worlds.app("mail", Worlds.anna, exempting), Worlds.app("notes", Worlds.anna, Worlds.open)),
      .honest
    ).run()
    let changes = try [alone, both].map { report in
      let groups = try #require(report.waysOut).groups
      return try #require(
        groups.first { $0.ways.contains { $0.way.title == "Exempted scheme, skype:" } }
      ).closing.map(\.text)
    }
    // Each app's own smallest change leaves the other app's way open.
    let change = "`Select apps to exempt` without the URL's scheme"
    #expect(changes[0].contains(change))
    #expect(!changes[1].contains(change))
  }

  @Test(arguments: [0, 12])
  func `if no single setting closes a way out under all policies, several settings close it`(
    others: Int
  ) throws {
    // One needs another level, the other no exception.
    let level = Worlds.policy { $0.allowedOutboundClipboardSharingLevel = .allApps }
    let exception = Worlds.policy {
      $0.allowedOutboundClipboardSharingLevel = .blocked
      $0.allowedOutboundClipboardSharingExceptionLength = 10
    }
    let apps =
      (0..<others).map { number in
        Worlds.app(
          "app\(number)", Worlds.anna,
          Worlds.policy {
            $0.allowedOutboundClipboardSharingLevel = .allApps
            $0.minimumPinLength = number
          })
      } + [Worlds.app("mail", Worlds.anna, level), Worlds.app("notes", Worlds.anna, exception)]
    let world = LeakWorld(
      apps: apps, device: DeviceRestrictions(), openers: Worlds.openers(apps))
    let groups = try #require(LeakSearch(world, .honest).run().waysOut).groups
    let group = try #require(
      groups.first { group in
        group.ways.contains { $0.way.channel == .clipboard && $0.way.title.contains("10") }
      }, "\(groups.flatMap(\.ways).map(\.way.title))")
    let change = try #require(group.changes)
    #expect(change.contains("`Restrict cut, copy, and paste between other apps` = "), "\(change)")
    #expect(change.contains(" and `Cut and copy character limit for any app` = "), "\(change)")
  }

  @Test func `the report of a leak query lists no ways out`() {
    let world = Worlds.world(
      Worlds.app("mail", Worlds.anna, Worlds.open), Worlds.app("viewer"))
    let report = LeakSearch(world, .honest).answer(LeakQuery(from: [], to: ["viewer"]))
    #expect(report.waysOut == nil)
    #expect(!report.text.contains("ways out"))
  }

  @Test func `a device without leaks still has ways out to apps that are not installed`() {
    let policy = Worlds.policy {
      $0.notificationRestriction = .block
      $0.contactSyncBlocked = true
      $0.dataBackupBlocked = true
      $0.thirdPartyKeyboardsBlocked = true
      $0.allowedOutboundDataTransferDestinations = .none
    }
    let report = LeakSearch(Worlds.world(Worlds.app("mail", Worlds.anna, policy)), .honest).run()
    #expect(report.isClean)
    let needs = report.waysOut?.needs ?? []
    #expect(needs.starts(with: ["Safari"]))
    #expect(needs.contains("Phone") && needs.contains("Messages"))
    #expect(report.text.contains("assumed on the device: Safari, "))
    #expect(report.text.contains("\nno leak: "))
  }
}
