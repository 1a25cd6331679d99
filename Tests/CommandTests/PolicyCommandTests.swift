import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the output and exit status of commands that inspect policies without starting a device.
  @Suite struct PolicyCommandTests {
    private static let policy = """
      {
        "@odata.type": "#microsoft.graph.iosManagedAppProtection",
        "displayName": "Base",
        "allowedOutboundDataTransferDestinations": "managedApps",
        "saveAsBlocked": true,
        "allowedDataStorageLocations": ["oneDriveForBusiness"],
        "printBlocked": false,
        "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.mail" } }]
      }
      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.policy, to: "policy.json")
      try desk.folder.write(
        Self.policy.replacingOccurrences(
          of: #""printBlocked": false"#, with: #""printBlocked": true"#), to: "stricter.json")
      try desk.folder.write(#"{ "displayName": "#, to: "cut.json")
      try desk.folder.write(
        Self.policy.replacingOccurrences(of: "iosManaged", with: "androidManaged"),
        to: "android.json")
    }

    @Test(
      arguments: [
        ("policy show policy.json", 0), ("policy show cut.json", 2),
        ("policy show android.json", 2), ("policy show nowhere.json", 2),
        ("policy lint policy.json", 0), ("policy lint cut.json", 2),
        ("policy lint policy.json --fail-on everything", 64),
        ("policy diff policy.json policy.json", 0), ("policy diff policy.json stricter.json", 1),
        ("policy diff policy.json cut.json", 2), ("matrix policy.json", 0),
        ("matrix cut.json", 2), ("matrix policy.json --channel teleport", 64),
        ("explain policy.json --channel print --account anna@contoso.com", 0),
        ("explain policy.json --location box", 64), ("explain cut.json --channel print", 2),
      ])
    func `policy commands exit with their statuses and report errors on standard error`(
      line: String, status: Int32
    ) throws {
      let ended = try desk.sluice(line: line, ends: status)
      #expect(ended.output.isEmpty == (status == 64 || status == 2 && !line.contains("lint")))
      if status == 64 || status == 2 && !line.contains("lint") {
        #expect(ended.errors.contains(status == 64 ? "Usage: sluice " : ": error: "))
      }
    }

    @Test func `an explanation without an account notes that no policy applies`() throws {
      let line = ["explain", "policy.json", "--channel", "print"]
      let nobody = try desk.sluice(line, ends: 0)
      #expect(nobody.output.hasPrefix("ALLOWED: "))
      #expect(
        nobody.errors.hasPrefix("sluice: note: no account is named, so no policy applies;"))
      let anna = try desk.sluice(line + ["--account", "anna@contoso.com"])
      #expect(anna.errors.isEmpty)
    }

    @Test func `an explanation notes that a targeted receiver without an account is unmanaged`()
      throws
    {
      try desk.folder.write(
        #"{ "displayName": "B", "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.notes" } }] }"#,
        to: "targeting.json")
      let line = [
        "explain", "targeting.json", "--channel", "share", "--account", "anna@contoso.com",
        "--managed",
      ]
      let targeted = try desk.sluice(line + ["--to-app", "com.contoso.notes"])
      #expect(
        targeted.errors.hasPrefix("sluice: note: `com.contoso.notes` counts as unmanaged,"),
        "\(targeted.errors)")
      for rest in [
        ["--to-app", "org.example.viewer"], ["--to-app", "com.contoso.notes", "--to-unmanaged"],
        ["--to-app", "com.contoso.notes", "--to-account", "anna@contoso.com"],
      ] {
        let other = try desk.sluice(line + rest)
        #expect(other.errors.isEmpty, "\(rest): \(other.errors)")
      }
    }

    @Test(arguments: [
      ("policy.json --channel print --account anna@contoso.com", "ALLOWED", 0),
      ("stricter.json --channel print --account anna@contoso.com", "BLOCKED", 1),
      ("policy.json stricter.json --channel print --account anna@contoso.com", "BLOCKED", 1),
      (
        "policy.json --channel share --via os --account anna@contoso.com --to-app org.example.b",
        "ENCRYPTED", 3
      ),
      ("policy.json --channel print", "ALLOWED", 3),
      (
        "policy.json --channel print --app org.example.other --account anna@contoso.com", "",
        2
      ),
      ("cut.json --channel print --account anna@contoso.com", "", 2),
    ])
    func `the exit status of explain --exit-code states the verdict`(
      options: String, verdict: String, status: Int32
    ) throws {
      let ended = try desk.sluice(line: "explain --exit-code \(options)", ends: status)
      #expect(ended.output.hasPrefix(verdict))
      if status == 3 || status == 1 { try desk.sluice(line: "explain \(options)", ends: 0) }
    }

    @Test(arguments: [("", 0), ("print", 0), ("print share", 3), ("share saveTo print", 1)])
    func `with --exit-code, the strictest verdict of several requests determines the exit status`(
      channels: String, status: Int32
    ) throws {
      let receivers = [
        "share": #", "via": "os", "receiver": { "app": "org.example.b" }"#,
        "saveTo": #", "location": "box""#,
      ]
      let lines = channels.split(separator: " ").map(String.init).map { channel in
        let sender = #"{ "app": "com.contoso.mail", "account": "anna@contoso.com" }"#
        let receiver = receivers[channel] ?? ""
        return #"{ "channel": "\#(channel)", "sender": \#(sender)\#(receiver) }"# + "\n"
      }
      try desk.sluice(
        "explain", "policy.json", "--exit-code", input: lines.joined(), ends: status)
    }

    @Test(arguments: [
      (["--app", "mail"], nil), (["--app", "Mail"], nil),
      (
        ["--app", "com.contoso.mial"],
        "did you mean `com.contoso.mail`? `Base` is targeted at com.contoso.mail"
      ),
      (
        ["--app", "org.example.other"],
        "none of the given policies targets `org.example.other`; `Base` is targeted"
      ),
      (["--app", "org.example.other", "--unmanaged"], nil),
      (["--app", "org.example.other", "--managed"], nil),
    ])
    func `sluice explain rejects an untargeted app unless --managed or --unmanaged is given`(
      options: [String], words: String?
    ) throws {
      let line = [
        "explain", "policy.json", "--channel", "print", "--account", "anna@contoso.com",
      ]
      let ended = try desk.sluice(line + options, ends: words == nil ? 0 : 2)
      #expect(ended.output.isEmpty == (words != nil))
      if let words { #expect(ended.errors.contains(words), "\(ended.errors)") }
    }

    @Test
    func `the error about an untargeted app names a policy that targets only managed devices`()
      throws
    {
      try desk.folder.write(
        Self.policy.replacing(
          #""displayName": "Base","#,
          with: #""displayName": "Base", "targetedAppManagementLevels": "mdm","#),
        to: "managed.json")
      let ended = try desk.sluice(
        [
          "explain", "managed.json", "--channel", "print", "--app", "com.contoso.mail", "--account",
          "anna@contoso.com",
        ], ends: 2)
      #expect(
        ended.errors.contains(
          "none of the given policies targets `com.contoso.mail` in this state of the device; `Base` is not targeted at unmanaged "
            + "devices"), "\(ended.errors)")
    }

    @Test(arguments: [("viewer", "viewer"), ("WhatsApp", "net.whatsapp.whatsapp")])
    func `the receiving app can be given by the name of a targeted or well-known app`(
      name: String, bundleID: String
    ) throws {
      let ended = try desk.sluice(
        "explain", "policy.json", "--channel", "paste", "--app", "mail", "--account",
        "anna@contoso.com", "--to-app", name, ends: 0)
      #expect(
        ended.output.contains("com.contoso.mail (anna@contoso.com, managed) -> \(bundleID) ("),
        "\(ended.output)")
      let same = try desk.sluice(
        "explain", "policy.json", "--channel", "paste", "--account", "anna@contoso.com",
        "--to-app", "mail", ends: 0)
      #expect(same.output.contains("-> com.contoso.mail ("), "\(same.output)")
    }

    @Test(arguments: [
      ("--to", "Did you mean '--to-app'?"),
      ("--from", "Unknown option '--from'. --app is the app that acts, and --to-app the other app"),
      ("--from-app", "Unknown option '--from-app'. --app is the app that acts"),
    ])
    func `sluice explain suggests --app or --to-app for an unknown option such as --from`(
      option: String, message: String
    ) throws {
      for input in [["policy.json"], ["--tenant", Repository.path("examples/tenant")]] {
        let ended = try desk.sluice(
          ["explain"] + input + ["--channel", "share", "--app", "Outlook", option, "Teams"],
          ends: 64)
        #expect(ended.errors.contains(message), "\(ended.errors)")
      }
    }

    @Test func `sluice explain reports a missing --app`() throws {
      try desk.folder.write(
        Self.policy.replacingOccurrences(of: "com.contoso.mail", with: "com.contoso.notes"),
        to: "notes.json")
      let ended = try desk.sluice(
        ["explain", "notes.json", "--channel", "print", "--account", "anna@contoso.com"],
        ends: 2)
      #expect(
        ended.errors.hasPrefix(
          "sluice: error: --app is missing; none of the given policies targets"))
    }

    @Test
    func `sluice explain follows a folder's assignments, and sluice run reports them as ignored`()
      throws
    {
      for (name, target) in [
        ("strict", "groupAssignmentTarget"), ("loose", "exclusionGroupAssignmentTarget"),
      ] {
        try desk.folder.write(
          Self.policy.replacingOccurrences(
            of: #""Base","#,
            with: """
              "\(name)", "assignments": [{ "target": { "@odata.type": "#microsoft.graph.\(target)", "groupId": "1" } }],
              """), to: "tenant/\(name).json")
      }
      let names = "`loose` (tenant/loose.json), `strict` (tenant/strict.json)"
      let notice = "groups, exclusions and filters were not read: \(names) "
      let explained = try desk.sluice(
        "explain", "tenant", "--channel", "print", "--account", "anna@contoso.com", "--app",
        "com.contoso.mail")
      #expect(explained.output.hasPrefix("If anna@contoso.com is in `1`:\n"), "\(explained.errors)")
      #expect(explained.output.contains("\nIf anna@contoso.com is not in `1`:\n"))
      let matrix = try desk.sluice("matrix", "tenant", ends: 0)
      #expect(
        matrix.output.contains(
          "for a user with a licence in com.contoso.mail, if the user is in `1`\n"))
      let json = try desk.sluice("matrix", "tenant", "--format", "json", ends: 0).json()
      let applied = json["policies"]?.array?.first?["for"]?.array?.first?["if"]?.array
      #expect(applied?.compactMap(\.string) == ["the user is in `1`"])
      try desk.folder.write(
        "com.contoso.mail: managed\norg.example.viewer: unmanaged\n", to: "apps.txt")
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies: { all: { file: tenant, assign: [{ account: anna }] } }
        apps: { mail: { bundle: com.contoso.mail, sdk: true } }
        steps: [{ launch: mail }]
        """, to: "a.yaml")
      let run = try desk.sluice("run", "a.yaml", "--dry-run")
      #expect(
        run.errors.contains(
          "note: \(notice)apply to the accounts that the scenario assigns them to"))
      let state = try desk.sluice(
        "explain", "device-state", "mail", "--scenario", "a.yaml", "--format", "json")
      #expect(try state.json()["remarks"]?.array?.first?.string?.hasPrefix(notice) == true)
      let leaks = try desk.sluice("leaks", "tenant", "--apps", "apps.txt")
      #expect(
        leaks.output.hasPrefix("notice: groups, exclusions and filters were not read: "),
        "\(leaks.errors)")
    }

    @Test func `commands report the ignored assignments of a single policy`() throws {
      try desk.folder.write(
        Self.policy.replacingOccurrences(
          of: #""Base","#,
          with: """
            "staff", "assignments": [{ "target": { "@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "1" } }],
            """), to: "staff.json")
      let notice = "groups, exclusions and filters were not read: `staff` (staff.json) "
      let explained = try desk.sluice(
        "explain", "staff.json", "--channel", "print", "--account", "anna@contoso.com")
      #expect(
        explained.output.hasPrefix("notice: \(notice)is treated as assigned to all users\n"),
        "\(explained.output) \(explained.errors)")
      let matrix = try desk.sluice("matrix", "staff.json")
      #expect(matrix.output.hasPrefix("notice: \(notice)is shown regardless of its assignments\n"))
      try desk.folder.write("com.contoso.mail: managed\n", to: "apps.txt")
      let leaks = try desk.sluice("leaks", "staff.json", "--apps", "apps.txt")
      #expect(
        leaks.output.hasPrefix("notice: \(notice)is treated as assigned to all users\n"),
        "\(leaks.output) \(leaks.errors)")
    }

    @Test func `every report of a run lists the ignored assignments`() throws {
      let scenario = Repository.path("scenarios/group-assignments.yaml")
      let folder = Repository.path("scenarios/group-assignments")
      let run = try desk.sluice(
        "run", scenario, "--format", "json", "--output", "html=page.html", "--output",
        "text=report.txt", ends: 0)
      let notice =
        "groups, exclusions and filters were not read: `Contractors` (\(folder)/contractors.json), "
        + "`Staff` (\(folder)/staff.json) apply to the accounts that the scenario assigns them to; "
      let told = try run.json()["notices"]?.array?.compactMap(\.string) ?? []
      #expect(told.count == 1 && told.first?.hasPrefix(notice) == true, "\(told)")
      #expect(run.errors.contains("note: \(notice)"))
      #expect(try desk.folder.read("page.html").contains(notice))
      // A scenario with its own policies has no unread assignments.
      #expect(
        try desk.sluice("run", Repository.path("scenarios/save-policy.yaml"), "--format", "json")
          .json()["notices"] == nil)
    }

    @Test(
      arguments: [
        ("deploy.ps1", "param(\n  $Tenant\n)\n", "a PowerShell script"),
        ("main.tf", #"resource "a" "b" {\#n}\#n"#, "a Terraform configuration"),
        (
          "Policies.ps1", "Configuration P {\n  IntuneAppProtectionPolicyiOS 'Base' {\n  }\n}\n",
          "a Microsoft365DSC configuration"
        ),
      ])
    func `commands that read policies reject a script and name its kind`(
      name: String, text: String, noun: String
    ) throws {
      try desk.folder.write(text, to: "scripts/\(name)")
      for command in [
        ["policy", "lint", "scripts"], ["matrix", "scripts"],
        ["explain", "scripts", "--channel", "print", "--account", "anna@contoso.com"],
        ["app-config", "show", "scripts"],
      ] {
        let ended = try desk.sluice(command, ends: 2)
        #expect(
          (ended.output + ended.errors).contains(
            "`scripts/\(name)` is \(noun); export from Microsoft Graph"),
          "\(command): \(ended.output)\(ended.errors)")
      }
    }

    @Test(
      arguments: table(
        """
        lint policy.json
        => `sluice` has no command `lint`; did you mean `sluice tenant lint`, `sluice policy lint`, `sluice bundle lint`,
           `sluice app-config lint` or `sluice code lint`?
        polcy show
        => `sluice` has no command `polcy`; did you mean `sluice policy`?
        policy lnt policy.json
        => `sluice policy` has no command `lnt`; did you mean `sluice policy lint`?
        fly
        => `sluice` has no command `fly`; `sluice --help` lists the commands
        matrix policy.json --channel email
        => The value 'email' is invalid for '--channel <channel>': no channel is called `email`; did
           you mean `mailComposer`?
        matrix policy.json --channel Share
        => The value 'Share' is invalid for '--channel <channel>': no channel is called `Share`; did
           you mean `share`?
        """))
    func `an error about an unknown command or channel suggests the nearest name`(
      line: String, message: String
    ) throws {
      let ended = try desk.sluice(line: line, ends: 64)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("Error: \(message)\n"))
    }

    @Test func `policy lint and policy show both fail for a folder without an iOS policy`() throws {
      for folder in ["empty", "other"] {
        try desk.folder.makeFolder("\(folder)")
      }
      try desk.folder.copy("\(desk.folder.path)/android.json", to: "other/a.json")
      for folder in ["empty", "other"] {
        let lint = try desk.sluice("policy", "lint", folder, ends: 2)
        #expect(lint.output.contains("[noPolicy]"))
        try desk.sluice("policy", "show", folder, ends: 2)
      }
    }

    @Test(arguments: [
      ("policy show", "pipe.json"), ("policy lint", "pipe.json"),
      ("matrix --compare", "pipe.json"), ("app-config show", "pipe.json"), ("run", "pipe.yaml"),
    ])
    func `a named pipe in a folder of policies is an error`(command: String, pipe: String) throws {
      try desk.folder.write(Self.policy, to: "all/policy.json")
      #expect(mkfifo(desk.folder.path("all/\(pipe)"), 0o600) == 0)
      let ended = try desk.sluice(command.split(separator: " ").map(String.init) + ["all"], ends: 2)
      let said = ended.errors + ended.output
      #expect(said.hasPrefix("all/\(pipe):1:1: error: it is not a regular file [file]\n"))
    }

    @Test(arguments: [
      "policy show", "policy lint", "policy diff stricter.json", "matrix",
      "explain --channel print", "decide", "walk --policy", "policy compare-log",
    ])
    func `commands that read policies reject a policy wrapped in another JSON object`(
      command: String
    ) throws {
      try desk.folder.write(
        #"{ "displayName": "Wrapped",\#n  "policy": \#(Self.policy) }"#, to: "wrapped.json")
      let line = command.split(separator: " ").map(String.init) + ["wrapped.json"]
      let rest = command.hasSuffix("compare-log") ? ["-"] : []
      let ended = try desk.sluice(line + rest, ends: 2)
      let said = ended.errors + ended.output
      #expect(said.contains("wrapped.json:2:3: error: "))
      #expect(said.contains("one is in `policy` (line 2)"))
    }

    @Test(arguments: [
      ("paste", "needs --to-app"), ("saveTo", "needs --location"), ("openURL", "needs --url"),
      ("print --url https://example.org/", "--url has no effect with --channel print"),
      ("print --to-account ben@contoso.com", "need --to-app"),
      ("print --managed", "--managed needs --account"),
      ("saveTo --location camera", "--location: `camera` is not a location of saveTo"),
      ("saveTo --location cameraRoll --location-account a@b.c", "--location-account"),
      ("openURL --url example", "--url: `example` is not a URL"),
      ("openURL --url tel:1 --to-scheme tel", "--to-scheme needs --to-app"),
      (
        "openURL --url tel:1 --to-app a --to-scheme tel:", "--to-scheme: `tel:` is not a URL scheme"
      ),
      ("share --to-app a --to-scheme tel", "--to-scheme has no effect with --channel share"),
    ])
    func `an error about an option of explain names the option, not a JSON member`(
      arguments: String, message: String
    ) throws {
      let ended = try desk.sluice(
        ["explain", "policy.json", "--channel"]
          + arguments.split(separator: " ").map(String.init), ends: 64)
      #expect(ended.errors.contains(message))
      #expect(!ended.errors.contains("member"))
    }

    @Test func `--channel accepts both paste and clipboard`() throws {
      let rest = ["--to-app", "org.example.viewer", "--account", "anna@contoso.com"]
      let verdicts = try ["paste", "clipboard"].map { name in
        try desk.sluice(["explain", "policy.json", "--channel", name] + rest)
      }
      #expect(verdicts.allSatisfy { $0.status == 0 })
      #expect(verdicts[0].output == verdicts[1].output)
      let tables = try ["paste", "clipboard"].map { name in
        try desk.sluice("matrix", "policy.json", "--channel", name).output
      }
      #expect(tables[0].contains("Paste") && tables[0] == tables[1])
      let line = #"{"channel":"paste","sender":{"app":"a"},"receiver":{"app":"b"}}"#
      try desk.sluice("decide", "policy.json", input: line + "\n", ends: 0)
    }

    @Test(arguments: [
      ("tel", "BLOCKED: ", "dialerOtherApp"), ("CONTOSOCALL", "ALLOWED: ", "dialerSpecificApp"),
    ])
    func `an app is a dialer if it has the dialer's scheme`(
      scheme: String, outcome: String, rule: String
    ) throws {
      try desk.folder.write(
        """
        { "@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Dialer",
          "dialerRestrictionLevel": "customApp", "customDialerAppProtocol": "contosocall" }
        """, to: "dialer.json")
      let ended = try desk.sluice(
        "explain", "dialer.json", "--channel", "openURL", "--url", "tel:112", "--account",
        "anna@contoso.com", "--managed", "--to-app", "org.example.dialer", "--to-scheme", "web",
        "--to-scheme", scheme)
      #expect(ended.output.contains(outcome) && ended.output.contains(rule), "\(ended.output)")
    }

    @Test(arguments: [
      "tel:+4989123456", "https://www.Example.org/Docs?id=7#top", "zoomus://join?confno=1",
    ])
    func `an explanation quotes the URL as given`(url: String) throws {
      let ended = try desk.sluice(
        "explain", "policy.json", "--channel", "openURL", "--url", url, "--account",
        "anna@contoso.com")
      #expect(ended.output.contains("-> \(url)\n"))
    }

    @Test func `sluice matrix --compare marks the cells in which two policies differ`() throws {
      let text = try desk.sluice(
        "matrix", "--compare", "policy.json", "stricter.json", "--channel", "print", ends: 0)
      #expect(text.lines.contains { $0.hasPrefix("≠ managed account") })
      let html = try desk.sluice(
        "matrix", "--compare", "policy.json", "stricter.json", "--format", "html")
      #expect(html.output.contains(#"class="blocked differs""#))
      #expect(html.output.contains("stricter.json"))
      // Both pages begin with the changes in the studio's words.
      let page = try desk.sluice(
        "policy", "diff", "policy.json", "stricter.json", "--format", "html")
      for text in [html.output, page.output] {
        let lead = text.prefix(upTo: try #require(text.range(of: "</header>")).lowerBound)
        #expect(lead.contains("<p>With B (Base), "))
        #expect(lead.contains(" can no longer pass data to a printer.</p>"))
      }
      let apart = try desk.sluice(
        "matrix", "policy.json", "stricter.json", "--channel", "print", ends: 0)
      #expect(!apart.output.contains("≠"))
      try desk.sluice("matrix", ends: 64)
    }

    @Test(arguments: ["text", "json", "html"])
    func `policy diff compares folders policy by policy`(format: String) throws {
      let other = Self.policy.replacingOccurrences(of: #""Base""#, with: #""Other""#)
      for (path, text) in [
        ("old/a.json", Self.policy), ("old/b.json", other), ("new/b.json", Self.policy),
        ("new/c.json", other.replacingOccurrences(of: "false", with: "true")),
        ("new/d.json", other.replacingOccurrences(of: "Other", with: "Third")),
      ] {
        let folder = path.prefix { $0 != "/" }
        try desk.folder.makeFolder("\(folder)")
        try desk.folder.write(text, to: path)
      }
      let ended = try desk.sluice("policy", "diff", "old", "new", "--format", format, ends: 1)
      #expect(ended.output.contains("printingBlocked"))
      #expect(ended.output.contains("Third"))
      if format == "json" {
        let comparison = try ended.json()
        #expect(comparison["added"]?.array?.map { $0["policy"]?.string } == ["Third"])
        #expect(comparison["removed"]?.array?.isEmpty == true)
        #expect(comparison["unchanged"]?.array?.map { $0["policy"]?.string } == ["Base"])
        #expect(comparison["changed"]?.array?.map { $0["policy"]?.string } == ["Other"])
      } else {
        #expect(ended.output.contains("1 added, 0 removed, 1 changed, 1 unchanged"))
      }
      try desk.sluice("policy", "diff", "old", "new", "--name", "Base", ends: 0)
    }

    @Test func `sluice decide confirms the verdicts of the witness that policy diff prints`() throws
    {
      let diff = try desk.sluice("policy", "diff", "policy.json", "stricter.json")
      let witness = try #require(
        diff.lines.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(#"{"channel":"print""#) })
      let before = try desk.sluice("decide", "policy.json", input: "\(witness)\n")
      let after = try desk.sluice("decide", "stricter.json", input: "\(witness)\n")
      #expect(before.output.contains(#""outcome":"allowed""#))
      #expect(after.output.contains(#""decidedBy":"printingBlocked""#))
    }

    @Test func `policy compare-log exits with 0 only for the policy's own device log`() throws {
      let log = try desk.sluice("policy", "show", "policy.json", "--as", "device-log")
      try desk.sluice("policy", "compare-log", "policy.json", "-", input: log.output, ends: 0)
      let other = try desk.sluice(
        "policy", "compare-log", "stricter.json", "-", input: log.output, ends: 1)
      #expect(other.output.contains("PrintingBlocked"))
      let cut = try desk.sluice(
        "policy", "compare-log", "policy.json", "-", input: "PINMinLength = 4;\n", ends: 1)
      #expect(cut.errors.contains("settings of the policy could not be compared"))
      try desk.sluice("policy", "compare-log", "policy.json", "-", input: "no log\n", ends: 2)
    }

    @Test(arguments: ["json", "csv", "html"])
    func `a matrix names the deciding rule in JSON, CSV and HTML`(format: String) throws {
      let matrix = try desk.sluice("matrix", "policy.json", "--format", format, ends: 0)
      #expect(matrix.output.contains("printingAllowed"))
      if format == "json" { _ = try matrix.json() }
    }

    @Test func `the SARIF output of policy lint has each finding's line`() throws {
      try desk.folder.write(
        Self.policy.replacingOccurrences(of: #""apps""#, with: #""aps""#), to: "policy.json")
      let log = try desk.sluice("policy", "lint", "policy.json", "--format", "sarif").json()
      #expect(log["version"]?.string == "2.1.0")
      let results = try #require(log["runs"]?.array?.first?["results"]?.array)
      let result = try #require(results.first { $0["ruleId"]?.string == "unknownProperty" })
      let place = result["locations"]?.array?.first?["physicalLocation"]
      #expect(place?["region"]?["startLine"]?.int == 8)
    }

    @Test(arguments: ["App Protection Policies", "App Protection", "AppProtection"])
    func `sluice explain finds the policy in each folder layout of backup tools`(layout: String)
      throws
    {
      let folder = "\(desk.folder.path)/backup/\(layout)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Self.policy.write(toFile: "\(folder)/Base.json", atomically: true, encoding: .utf8)
      let ended = try desk.sluice(
        "explain", "backup", "--channel", "saveTo", "--location", "box", "--account",
        "anna@contoso.com", ends: 0)
      #expect(ended.output.contains("saveServiceNotSelected"))
    }
  }

  /// Tests `sluice run --coverage`.
  @Suite struct CoverageTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(
        Samples.policy.replacingOccurrences(
          of: #""apps""#, with: #""printBlocked": true, "saveAsBlocked": true, "apps""#),
        to: "policy.json")
      try desk.folder.write(
        Samples.withPolicy + "  - use: { app: a, feature: print }\n", to: "print.yaml")
    }

    @Test func `the coverage of a run states the percentage of settings that verdicts cite`() throws
    {
      let ended = try desk.sluice(
        "run", "print.yaml", "--coverage", "--coverage-output", "c.json", ends: 0)
      #expect(ended.output.contains("33 % took part"))
      let coverage = try JSONReader.read(desk.folder.read("c.json"))
      #expect(coverage["percent"]?.int == 33)
      let settings = try #require(coverage["settings"]?.array)
      #expect(settings.map { $0["restricted"]?.int } == [0, 1, 0])
      #expect(coverage["policies"]?.array?.map { $0["tookPart"]?.bool } == [true])
    }

    @Test func `--code without --coverage is a usage error`() throws {
      let ended = try desk.sluice("run", "print.yaml", "--code", "Sources", ends: 64)
      #expect(ended.errors.contains("--code needs --coverage or --coverage-output"))
    }

    @Test(arguments: [(33, 0), (34, 1), (101, 64)])
    func `a run with less coverage than --min-coverage fails`(least: Int, status: Int32) throws {
      let ended = try desk.sluice("run", "print.yaml", "--min-coverage", "\(least)", ends: status)
      #expect(ended.errors.isEmpty == (status == 0))
    }
  }
}
