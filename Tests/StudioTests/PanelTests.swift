import Analysis
import Encodings
import Foundation
import GraphDocuments
import Leaks
import Model
import Output
import Policy
import PolicySupport
import TestSupport
import Testing

@testable import Studio
@testable import Tenants

/// The answers to a page's requests, by panel.
struct PanelTests {
  private static func session(
    _ settings: Settings, comparedWith references: [PolicyDocument] = []
  ) throws -> StudioSession {
    let draft = try PolicyDraft(policyFile(settings), file: "base.json")
    return StudioSession(Workbench([draft], comparedWith: references)) { _ in nil }
  }

  /// The members of a request that shows a panel.
  private static func showing(_ panel: String, _ more: String = "") -> String {
    #""panel": {"name": "\#(panel)"\#(more.isEmpty ? "" : ", \(more)")}"#
  }

  private static func ask(
    _ session: StudioSession, _ members: String, to path: String = "state", revision: Int = 0
  ) throws -> JSONValue {
    let body = #"{"policy": 0, "revision": \#(revision), \#(members)}"#
    return try JSONReader.read(try #require(session.answer(path, body), "\(path) \(members)"))
  }

  private static func list(_ value: JSONValue?) -> [JSONValue] { value?.array ?? [] }

  private static func texts(_ value: JSONValue?) -> [String] { list(value).compactMap(\.string) }

  // MARK: Ways out

  /// The open ways of a state, in all groups.
  private static func ways(_ state: JSONValue) -> [JSONValue] {
    list(state["waysOut"]?["groups"]).flatMap { list($0["ways"]) }
  }

  private static func titles(_ ways: [JSONValue]) -> [String] {
    ways.compactMap { $0["title"]?.string }
  }

  @Test func `the panel marks a way out that a change opens, and cites the deciding rule`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.printBlocked = true
    let session = try Self.session(settings)
    let before = try Self.ask(session, Self.showing("ways"))
    #expect(before["panel"]?.string == "ways")
    #expect(before["closed"]?.array?.isEmpty == true)
    let known = Self.titles(Self.ways(before))
    #expect(!known.contains("Print"))
    #expect(known.contains("Third-party keyboard"))
    let after = try Self.ask(
      session, #""line": "Printing Org data", "value": "Allow", "# + Self.showing("ways"),
      to: "change")
    let new = Self.ways(after).filter { $0["isNew"]?.bool == true }
    #expect(Self.titles(new) == ["Print"])
    #expect(new.first?["reason"]?["rule"]?.string == "printingAllowed")
    #expect(new.first?["reason"]?["label"]?.string == "Printing Org data")
    #expect(new.first?["value"]?.string == "Allow")
    #expect(after["waysOut"]?["open"]?.int == known.count + 1)
  }

  @Test func `the panel lists a way out that a change closes`() throws {
    let session = try Self.session(Settings())
    let state = try Self.ask(
      session, #""line": "Printing Org data", "value": "Block", "# + Self.showing("ways"),
      to: "change")
    #expect(Self.texts(state["closed"]) == ["Print"])
    let open = Self.titles(Self.ways(state))
    #expect(!open.contains("Print"))
    #expect(open.contains("Share, by the SDK"))
    #expect(Self.ways(state).allSatisfy { $0["isNew"]?.bool == false })
  }

  @Test func `the change proposed for a group of ways out closes the group`() throws {
    let session = try Self.session(Settings())
    let state = try Self.ask(session, Self.showing("ways"))
    let group = Self.list(state["waysOut"]?["groups"]).first {
      Self.titles(Self.list($0["ways"])) == ["Print"]
    }
    // Sending to no app does not stop printing, which has its own setting.
    let proposals = Self.list(group?["proposals"])
    #expect(proposals.map { $0["text"]?.string } == ["`Printing Org data` = `Block`"])
    #expect(Self.texts(group?["closing"]) == ["`Printing Org data` = `Block`"])
    #expect(proposals.first?["values"]?["printBlocked"]?.bool == true)
    let changedAnswers = try #require(proposals.first?["changedAnswers"]?.int)
    #expect(changedAnswers > 0)
    let values = #""values": {"printBlocked": true}, "#
    let after = try Self.ask(session, values + Self.showing("ways"), to: "change")
    #expect(Self.texts(after["closed"]) == ["Print"])
    let counts = try Self.ask(session, #""panel": null"#, to: "counts", revision: 1)
    #expect(counts["changedAnswers"]?.int == changedAnswers)
    #expect(counts["ways"]?.int == after["waysOut"]?["open"]?.int)
  }

  @Test func `the ways-out panel names the apps required for calls, messages and links`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.exemptedAppProtocols = ["skype"]
    let state = try Self.ask(try Self.session(settings), Self.showing("ways"))
    let needs = Self.ways(state).map { way in
      "\(way["title"]?.string ?? ""): \(way["needs"]?.string ?? "")"
    }
    for wanted in [
      "Phone call, tel:: Phone", "Message, sms:: Messages", "Web link, in a browser: Safari",
      "Exempted scheme, skype:: an app that opens `skype:`",
      "Universal link: an app that claims `www.example.org`",
      "App's own scheme, to its personal account: a personal account in the app",
    ] {
      #expect(needs.contains(wanted), "\(needs)")
    }
    let call = Self.ways(state).first { $0["title"]?.string == "Phone call, tel:" }
    #expect(call?["help"]?.string?.hasSuffix(" It needs Phone.") == true)
    #expect(call?["value"]?.string == "Any dialer app")
    let assumed = Self.texts(state["waysOut"]?["assumed"])
    for need in ["Phone", "Messages", "Safari"] { #expect(assumed.contains(need)) }
  }

  @Test(arguments: 0..<20 * thoroughness)
  func `the panel, the tables and a leak search find the same ways out`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let settings = Settings.random(using: &random)
    let session = try Self.session(settings)
    let state = try Self.ask(session, Self.showing("ways"))
    let counts = try Self.ask(session, #""panel": null"#, to: "counts")
    let document = try #require(
      try PolicyReader.read(policyFile(settings), file: "base.json").first)
    let tables = FlowMatrix(document).waysOut
    #expect(Self.titles(Self.ways(state)) == tables.groups.flatMap(\.ways).map(\.way.title))
    #expect(counts["ways"]?.int == tables.open.count)
    let device = SampleDevice(document)
    let world = LeakWorld(
      apps: device.apps.map { app in
        let personas: [SampleDevice.Persona?] =
          app.isProtected ? SampleDevice.Persona.allCases : [nil]
        return LeakWorld.App(
          name: app.name,
          personas: personas.map {
            LeakWorld.Persona(name: $0?.rawValue ?? "", party: device.party(app, as: $0))
          }, appPolicy: device.policy(of: app))
      }, device: device.restrictions)
    let found = try #require(LeakSearch(world, .honest).run().waysOut)
    let first = try #require(document.states.first)
    #expect(found.open.map(\.way) == WaysOut(document, on: [first]).open.map(\.way))
  }

  // MARK: Share sheet

  private static func destination(_ title: String, in state: JSONValue) -> JSONValue? {
    state["destinations"]?.array?.first { $0["title"]?.string == title }
  }

  @Test(arguments: [
    ([], ["Outlook", "Teams", "WhatsApp", "Adobe Acrobat"]),
    (
      ["com.contoso.mail", "com.microsoft.msedge"],
      ["Edge", "Mail", "WhatsApp", "Adobe Acrobat"]
    ),
    // An app that the policy protects is not also installed without protection.
    (["com.adobe.Adobe-Reader"], ["Adobe Acrobat", "WhatsApp"]),
  ])
  func `the sample device has apps with and without protection`(
    targeted: [String], names: [String]
  ) {
    let document = PolicyDocument(
      displayName: "base", file: "base.json", targeting: Targeting(bundleIDs: targeted))
    let device = SampleDevice(document)
    #expect(device.apps.map(\.name) == names)
    #expect(device.apps.map(\.isProtected).count { $0 } == (targeted.count == 1 ? 1 : 2))
  }

  @Test func `a hidden share sheet destination has the reason and setting that hide it`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    let session = try Self.session(settings)
    let work = try Self.ask(
      session, Self.showing("sheet", #""sender": 0, "item": 0, "via": "sdk""#))
    #expect(Self.texts(work["senders"]).first == "Outlook, the work account")
    #expect(Self.texts(work["items"]).first == "PDF")
    let teams = try #require(Self.destination("Open in Teams", in: work))
    #expect(teams["visibility"]?.string == "shown")
    #expect(teams["icon"]?["initial"]?.string == AppGlyph(of: "Teams").initial)
    #expect(teams["icon"]?["hue"]?.int == AppGlyph(of: "Teams").hue)
    let other = try #require(Self.destination("WhatsApp", in: work))
    #expect(other["visibility"]?.string == "hidden")
    let reasons = Self.list(other["reasons"])
    #expect(reasons.map { $0["rule"]?.string } == ["sendManagedAppsToUnmanaged"])
    #expect(reasons.first?["setting"]?.string == "Send org data to other apps")
    #expect(reasons.first?["value"]?.string == "Policy managed apps")
    let personal = try Self.ask(
      session, Self.showing("sheet", #""sender": 1, "item": 0, "via": "sdk""#))
    let same = try #require(Self.destination("WhatsApp", in: personal))
    #expect(same["visibility"]?.string == "shown")
  }

  @Test(arguments: [
    #""sender": 0, "item": 99, "via": "sdk""#, #""sender": -1, "item": 0, "via": "sdk""#,
    #""sender": 0, "item": 0, "via": "post""#, #""sender": 0"#,
  ])
  func `share sheet choices that the page does not offer are rejected`(members: String) throws {
    let body = #"{"policy": 0, \#(Self.showing("sheet", members))}"#
    #expect(try Self.session(Settings()).answer("state", body) == nil)
  }

  // MARK: Conditional launch

  private static var launch: Settings {
    var settings = Settings()
    settings.minimumRequiredOsVersion = Version(17)
    settings.minimumWipeOsVersion = Version(15)
    settings.minimumRequiredSdkVersion = Version(20)
    settings.deviceComplianceRequired = true
    settings.appActionIfDeviceComplianceRequired = .wipe
    settings.pinRequired = true
    settings.maximumPinRetries = 5
    settings.maximumAllowedDeviceThreatLevel = .high
    settings.periodOfflineBeforeAccessCheck = 43_200
    settings.periodOfflineBeforeWipeIsEnforced = 7_776_000
    return settings
  }

  @Test(arguments: ["same", "changed", "missing"])
  func `the page is informed if another program changed or removed the file`(kind: String) throws {
    let bytes = policyFile(Settings())
    let draft = try PolicyDraft(bytes, file: "base.json")
    let session = StudioSession(Workbench([draft])) { _ in
      kind == "missing" ? nil : kind == "same" ? bytes : bytes + [0x0A]
    }
    // A draft with changes still has the bytes of the file.
    _ = try #require(
      session.answer(
        "change", #"{"policy": 0, "revision": 0, "line": "Printing Org data", "value": "Block"}"#))
    let answer = try JSONReader.read(try #require(session.answer("disk", #"{"policy": 0}"#)))
    #expect(answer["disk"]?.string == kind)
    #expect(answer["file"]?.string == "base.json")
  }

  @Test func `launch conditions are ordered by severity, each with its rule`() throws {
    let state = try Self.ask(try Self.session(Self.launch), Self.showing("launch"))
    let found = Self.list(state["conditions"]).map { condition in
      ["title", "value", "action", "actionWords", "rule"].map { condition[$0]?.string ?? "" }
    }
    #expect(
      found == [
        ["Jailbroken/rooted devices", "", "wipe", "Wipe data", "jailbrokenWipes"],
        ["Min OS version (wipe data)", "15.0", "wipe", "Wipe data", "minimumOSVersionWipes"],
        ["Max PIN attempts", "5", "block", "Reset PIN", "pinRetriesExceededResets"],
        [
          "Min SDK version (block access)", "20.0", "block", "Block access",
          "minimumSDKVersionBlocks",
        ],
        [
          "Min OS version (block access)", "17.0", "block", "Block access",
          "minimumOSVersionBlocks",
        ],
        [
          "Max allowed device threat level", "High", "block", "Block access",
          "threatLevelUnknownBlocks",
        ],
      ])
    #expect(
      Self.list(state["conditions"]).map { $0["resetsPIN"]?.bool }
        == [nil, nil, true, nil, nil, nil])
    #expect(Self.texts(state["unset"]).contains("Disabled account"))
    #expect(Self.list(state["conditions"]).allSatisfy { $0["isChanged"] == nil })
  }

  @Test func `the launch tab shows a phase of offline time for each launch action`() throws {
    let state = try Self.ask(try Self.session(Self.launch), Self.showing("launch"))
    let phases = Self.list(state["offline"]).map { phase in
      ["words", "action"].map { phase[$0]?.string ?? "" }
    }
    #expect(phases == [["", "none"], ["12 hours", "block"], ["90 days", "wipe"]])
    #expect(Self.list(state["offline"]).map { $0["start"]?.int } == [0, 43_200, 7_776_000])
    let open = try Self.ask(try Self.session(Settings()), Self.showing("launch"))
    #expect(Self.list(open["offline"]).map { $0["action"]?.string } == ["none"])
    #expect(open["conditions"]?.array?.isEmpty == true)
  }

  @Test func `a changed launch condition also states its previous action`() throws {
    let session = try Self.session(Self.launch)
    let warning = #""line": "Jailbroken/rooted devices", "value": "Warn", "#
    let state = try Self.ask(session, warning + Self.showing("launch"), to: "change")
    let changed = Self.list(state["conditions"]).filter { $0["isChanged"]?.bool == true }
    #expect(changed.map { $0["rule"]?.string } == ["jailbrokenWarns"])
    #expect(changed.map { $0["before"]?.string } == ["Wipe data"])
    let removal = #""line": "minimumWipeOsVersion", "value": "none", "#
    let none = try Self.ask(
      session, removal + Self.showing("launch"), to: "change", revision: 1)
    let removed = Self.list(none["removed"]).map { $0["title"]?.string }
    #expect(removed == ["Min OS version (wipe data)"])
  }

  @Test func `the launch tab counts all changed offline periods as one condition`() throws {
    let session = try Self.session(Self.launch)
    let edits = [
      ("Jailbroken/rooted devices", "Warn", 1), ("minimumWipeOsVersion", "none", 2),
      ("periodOfflineBeforeAccessCheck", "6 hours", 3),
      ("periodOfflineBeforeWipeIsEnforced", "30 days", 3), ("Printing Org data", "Block", 3),
    ]
    for (revision, (line, value, count)) in edits.enumerated() {
      _ = try Self.ask(
        session, #""line": "\#(line)", "value": "\#(value)""#, to: "change", revision: revision)
      let counts = try Self.ask(session, #""panel": {"name": "launch"}"#, to: "counts")
      #expect(counts["changedConditions"]?.int == count, "\(line)")
    }
  }

  // MARK: Compare

  @Test func `a draft is compared with the saved file and with other files`() throws {
    var other = Settings()
    other.printBlocked = true
    let reference = try PolicyReader.read(policyFile(other, named: "Level 2"), file: "level2.json")
    let session = try Self.session(Settings(), comparedWith: reference)
    let saved = try Self.ask(session, Self.showing("compare", #""other": 0"#))
    #expect(
      Self.list(saved["others"]).map { $0["title"]?.string } == [
        "the saved file", "Level 2 (level2.json)",
      ])
    #expect(saved["settings"]?.array?.isEmpty == true)
    #expect(saved["changedAnswers"]?.int == 0)
    let state = try Self.ask(session, Self.showing("compare", #""other": 1"#))
    let settings = Self.list(state["settings"]).map { row in
      ["page", "title", "before", "after"].map { row[$0]?.string ?? "" }
    }
    #expect(settings == [["Data protection", "Printing Org data", "Block", "Allow"]])
    let print = Self.list(state["differences"]).filter {
      $0["title"]?.string == "Print, managed account"
    }
    #expect(print.map { $0["before"]?.string } == ["blocked"])
    #expect(print.map { $0["after"]?.string } == ["allowed"])
    // An answer counts once for all device states.
    #expect(state["changedAnswers"]?.int == Self.list(state["differences"]).count)
    // The numbers on the tabs are about the saved file.
    #expect(try Self.ask(session, #""panel": null"#, to: "counts")["changedAnswers"]?.int == 0)
    #expect(Self.texts(state["sides"]) == ["Level 2 (level2.json)", "Base (base.json)"])
    let page = try Self.ask(session, #""other": 1"#, to: "page")
    #expect(page["name"]?.string == "base-compared.html")
    let html = try #require(page["html"]?.string)
    // The sentences come first, then links to the sections, the settings and the answers.
    let links = try #require(html.firstRange(of: "</nav>"))
    let sentence = html.firstRange(of: "With Base, Outlook can now pass data to a printer.")
    let parts =
      [sentence?.lowerBound, links.lowerBound]
      + ["Settings that differ", "Printing Org data", "Answers that differ"].map {
        html[links.upperBound...].firstRange(of: $0)?.lowerBound
      }
    #expect(parts.allSatisfy { $0 != nil })
    #expect(parts.compactMap(\.self) == parts.compactMap(\.self).sorted())
    for other in ["2", "-1", "null"] {
      let body = #"{"policy": 0, "other": \#(other)}"#
      #expect(session.answer("page", body) == nil, "\(other)")
    }
  }

  @Test func `a draft is compared with the drafts of the other open policies`() throws {
    var settings = Settings()
    let basic = try PolicyDraft(policyFile(settings, named: "Basic"), file: "basic.json")
    settings.printBlocked = true
    let strict = try PolicyDraft(policyFile(settings, named: "iOS strict"), file: "strict.json")
    let reference = try PolicyReader.read(policyFile(settings, named: "Old"), file: "old.json")
    let session = StudioSession(Workbench([basic, strict], comparedWith: reference)) { _ in nil }
    // The policy's own number stands for the saved file.
    for (other, shown) in [(0, 0), (1, 1), (2, 0), (3, 3), (4, 0)] {
      let state = try Self.ask(session, Self.showing("compare", #""other": \#(other)"#))
      #expect(
        Self.list(state["others"]).map { $0["title"]?.string } == [
          "the saved file", "iOS strict (strict.json)", "Old (old.json)",
        ])
      #expect(Self.list(state["others"]).map { $0["number"]?.int } == [0, 3, 1])
      #expect(state["other"]?.int == shown)
      let before = Self.list(state["settings"]).map { $0["before"]?.string }
      #expect(before == (shown == 0 ? [] : ["Block"]), "\(other)")
    }
    let edit =
      #"{"policy": 1, "revision": 0, "line": "Backup Org data to iTunes and iCloud backups", "value": "Block"}"#
    _ = try #require(session.answer("change", edit))
    let state = try Self.ask(session, Self.showing("compare", #""other": 3"#))
    #expect(
      Self.list(state["others"]).map { $0["title"]?.string }[1]
        == "iOS strict (strict.json), with its changes")
    let settingsThatDiffer = Self.list(state["settings"]).map { $0["title"]?.string ?? "" }
    #expect(
      Set(settingsThatDiffer) == [
        "Printing Org data", "Backup Org data to iTunes and iCloud backups",
      ])
    let page = try Self.ask(session, #""other": 3"#, to: "page")
    #expect(page["html"]?.string?.contains("iOS strict (strict.json), with its changes") == true)
    #expect(session.answer("page", #"{"policy": 0, "other": 2}"#) == nil)
  }

  @Test(arguments: [
    (
      "Restrict cut, copy, and paste between other apps", "Blocked",
      "With the draft of Base, Outlook can no longer paste into WhatsApp."
    ),
    (
      "Printing Org data", "Block",
      "With the draft of Base, Outlook can no longer pass data to a printer."
    ),
    (
      "Restrict web content transfer with other apps", "Microsoft Edge",
      "With the draft of Base, Outlook can no longer open web links, open universal links or open App Clip "
        + "links in unprotected apps."
    ),
  ])
  func `a comparison's first sentence names the draft and the most important change`(
    line: String, value: String, sentence: String
  ) throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    let state = try Self.ask(
      try Self.session(settings),
      #""line": "\#(line)", "value": "\#(value)", "#
        + Self.showing("compare", #""other": 0"#), to: "change")
    #expect(Self.texts(state["summary"]).first == sentence)
    #expect(Self.texts(state["sides"]) == ["Base, saved file", "Base, draft"])
    let changed = try #require(state["changedAnswers"]?.int)
    let last = try #require(Self.texts(state["summary"]).last)
    #expect(
      last.wholeMatch(of: /(\d+) of (\d+) answers changes?\./)?.output.1.description
        == "\(changed)",
      "\(last)")
  }

  @Test func `a comparison's sentences distinguish sharing by the app from sharing by the system`()
    throws
  {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .allApps
    let state = try Self.ask(
      try Self.session(settings),
      #""line": "Send org data to other apps", "value": "Policy managed apps", "#
        + Self.showing("compare", #""other": 0"#), to: "change")
    let sentences = Self.texts(state["summary"])
    // The SDK blocks its own sharing, and encrypts what the system shares.
    #expect(
      sentences.contains {
        $0.contains("Outlook can no longer share with")
          && $0.hasSuffix("WhatsApp (shared by the app).")
      }, "\(sentences)")
    #expect(
      sentences.contains {
        $0.hasPrefix("Outlook can still share with")
          && $0.hasSuffix("WhatsApp (shared by the system), but the data arrives encrypted.")
      }, "\(sentences)")
  }

  @Test func `a comparison reports changed settings that change no answer`() throws {
    let state = try Self.ask(
      try Self.session(Settings()),
      #""line": "PIN for access", "value": "Require", "#
        + Self.showing("compare", #""other": 0"#), to: "change")
    #expect(
      Self.texts(state["summary"]) == [
        "PIN for access: `Require`, not `Not required`.", "No answer about a flow of data changes.",
      ])
    #expect(Self.list(state["settings"]).map { $0["title"]?.string } == ["PIN for access"])
  }

  @Test(arguments: [
    (
      43_200, "6 hours", "Offline grace period (block access): `6 hours`, not `12 hours`."
    ),
    (0, "6 hours", "Offline grace period (block access): `6 hours`, not `none`."),
    (43_200, "none", "Offline grace period (block access): `none`, not `12 hours`."),
  ])
  func `the compare panel states a changed offline period in a sentence, not a table`(
    seconds: Int, value: String, sentence: String
  ) throws {
    var settings = Settings()
    settings.periodOfflineBeforeAccessCheck = seconds
    let session = try Self.session(settings)
    let state = try Self.ask(
      session,
      #""line": "periodOfflineBeforeAccessCheck", "value": "\#(value)", "#
        + Self.showing("compare", #""other": 0"#), to: "change")
    #expect(
      Self.texts(state["summary"]) == [sentence, "No answer about a flow of data changes."])
    #expect(state["changedAnswers"]?.int == 0)
    let page = try Self.ask(session, #""other": 0"#, to: "page", revision: 1)
    let html = try #require(page["html"]?.string)
    #expect(html.ranges(of: "<table").count == 1)
    #expect(html.contains("Offline grace period (block access): "))
  }

  @Test func `the compare summary omits a changed setting whose effect is already stated`()
    throws
  {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    let session = try Self.session(settings)
    for (revision, edit) in [("Printing Org data", "Block"), ("PIN for access", "Require")]
      .enumerated()
    {
      _ = try Self.ask(
        session, #""line": "\#(edit.0)", "value": "\#(edit.1)""#, to: "change", revision: revision)
    }
    let state = try Self.ask(session, Self.showing("compare", #""other": 0"#), revision: 2)
    let sentences = Self.texts(state["summary"])
    #expect(sentences.first?.contains("can no longer pass data to a printer") == true)
    #expect(sentences.contains("PIN for access: `Require`, not `Not required`."))
    #expect(!sentences.contains { $0.hasPrefix("Printing Org data") })
    #expect(sentences.last?.contains(" answers change") == true)
  }

  // MARK: Users

  @Test func `the panel of an exported policy names the users whom the policy reaches`() throws {
    let outlook = #"{"mobileAppIdentifier": {"bundleId": "com.microsoft.Office.Outlook"}}"#
    let policy = { (name: String, targets: String) in
      ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)",
       "apps": [\##(outlook)], "assignments": [\##(targets)]}
      """##
    }
    let target = { (type: String, more: String) in
      ##"{"target": {"@odata.type": "#microsoft.graph.\##(type)AssignmentTarget"\##(more)}}"##
    }
    let field = #", "groupId": "field-id""#
    let files = [
      "AppProtection/Field.json": policy("Field", target("group", field)),
      "AppProtection/Office.json": policy(
        "Office",
        target("allLicensedUsers", "") + ", " + target("exclusionGroup", field)),
      "Groups/Field.json":
        ##"{"@odata.type": "#microsoft.graph.group", "id": "field-id", "displayName": "Field", "members": ["ben@contoso.com"]}"##,
      "Users/users.json":
        ##"{"value": [{"id": "u1", "userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}, {"id": "u2", "userPrincipalName": "ben@contoso.com", "assignedLicenses": [{"skuId": "1"}]}]}"##,
    ]
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    let tenant = try reader.finish()
    let drafts = try ["Field", "Office"].map { name in
      let path = "AppProtection/\(name).json"
      return try PolicyDraft(Array((files[path] ?? "").utf8), file: "contoso/\(path)")
    }
    let session = StudioSession(Workbench(drafts, of: tenant)) { _ in nil }
    let users = ["ben@contoso.com", "anna@contoso.com"]
    for (number, user) in users.enumerated() {
      let body = #"{"policy": \#(number), \#(Self.showing("users"))}"#
      let state = try JSONReader.read(try #require(session.answer("state", body)))
      #expect(state["isTenant"]?.bool == true)
      let reach = Self.list(state["reach"])
      #expect(reach.map { $0["device"]?.string } == ["an unmanaged device", "a managed device"])
      for device in reach {
        let sections = Self.list(device["sections"])
        #expect(
          sections.map { $0["title"]?.string } == [
            "Reaches 1 of 2 users", "Does not reach 1 of 2 users",
          ])
        let classes = sections.map { Self.list($0["classes"]) }
        let others = users.filter { $0 != user }
        #expect(classes.map { $0.map { $0["text"]?.string } } == [[user], others])
        #expect(classes.joined().map { Self.texts($0["names"]) } == [[user], others])
        #expect(classes.joined().map { $0["count"]?.int } == [1, 1])
        let reasons = classes.map { $0.flatMap { Self.texts($0["reasons"]) } }
        #expect(reasons[0].allSatisfy { $0.hasPrefix("applies: ") })
        #expect(reasons[1].allSatisfy { $0.hasPrefix("does not apply: ") })
        #expect(reasons.allSatisfy { $0.count == 1 })
        let apps = Self.list(device["apps"])
        #expect(apps.map { $0["name"]?.string } == ["Outlook"])
        #expect(apps.map { $0["bundleID"]?.string } == ["com.microsoft.office.outlook"])
        #expect(Self.texts(device["companions"]).isEmpty)
        #expect(Self.texts(device["gaps"]).isEmpty)
      }
    }
  }

  @Test func `the users panel names at most 100 users and counts all users`() throws {
    let user = { (number: Int) in
      #"{"id": "u\#(number)", "userPrincipalName": "user\#(number)@contoso.com"}"#
    }
    let files = [
      "AppProtection/All.json":
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "All", "appGroupType": "allApps", "assignments": []}"##,
      "Users/users.json": "{\"value\": [\((1...130).map(user).joined(separator: ", "))]}",
    ]
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    let path = "AppProtection/All.json"
    let draft = try PolicyDraft(Array((files[path] ?? "").utf8), file: "contoso/\(path)")
    let session = StudioSession(Workbench([draft], of: try reader.finish())) { _ in nil }
    let state = try Self.ask(session, Self.showing("users"))
    let sections = Self.list(state["reach"]).flatMap { Self.list($0["sections"]) }
    #expect(
      sections.map { $0["title"]?.string } == [
        "Does not reach 130 of 130 users", "Does not reach 130 of 130 users",
      ])
    let classes = sections.flatMap { Self.list($0["classes"]) }
    #expect(classes.map { $0["count"]?.int } == [130, 130])
    #expect(classes.map { Self.texts($0["names"]).count } == [100, 100])
    #expect(Self.texts(classes.first?["names"]).first == "user1@contoso.com")
  }

  // MARK: Help

  @Test func `each row and column of the answer tables has an explanation`() throws {
    var settings = Settings()
    settings.exemptedAppProtocols = ["skype"]
    settings.allowedOutboundClipboardSharingExceptionLength = 50
    let state = try Self.ask(try Self.session(settings), Self.showing("answers"))
    for section in Self.list(state["sections"]) {
      let columns = Self.texts(section["columns"])
      let help = Self.texts(section["columnHelp"])
      #expect(help.count == columns.count)
      for (column, text) in zip(columns, help) {
        // Each party of the column is defined.
        let parties = column.split(separator: "->").count
        #expect(text.count { $0 == ":" } == parties, "\(column): \(text)")
      }
      for row in Self.list(section["rows"]) {
        #expect(row["help"]?.string?.hasSuffix(".") == true, "\(row["title"]?.string ?? "")")
      }
    }
    #expect(Self.texts(state["stateHelp"]).count == Self.texts(state["states"]).count)
    #expect(state["encryptedHelp"]?.string == "delivered, but the receiver cannot read it")
    #expect(
      state["doubtHelp"]?.string?.hasPrefix("the deciding rule is assumed or contested") == true)
    let first = Self.list(state["sections"]).first
    #expect(
      Self.texts(first?["columnHelp"]).dropFirst(2).first
        == "From `managed`: an account under the policy, enrolled in an app that integrates the Intune App SDK. "
        + "To `unmanaged`: an app or account that no policy protects."
    )
  }

  @Test func `the answer tables mark an assumed answer as sluice matrix does`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    let state = try Self.ask(try Self.session(settings), Self.showing("answers"))
    let row = Self.list(Self.list(state["sections"]).first?["rows"]).first
    #expect(row?["title"]?.string == "Share, by the SDK")
    let marks = Self.list(row?["entries"]).map { Self.list($0).map { $0["doubt"]?.string } }
    // From the managed account to the same account, another organisation and an unmanaged app; from an unmanaged app.
    #expect(marks == [[""], ["?"], [""], [""]])
  }

  // MARK: Requests

  @Test func `the studio's error kind distinguishes an invalid value from other errors`() throws {
    let session = try Self.session(Settings())
    let value = #""line": "Offline grace period (block access)", "value": "soon""#
    let rejected = try Self.ask(session, value, to: "change")
    #expect(rejected["kind"]?.string == "value")
    #expect(
      rejected["error"]?.string
        == "`soon` is not a value of `Offline grace period`; expected a number of minutes, or a period such as "
        + "`12 hours`")
    let old = try Self.ask(session, value, to: "change", revision: 7)
    #expect(old["kind"]?.string == "other")
    let number = #""line": "Offline grace period (block access)", "value": "100""#
    let state = try Self.ask(session, number, to: "change")
    let line = Self.list(state["pages"]).flatMap { Self.list($0["lines"]) }
      .first { $0["title"]?.string == "Offline grace period (block access)" }
    #expect(Self.texts(line?["texts"]) == ["100 minutes"])
    #expect(line?["unit"]?.string == "minutes")
    #expect(line?["before"]?.string == "none")
  }

  @Test(arguments: [#""panel": {"name": "other"}"#, #""panel": "answers""#, #""panel": 1"#])
  func `the studio rejects a panel name that does not exist`(members: String) throws {
    #expect(try Self.session(Settings()).answer("state", "{\"policy\": 0, \(members)}") == nil)
  }

  @Test func `the studio sends only the visible panel's content, but the counts of all panels`()
    throws
  {
    let session = try Self.session(Settings())
    let goals = try Self.ask(session, Self.showing("goals"))
    for member in ["sections", "waysOut", "findings", "destinations", "conditions"] {
      #expect(goals[member] == nil, "\(member)")
    }
    let counts = try Self.ask(session, #""panel": null"#, to: "counts")
    #expect(counts["revision"]?.int == 0)
    #expect(counts["changedAnswers"]?.int == 0)
    #expect(counts["findings"]?.int != nil)
    #expect((counts["ways"]?.int ?? 0) > 10)
  }

  @Test func `the studio rejects a change from a page that shows an outdated draft`() throws {
    let session = try Self.session(Settings())
    let change = #""line": "Printing Org data", "value": "Block""#
    #expect(try Self.ask(session, change, to: "change")["error"] == nil)
    let refused = try Self.ask(session, change, to: "change")
    #expect(
      refused["error"]?.string == "another page has changed the draft; this page now shows it")
  }
}
