import GraphDocuments
import Model
import Policy
import PolicySupport
import TestSupport
import Testing

@testable import Analysis

/// Tests the ways by which org data can leave all policies.
@Suite struct WayOutTests {
  private static func random(_ seed: Int) -> PolicyDocument {
    var random = SeededGenerator(seed: UInt64(seed))
    return PolicyDocument(
      displayName: "random", file: "random.json", settings: .random(using: &random))
  }

  private static func ways(
    on known: [ManagementState]? = nil, _ edit: (inout Settings) -> Void
  ) -> WaysOut { WaysOut(Samples.document("base", edit), on: known) }

  /// A policy that blocks sending, pasting and printing.
  private static func strict(_ settings: inout Settings) {
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .blocked
    settings.saveAsBlocked = true
    settings.printBlocked = true
  }

  struct Row: Sendable {
    var title: String
    var edit: @Sendable (inout Settings) -> Void
    var rule: Rule
    var needs: String?
    /// The changes that close the way.
    var closing: String?
  }

  @Test(arguments: [
    Row(
      title: "Print", edit: { $0.printBlocked = false }, rule: .printingAllowed,
      closing: "`Printing Org data` = `Block`"),
    Row(
      title: "Contacts to the device's own", edit: { _ in }, rule: .contactSyncAllowed,
      closing: "`Sync policy managed app data with native apps or add-ins` = `Block`"),
    Row(
      title: "Phone call, tel:", edit: { _ in }, rule: .dialerAnyApp, needs: "Phone",
      closing: "`Transfer telecommunication data to` = `A specific dialer app`"),
    Row(
      title: "Message, sms:", edit: { _ in }, rule: .messagingAnyApp, needs: "Messages",
      closing: "`Transfer messaging data to` = `A specific messaging app`"),
    Row(
      title: "Web link, in a browser", edit: { _ in }, rule: .anyBrowser, needs: "Safari",
      closing: "`Restrict web content transfer with other apps` = `Microsoft Edge`"),
    Row(
      title: "Exempted scheme, skype:", edit: { $0.exemptedAppProtocols = ["skype"] },
      rule: .exemptedScheme, needs: "an app that opens `skype:`",
      closing: "`Select apps to exempt` without the URL's scheme"),
    Row(
      title: "Universal link, exempted",
      edit: {
        $0.managedBrowser = .microsoftEdge
        $0.exemptedUniversalLinks = [LinkPattern("https://maps.apple.com/*")]
      }, rule: .exemptedUniversalLink, needs: "an app that claims `maps.apple.com`",
      closing: "`Select universal links to exempt` without the link"),
    Row(
      title: "App's own scheme, to its personal account", edit: { _ in }, rule: .managedScheme,
      needs: "a personal account in the app", closing: "`Send org data to other apps` = `None`"),
    Row(
      title: "Save to Photos", edit: { $0.allowedDataStorageLocations = [.photoLibrary] },
      rule: .saveToSelectedService,
      closing:
        "`Allow user to save copies to selected services` without the location or `Send org data to other apps` = `None`"
    ),
  ])
  func `an open way out states its rule, its conditions and the changes that close it`(
    row: Row
  ) throws {
    let ways = Self.ways {
      Self.strict(&$0)
      row.edit(&$0)
    }
    let way = try #require(ways.open.first { $0.way.title == row.title })
    #expect(way.reason.rule == row.rule)
    #expect(way.way.needs == row.needs)
    let group = try #require(ways.groups.first { $0.ways.contains(way) })
    #expect(group.changes == row.closing)
  }

  @Test func `encrypting a file and viewing the account's own page are not ways out`() {
    let ways = Self.ways { _ in }.ways
    #expect(!ways.contains { $0.way.channel == .fileEncryption })
    #expect(
      ways.filter { $0.way.channel == .webView }.map(\.way.title) == [
        "Web view, external page", "Web view, unmanaged",
      ])
  }

  @Test func `a way out is closed in device states in which the share is encrypted`() throws {
    let ways = Self.ways {
      Self.strict(&$0)
      $0.disableProtectionOfManagedOutboundOpenInData = true
    }
    let share = try #require(ways.open.first { $0.way.title == "Share, by the system" })
    #expect(share.only == ["enrolled"])
    #expect(share.reason.rule == .osSharing)
    let off = Self.ways(on: [.unenrolled]) {
      Self.strict(&$0)
      $0.disableProtectionOfManagedOutboundOpenInData = true
    }
    let same = try #require(off.ways.first { $0.way == share.way })
    #expect(same.outcome == .encrypted)
    #expect(same.reason.rule == .sendManagedAppsEncrypts)
    #expect(!off.open.contains { $0.way == share.way })
  }

  @Test(arguments: 0..<20 * thoroughness)
  func `each way out has the same outcome as its cell in the flow matrix`(seed: Int) {
    let document = Self.random(seed)
    let ways = FlowMatrix(document).waysOut
    #expect(ways.ways.map(\.way) == WaysOut(document).ways.map(\.way))
    var cells: [String: Outcome] = [:]
    for row in FlowMatrix(document).sections.flatMap(\.rows) {
      for entry in row.entries.compactMap(\.self) {
        guard entry.parties.from == .managed, [.unmanaged, .system].contains(entry.parties.to),
          let outcome = entry.cells.map(\.outcome).max()
        else { continue }
        cells["\(row.channel) \(row.title)"] = outcome
      }
    }
    for way in ways.ways {
      let title = way.way.title
      let key = cells.keys.first { key in
        key == "\(way.way.channel) \(title)"
          || StorageLocation.allCases.contains { location in
            title == "\(way.way.channel.row.title) \(location.title)"
              && key == "\(way.way.channel) \(location.rawValue)"
          }
      }
      // The tables have no column for an app that opens its own scheme for another account.
      guard let key else {
        #expect(title == "App's own scheme, to its personal account")
        continue
      }
      #expect(cells[key] == way.outcome, "\(title)")
    }
  }

  @Test(arguments: 0..<20 * thoroughness)
  func `a change proposed for a group of ways out closes the whole group`(seed: Int) {
    let document = Self.random(seed)
    let ways = WaysOut(document)
    #expect(ways.groups.flatMap(\.ways).count == ways.open.count)
    for group in ways.groups {
      for proposal in group.closing {
        var changed = document
        changed.settings = proposal.settings
        let open = Set(WaysOut(changed).open.map(\.way))
        for way in group.ways {
          #expect(!open.contains(way.way), "\(proposal.text): \(way.way.title)")
        }
      }
    }
  }

  @Test func `senders with equal policy, SDK release and device state are treated as one sender`() {
    let policy = Samples.policy("base", Self.strict)
    let one = WayOut.Sender(under: policy, in: .unenrolled)
    var two = one
    two.party.app.bundleID = "com.contoso.notes"
    #expect(one.isLike(two))
    two.party.app.sdkVersion = Version(15)
    #expect(!one.isLike(two))
    #expect(!one.isLike(WayOut.Sender(under: policy, in: .enrolled)))
  }
}
