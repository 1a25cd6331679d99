import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests leaks that a search finds and real processes replay, and the command's errors about
  /// invalid input.
  @Suite(.timeLimit(.minutes(15))) struct LeaksCommandTests {
    /// Worlds of shipped scenarios. Each world has a property that the other worlds lack.
    private static let worlds = [
      "specific-apps", "app-configuration", "both-flags", "clipboard", "conditional-launch",
      "enrolled-user", "device", "example-app-managed", "extension-points", "extensions",
      "files", "identities", "default-browser", "incoming-org-data", "keychain", "lineage", "links",
      "mdm", "open-in",
      "os-sharing", "other-organisation",
      "sdk-versions", "unenrolled-sdk", "wipe",
    ]

    @Test(arguments: worlds.prefix(6 * thoroughness))
    func `real processes reproduce each leak found by the search`(world: String) throws {
      let ended = try desk.sluice(
        "leaks", "--scenario", Repository.path("scenarios/\(world).yaml"), "--verify")
      #expect([0, 1].contains(ended.status), "\(ended.output)\(ended.errors)")
      #expect(ended.output.contains("exhaustive for careless apps"))
    }

    /// A world in which Outlook has a personal account, which is the only path to WhatsApp.
    private static let onceOut = """
      accounts:
        anna: { upn: anna@contoso.com }
        private: { upn: anna@example.org }
      policies:
        base:
          json: { displayName: B, allowedOutboundDataTransferDestinations: managedApps, allowedOutboundClipboardSharingLevel: managedAppsWithPasteIn, saveAsBlocked: true }
          assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.outlook] }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        outlook: { bundle: com.contoso.outlook, sdk: true, multiIdentity: true, signedIn: [anna, private] }
        whatsapp: { bundle: net.whatsapp }
      steps:
        - launch: [mail, outlook, whatsapp]
        - switchIdentity: { app: outlook, to: anna }
        - share: { from: mail, to: outlook, text: Salary list }
          expect: { verdict: allowed, end: delivered }
        - switchIdentity: { app: outlook, to: private }
        - share: { from: outlook, to: whatsapp, item: retyped }
          expect: { verdict: allowed, end: delivered, received: Salary list }
      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.onceOut, to: "world.yaml")
    }

    @Test func `leaks for a user of a tenant follow the tenant's assignments`() throws {
      try desk.folder.write(
        "com.microsoft.office.outlook: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      let tenant = ["leaks", "--tenant", Repository.path("examples/tenant"), "--apps", "apps.txt"]
      let office = try desk.sluice(tenant + ["--user", "anna@contoso.com"], ends: 1)
      #expect(office.output.contains("data of anna@contoso.com reaches a printer"))
      #expect(!office.output.contains("data of anna@contoso.com reaches viewer"))
      // No policy applies to root, so there is no org data.
      let excluded = try desk.sluice(tenant + ["--user", "root@contoso.com"], ends: 2)
      #expect(excluded.errors.contains("no policy applies to an account in any of the apps"))
      let without = try desk.sluice(Array(tenant.dropLast(2)), ends: 64)
      #expect(without.errors.contains("--tenant needs --apps"))
      let unknown = try desk.sluice(tenant + ["--user", "ana@contoso.com"], ends: 2)
      #expect(unknown.errors.contains("did you mean `anna@contoso.com`?"))
    }

    @Test func `leaks of a tenant name the users whom conditional access blocks`() throws {
      try desk.folder.copy(Repository.path("examples/tenant"), to: "t")
      try desk.folder.write(
        ##"""
        {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "No phones", "state": "enabled",
         "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]},
                        "users": {"includeUsers": ["All"]}},
         "grantControls": {"operator": "OR", "builtInControls": ["block"]}}
        """##, to: "t/ConditionalAccess/No phones.json")
      try desk.folder.write("Outlook: managed\n", to: "apps.txt")
      let tenant = ["leaks", "--tenant", "t", "--apps", "apps.txt"]
      for (options, users) in [
        (["--user", "anna@contoso.com"], "anna@contoso.com is"),
        ([], "6 users like anna@contoso.com are"),
      ] as [([String], String)] {
        let ended = try desk.sluice(tenant + options)
        #expect(
          ended.errors.contains(
            "t: note: \(users) blocked by `No phones`, which an unmanaged device cannot meet, so apps get no new "
              + "data there [blocked]"), "\(ended.errors)")
      }
    }

    @Test func `without --user, the leaks of a tenant are reported for each class of users`() throws
    {
      try desk.folder.write(
        "com.microsoft.office.outlook: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      let tenant = ["leaks", "--tenant", Repository.path("examples/tenant"), "--apps", "apps.txt"]
      let all = try desk.sluice(tenant, ends: 1)
      #expect(
        all.lines.filter { $0.hasPrefix("For ") } == [
          "For 3 users like anna@contoso.com:",
          "For 2 users like ben@contoso.com, if the filter `Recent iOS` is true:",
          "For 2 users like ben@contoso.com, if the filter `Recent iOS` is false; for root@contoso.com: "
            + "no policy applies to an account in any of the apps, so there is no protected data to follow",
        ])
      for (user, device) in [("anna", "unmanaged"), ("ben", "unmanaged,os=26.0")] {
        let one = try desk.sluice(
          tenant + ["--user", "\(user)@contoso.com", "--device", device], ends: 1)
        #expect(all.output.contains(":\n\n" + one.output), "\(user)")
      }
      let json = try desk.sluice(tenant + ["--format", "json"], ends: 1)
      #expect(try SchemaCheck("tenant-leaks").problems(in: json.output) == [])
      let classes = try #require(json.json()["classes"]?.array)
      #expect(classes.map { $0["users"]?.array?.count } == [3, 2, 2, 1])
      #expect(
        classes.map { $0["if"]?.array?.compactMap(\.string) } == [
          nil, ["the filter `Recent iOS` is true"], ["the filter `Recent iOS` is false"], nil,
        ])
      #expect(classes.map { $0["reason"] != nil } == [false, false, true, true])
      for option in [["--verify"], ["--witness", "w.yaml"], ["--format", "sarif"]] {
        let ended = try desk.sluice(tenant + option, ends: 64)
        #expect(ended.errors.contains("--user"), "\(ended.errors)")
      }
    }

    @Test
    func `sluice leaks --user reports leaks separately for each result of an assignment filter`()
      throws
    {
      // The name of an app that a policy targets stands for its bundle id.
      try desk.folder.write("Outlook: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      let ben = [
        "leaks", "--tenant", Repository.path("examples/tenant"), "--apps", "apps.txt", "--user",
        "ben@contoso.com",
      ]
      let both = try desk.sluice(ben, ends: 1)
      #expect(
        both.lines.filter { $0.hasPrefix("For ") } == [
          "For ben@contoso.com, if the filter `Recent iOS` is true:",
          "For ben@contoso.com, if the filter `Recent iOS` is false: no policy applies to an account in any "
            + "of the apps, so there is no protected data to follow",
        ])
      let query = try desk.sluice(ben + ["--to", "viewer"], ends: 1)
      #expect(
        query.output.contains(
          "if the filter `Recent iOS` is true:\n\nviewer: REACHED by data of ben@contoso.com"))
      #expect(query.output.contains("if the filter `Recent iOS` is false: no policy applies"))
      #expect(try desk.sluice(ben + ["--to", "Viewer"], ends: 1).output == query.output)
      let recent = try desk.sluice(ben + ["--device", "unmanaged,os=17.2"], ends: 1)
      #expect(!recent.output.contains("For ben"), "\(recent.output)")
      let old = try desk.sluice(ben + ["--device", "os=16.7"], ends: 2)
      #expect(old.errors.contains("no policy applies to an account in any of the apps"))
      // One answer for one device cannot list alternatives.
      for option in [["--verify"], ["--format", "sarif"], ["--emit", "promela"]] {
        let ended = try desk.sluice(ben + option, ends: 2)
        #expect(
          ended.errors.contains(
            "\(option.joined(separator: " ").replacing(" promela", with: "")) needs one device, but the device of "
              + "ben@contoso.com depends on facts that the export does not state: the filter `Recent iOS` is true"
          ),
          "\(ended.errors)")
      }
    }

    @Test(arguments: [
      (["--scenario", "world.yaml", "--device", "os=17"], "--scenario states its own device"),
      (
        ["policy.json", "--apps", "apps.txt", "--device", "any,managed"],
        "--device any,managed needs --tenant"
      ),
      (
        ["--tenant", "x", "--apps", "apps.txt", "--device", "enrolled"],
        "`enrolled` does not describe a device"
      ),
    ])
    func `an invalid or misplaced device description is a usage error`(
      options: [String], message: String
    ) throws {
      let ended = try desk.sluice(["leaks"] + options, ends: 64)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test func `sluice leaks applies proposed changes to a tenant before the search`() throws {
      try desk.folder.write(
        "com.microsoft.office.outlook: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      let tenant = ["leaks", "--tenant", Repository.path("examples/tenant"), "--apps", "apps.txt"]
      let printing = ["--set", "Printing Org data=Block"]
      let anna = tenant + ["--user", "anna@contoso.com"]
      let proposed = try desk.sluice(anna + printing, ends: 1)
      #expect(!proposed.output.contains("reaches a printer"), "\(proposed.output)")
      #expect(proposed.output.contains("reaches a notification"), "\(proposed.output)")
      let excluded = try desk.sluice(anna + ["--member", "anna@contoso.com=Break glass"], ends: 2)
      #expect(excluded.errors.contains("no policy applies to an account in any of the apps"))
      let all = try desk.sluice(tenant + printing, ends: 1)
      #expect(!all.output.contains("reaches a printer"), "\(all.output)")
      _ = try desk.sluice(anna + printing + ["--witness", "w.yaml"], ends: 64)
      let alone = try desk.sluice(["leaks", "--apps", "apps.txt"] + printing, ends: 64)
      #expect(alone.errors.contains("--set needs --tenant"), "\(alone.errors)")
    }

    @Test
    func `the leak search reaches every app that receives data in a run, even after sign-out`()
      throws
    {
      try desk.sluice("run", "world.yaml", ends: 0)
      let all = try desk.sluice("leaks", "--scenario", "world.yaml")
      #expect(all.output.contains("data that has left can also reach these apps: "))
      #expect(all.output.contains("whatsapp"))
      let ended = try desk.sluice(
        "leaks", "--scenario", "world.yaml", "--from", "mail", "--to", "whatsapp", "--to",
        "outlook", ends: 1)
      #expect(ended.output.contains("whatsapp: REACHED by data of anna@contoso.com in "))
      let query = try desk.sluice(
        "leaks", "--scenario", "world.yaml", "--to", "whatsapp", "--behaviour", "honest",
        "--sign-ins", "stated",
        "--format", "json", ends: 0
      ).json()["query"]
      #expect(query?["verdicts"]?.array?.first?["reached"]?.bool == false)
      let misspelt = try desk.sluice(
        "leaks", "--scenario", "world.yaml", "--to", "whatsap", ends: 2)
      #expect(
        misspelt.errors.contains("no app is called `whatsap`; did you mean `whatsapp`? [app]"))
      try desk.sluice("leaks", "--scenario", "world.yaml", "--from", "mail", ends: 64)
    }

    @Test func `real processes reproduce each leak path that sluice leaks --to finds`() throws {
      let query = ["--from", "mail", "--to", "whatsapp", "--to", "outlook"]
      let verified = try desk.sluice(
        ["leaks", "--scenario", "world.yaml", "--verify"] + query, ends: 1)
      let json = try desk.sluice(["leaks", "--scenario", "world.yaml", "--format", "json"] + query)
        .json()
      let count = try #require(json["leaks"]?.array?.count)
      #expect(
        verified.errors.contains(
          "real processes reproduced all the leaks that the search found (\(count) leak\(count == 1 ? "" : "s"))\n"
        ))
      try desk.sluice(
        ["leaks", "--scenario", "world.yaml", "--witness", "ways.yaml"] + query, ends: 1)
      let run = try desk.sluice("run", "ways.yaml", ends: 0)
      #expect(run.output.contains("data of anna@contoso.com reaches whatsapp"))
    }

    @Test(
      arguments: [
        (["--baseline", "world.yaml"], "--baseline compares all leaks: leave it out"),
        (["--emit", "promela"], "the search for all leaks: leave out --to"),
        (["--preserve", "mail:outlook"], "--to proposes none: leave it out"),
      ])
    func `sluice leaks --to rejects options of the full search, with the reason`(
      options: [String], reason: String
    ) throws {
      let ended = try desk.sluice(
        ["leaks", "--scenario", "world.yaml", "--to", "whatsapp"] + options, ends: 64)
      #expect(ended.errors.contains(reason))
    }

    @Test func `sluice leaks --to answers in JUnit, SARIF and HTML`() throws {
      func answer(_ format: String, _ behaviour: String) throws -> String {
        let ended = try desk.sluice(
          "leaks", "--scenario", "world.yaml", "--from", "mail", "--to", "whatsapp", "--sign-ins",
          "stated",
          "--behaviour", behaviour, "--format", format, ends: behaviour == "honest" ? 0 : 1)
        return ended.output
      }
      // Honest apps do not pass on data that has left protection.
      let unreached = try answer("junit", "honest")
      #expect(unreached.contains(#"tests="1" failures="0""#))
      #expect(unreached.contains("managed data does not reach whatsapp"))
      let reached = try answer("junit", "careless")
      #expect(reached.contains(#"tests="1" failures="1""#))
      #expect(reached.contains("data of anna@contoso.com reaches whatsapp"))
      #expect(!reached.contains("managed data does not reach"), "\(reached)")

      func results(_ behaviour: String) throws -> [JSONValue] {
        let log = try JSONReader.read(try answer("sarif", behaviour))
        return log["runs"]?.array?.first?["results"]?.array ?? []
      }
      #expect(try results("honest").isEmpty)
      let result = try #require(try results("careless").first)
      #expect(result["ruleId"]?.string == "appReached")
      #expect(
        result["message"]?["text"]?.string?.hasPrefix(
          "data of anna@contoso.com reaches whatsapp: made in mail as anna; ") == true)

      // The page contains the JSON report in compressed form.
      for behaviour in ["honest", "careless"] {
        let page = try answer("html", behaviour)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(
          page.contains("<title>Leaks of org data: world</title>"), "\(page.prefix(300))")
      }
    }

    /// Returns a world with random apps, accounts and policies. Anna's mail is managed in it.
    private static func world(_ seed: Int) -> String {
      var random = SeededGenerator(seed: UInt64(seed))
      func pick(_ values: [String]) -> String {
        values[Int(random.next() % UInt64(values.count))]
      }
      func policy() -> String {
        """
        { displayName: P, allowedOutboundDataTransferDestinations: \(pick(["allApps", "managedApps", "managedApps", "none"])), \
        allowedInboundDataTransferSources: \(pick(["allApps", "managedApps", "none"])), \
        allowedOutboundClipboardSharingLevel: \(pick(["allApps", "managedApps", "managedAppsWithPasteIn", "blocked"])), \
        saveAsBlocked: \(pick(["true", "false"])), printBlocked: \(pick(["true", "false"])) }
        """
      }
      let (multi, single) = ("multiIdentity: true, signedIn:", "signedIn:")
      return """
        accounts:
          anna: { upn: anna@contoso.com }
          ben: { upn: ben@contoso.com }
          private: { upn: anna@example.org }
        policies:
          strict:
            json: \(policy())
            assign:
              - { account: anna, apps: [com.contoso.mail, \(pick(["com.contoso.notes", "com.contoso.desk"]))] }
              - { account: ben, apps: [\(pick(["com.contoso.desk", "com.contoso.notes"]))] }
          other:
            json: \(policy())
            assign: [{ account: \(pick(["anna", "ben"])), apps: [\(pick(["com.contoso.notes", "com.contoso.desk"]))] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          notes: { bundle: com.contoso.notes, sdk: true, \(pick(["\(multi) [anna, private]", "\(single) [anna]", "\(multi) [ben]"])) }
          desk: { bundle: com.contoso.desk, sdk: true, \(pick(["\(multi) [ben, private]", "\(single) [ben]", "\(single) []"])) }
          viewer: { bundle: org.example.viewer }
          reader: { bundle: org.example.reader, sdk: \(pick(["true", "false"])) }
          clip: { bundle: com.contoso.notes.clip, sdk: \(pick(["true", "false"])), extension: share, containingApp: \(pick(["notes", "viewer"])) }
        cases:
          - name: nothing
            steps: [{ launch: mail }]
        """
    }

    @Test(arguments: 1...4 * thoroughness)
    func `in random worlds, real processes reproduce each leak, and a walk finds no other`(
      seed: Int
    )
      throws
    {
      let world = Self.world(seed)
      try desk.folder.write(world, to: "world.yaml")
      // A delivery to an app that the query reports as NOT REACHED ends the walk.
      let walk = try desk.sluice("walk", "world.yaml", "--seed", "\(seed)", "--steps", "500")
      #expect(walk.status == 0, "\(walk.output)\(walk.errors)\(world)")
      let targets = ["mail", "notes", "desk", "viewer", "reader", "clip"].flatMap { ["--to", $0] }
      let ended = try desk.sluice(["leaks", "--scenario", "world.yaml", "--verify"] + targets)
      #expect([0, 1].contains(ended.status), "\(ended.output)\(ended.errors)\(world)")
      #expect(
        ended.errors.contains("real processes reproduced all the leaks that the search found"))
    }

    @Test func `the witnesses of the leak search form a passing scenario`() throws {
      let world = Repository.path("scenarios/lineage.yaml")
      try desk.sluice("leaks", "--scenario", world, "--witness", "witnesses.yaml", ends: 1)
      let run = try desk.sluice("run", "witnesses.yaml", ends: 0)
      #expect(run.output.contains("1: data of anna@contoso.com reaches "))
    }

    @Test
    func `a leak witness uses system sharing to an extension and quotes app names such as null`()
      throws
    {
      try desk.folder.write(
        """
        device: { mdm: { enrolled: true } }
        accounts:
          "null": { upn: "o,b@contoso.com" }
          private: { upn: ob@example.org }
        policies:
          base:
            json: { displayName: B, allowedOutboundDataTransferDestinations: managedApps, disableProtectionOfManagedOutboundOpenInData: true }
            assign: [{ account: "null", apps: [com.contoso.mail] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, mdmManaged: true, multiIdentity: true, signedIn: ["null", private], configuration: { IntuneMAMUPN: "o,b@contoso.com" } }
          "null": { bundle: org.example.viewer }
          clip: { bundle: org.example.clip, extension: share, containingApp: "null" }
        steps:
          - launch: mail
        """, to: "odd.yaml")
      let ended = try desk.sluice("leaks", "--scenario", "odd.yaml", "--verify", ends: 1)
      #expect(ended.output.contains("reaches null, clip"))
      #expect(ended.output.contains("via the system with null"))
    }

    @Test func `real processes reproduce leaks through sign-ins, storage and remembered data`()
      throws
    {
      try desk.folder.write(
        """
        accounts:
          anna: { upn: anna@contoso.com }
          private: { upn: anna@example.org }
        policies:
          closed:
            json: { displayName: Closed, allowedOutboundDataTransferDestinations: managedApps, saveAsBlocked: true, allowedDataStorageLocations: [box], allowedOutboundClipboardSharingLevel: blocked }
            assign: [{ account: anna, apps: [com.contoso.mail] }]
          open:
            json: { displayName: Open, allowedOutboundDataTransferDestinations: allApps, saveAsBlocked: true, allowedOutboundClipboardSharingLevel: blocked }
            assign: [{ account: anna, apps: [com.contoso.notes] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          notes: { bundle: com.contoso.notes, sdk: true, multiIdentity: true, signedIn: [anna] }
          clip: { bundle: com.contoso.notes.clip, sdk: true, extension: share, containingApp: notes }
        cases:
          - name: nothing
            steps: [{ launch: mail }]
        """, to: "ways.yaml")
      func leaks(_ option: String, _ value: String) throws -> String {
        let ended = try desk.sluice(
          "leaks", "--scenario", "ways.yaml", "--verify", option, value, ends: 1)
        return ended.output
      }
      let hostile = try leaks("--behaviour", "hostile")
      #expect(hostile.contains("private signs in to notes"))
      #expect(hostile.contains("anna signs out of mail\n   retyped in mail\n"))
      let honest = try leaks("--behaviour", "honest")
      #expect(
        honest.contains("mail as anna saves the data to Box of anna, and notes as unknown opens it")
      )
      #expect(try !leaks("--sign-ins", "stated").contains("signs in"))
    }

    @Test func `leak witnesses run from another folder, and do not overwrite the scenario`() throws
    {
      let criterion = Repository.path("scenarios/criteria/IMPORT.yaml")
      try desk.sluice("leaks", "--scenario", criterion, "--witness", "witnesses.yaml", ends: 1)
      try desk.sluice("run", "witnesses.yaml", ends: 0)
      let refused = try desk.sluice(
        "leaks", "--scenario", "witnesses.yaml", "--witness", "./witnesses.yaml", ends: 2)
      #expect(
        refused.errors
          == "./witnesses.yaml:1:1: error: the scenario would be overwritten; name another file [witness]\n"
      )
    }

    @Test func `sluice leaks --device any searches all device states and names each leak's state`()
      throws
    {
      try desk.folder.write(
        """
        device: { mdm: { enrolled: true } }
        accounts:
          anna: { upn: anna@contoso.com }
        policies:
          enrolled:
            json: { displayName: Enrolled, appGroupType: allApps, targetedAppManagementLevels: mdm, allowedOutboundDataTransferDestinations: managedApps, saveAsBlocked: true, allowedDataStorageLocations: [box], printBlocked: true }
            assign: [{ account: anna }]
          others:
            json: { displayName: Others, appGroupType: allApps, targetedAppManagementLevels: unmanaged, allowedOutboundDataTransferDestinations: managedApps, saveAsBlocked: true, allowedDataStorageLocations: [box] }
            assign: [{ account: anna }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, mdmManaged: true, signedIn: [anna], configuration: { IntuneMAMUPN: anna@contoso.com } }
          viewer: { bundle: org.example.viewer }
        cases:
          - name: nothing
            steps: [{ launch: mail }]
        """, to: "devices.yaml")
      let stated = try desk.sluice("leaks", "--scenario", "devices.yaml", "--sign-ins", "stated")
      #expect(!stated.output.contains("where the device"), "\(stated.output)")
      let ended = try desk.sluice(
        "leaks", "--scenario", "devices.yaml", "--device", "any", "--verify", ends: 1)
      #expect(
        ended.output.contains(
          "\n   where the device is not enrolled in MDM\n   made in mail as anna\n   mail as anna → a printer: printingAllowed"
        ))
      #expect(ended.output.contains("reaches Box\n   where apps have release 15.0 of the SDK\n"))
      let search = try desk.sluice(
        "leaks", "--scenario", "devices.yaml", "--device", "any", "--format", "json"
      )
      .json()["search"]
      #expect(search?["devices"]?.int ?? 0 > 20)
    }

    @Test func `the JUnit report of leaks has a case for each leak`() throws {
      let world = Repository.path("scenarios/lineage.yaml")
      let ended = try desk.sluice("leaks", "--scenario", world, "--format", "junit", ends: 1)
      let json = try desk.sluice("leaks", "--scenario", world, "--format", "json").json()
      let count = try #require(json["leaks"]?.array?.count)
      #expect(ended.output.contains(#"tests="\#(count)" failures="\#(count)""#))
      #expect(ended.output.contains("data of anna@contoso.com reaches a printer"))
    }

    @Test func `sluice leaks can search a world given by an app list and an exported policy`()
      throws
    {
      try desk.folder.write(
        """
        # mail and notes
        com.contoso.mail: managed
        com.contoso.notes: multiIdentity   # with a personal account

        org.example.viewer: unmanaged
        """, to: "apps.txt")
      let policy = Repository.path("scenarios/criteria/policies/base.json")
      let ended = try desk.sluice("leaks", policy, "--apps", "apps.txt", "--verify", ends: 1)
      #expect(ended.output.contains("retyped in notes as private"))
      #expect(ended.output.contains("3 apps and extensions"))
      // The tables of the policy count the same ways out.
      let summary = "11 of 60 ways out are open, 5 encrypted, 44 blocked"
      #expect(ended.output.contains("\n\(summary); "), "\(ended.output)")
      let tables = try desk.sluice("matrix", policy, ends: 0)
      #expect(tables.output.contains("\n\(summary)\n"), "\(tables.output)")
    }

    @Test
    func `sluice leaks takes several policies, and its options accept bundle ids of listed apps`()
      throws
    {
      try desk.folder.write(
        "com.contoso.mail: managed\ncom.contoso.notes: managed\norg.example.viewer: unmanaged\n",
        to: "apps.txt")
      for (file, app, value) in [("a", "mail", "none"), ("b", "notes", "managedApps")] {
        try desk.folder.write(
          """
          { "displayName": "\(file)", "allowedOutboundDataTransferDestinations": "\(value)",
            "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.\(app)" } }] }
          """, to: "\(file).json")
      }
      let query = ["--apps", "apps.txt", "--from", "com.contoso.mail", "--to", "com.contoso.notes"]
      let ended = try desk.sluice(["leaks", "a.json", "b.json"] + query)
      #expect(ended.status == 0 || ended.status == 1, "\(ended.errors)")
      #expect(ended.output.contains("notes"))
    }

    @Test(
      arguments: [
        ([], "name policies and the file of --apps, or a scenario with --scenario"),
        (["a.json", "b.json"], "policies need a list of apps; name it with --apps"),
        (["policy.json", "--to", "mail"], "policies need a list of apps; name it with --apps"),
        (
          ["--apps", "apps.txt"],
          "name policies and the file of --apps, or a scenario with --scenario"
        ),
        (
          ["policy.json", "--scenario", "a.yaml"],
          "--scenario states its own policies and apps: leave out `policy.json`"
        ),
        (
          ["--apps", "apps.txt", "--scenario", "a.yaml"],
          "--scenario states its own policies and apps: leave out --apps"
        ),
      ])
    func `sluice leaks requires either a scenario or policies with an app list`(
      words: [String], message: String
    ) throws {
      let ended = try desk.sluice(["leaks"] + words, ends: 64)
      #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test(
      arguments: [
        (
          "com.contoso.mail",
          "apps.txt:2:1: error: `com.contoso.mail` does not name an app and its use"
        ),
        (
          "com.contoso.mail: maneged",
          "apps.txt:2:1: error: the use of an app must be `managed`, `multiIdentity` or"
        ),
        ("a.b: managed\na.b: unmanaged", "apps.txt:3:1: error: `a.b` is listed twice"),
        ("contoso: managed", "apps.txt:2:1: error: no policy names an app `contoso`; expected a"),
        (
          "WhatsApp: managed\nNotApp: managed",
          "apps.txt:3:1: error: no policy names an app `NotApp`"
        ),
        ("a b.c: managed", "apps.txt:2:1: error: `a b.c` is neither a bundle id nor the path"),
        ("", "apps.txt:1:1: error: the file names no app"),
      ])
    func `sluice leaks rejects an invalid app list`(lines: String, message: String) throws {
      try desk.folder.write("# apps\n\(lines)\n", to: "apps.txt")
      let policy = Repository.path("scenarios/criteria/policies/base.json")
      let ended = try desk.sluice("leaks", policy, "--apps", "apps.txt", ends: 2)
      #expect(ended.errors.hasPrefix(message))
      #expect(ended.output.isEmpty)
    }

    @Test func `the SARIF report of leaks has each leak at the line that allows it`() throws {
      let world = Repository.path("scenarios/lineage.yaml")
      let text = try desk.sluice("leaks", "--scenario", world, "--format", "json")
      let count = try text.json()["leaks"]?.array?.count
      let log = try desk.sluice("leaks", "--scenario", world, "--format", "sarif").json()
      let results = log["runs"]?.array?.first?["results"]?.array ?? []
      #expect(results.count == count)
      let safari = results.first {
        $0["message"]?["text"]?.string?.contains("reaches the app's Safari web extension") == true
      }
      let place = safari?["locations"]?.array?.first?["physicalLocation"]
      #expect(place?["region"]?["startLine"]?.int == 13)
      #expect(safari?["ruleId"]?.string == "leakToSystem")
    }

    @Test func `sluice leaks with the same scenario as its baseline reports no new leaks`() throws {
      let world = Repository.path("scenarios/lineage.yaml")
      let ended = try desk.sluice("leaks", "--scenario", world, "--baseline", world, ends: 0)
      #expect(ended.output == "the leaks reach the same places as in the baseline\n")
    }

    @Test(
      arguments: [
        (["--preserve", "mail:nots"], 2, "no app is called `nots`; did you mean `notes`?"),
        (["--preserve", "viewer:mail"], 2, "cannot share data of a managed account with `mail`"),
        (["--preserve", "mail"], 64, "--preserve needs two apps, as in mail:notes, found `mail`"),
        (["--baseline", "nowhere.yaml"], 2, "nowhere.yaml"),
      ] as [([String], Int32, String)])
    func `invalid --preserve and --baseline arguments are rejected`(
      options: [String], status: Int32, message: String
    ) throws {
      let world = Repository.path("scenarios/lineage.yaml")
      let ended = try desk.sluice(["leaks", "--scenario", world] + options, ends: status)
      #expect(ended.errors.contains(message))
    }
  }
}
