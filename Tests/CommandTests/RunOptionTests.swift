import Encodings
import Foundation
import Model
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the effects of the options and arguments of `sluice run`.
  @Suite struct RunOptionTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
    }

    @Test func `sluice run reads a scenario from standard input if given a dash`() throws {
      let ended = try desk.sluice("run", "-", input: Samples.passing, ends: 0)
      #expect(ended.lines.first == "Passing (-)")
      #expect(ended.lines.last == "2 cases: 2 passed (1 expects nothing)")
    }

    @Test func `an error in a scenario on standard input has its position`() throws {
      let ended = try desk.sluice("run", "-", input: "steps: []\n", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("-:1:8: error: "))
    }

    @Test func `a scenario can be read from a pipe`() throws {
      let ended = try desk.run(
        "/bin/sh", ["-c", "cat passing.yaml | '\(Desk.program)' run /dev/stdin"], ends: 0)
      #expect(ended.lines.last == "2 cases: 2 passed (1 expects nothing)")
    }

    @Test(arguments: ["s", "s.yaml", "folder/s.yaml", "./folder/../s"])
    func `a policy path is relative to the scenario's folder`(file: String) throws {
      let folder = file.contains("folder/s") ? "folder/" : ""
      try desk.folder.write("", to: "folder/.keep")
      try desk.folder.write(Samples.withPolicy, to: file)
      try desk.folder.write(Samples.policy, to: "\(folder)policy.json")
      try desk.sluice("run", file, ends: 0)
    }

    @Test func `scenarios of a folder run in order of their names`() throws {
      for name in ["b.yml", "a.yaml", "c/d.yaml", "note.txt"] {
        try desk.folder.write(
          "steps: [{ launch: x }]\napps: { x: { bundle: a.b } }", to: "all/\(name)")
      }
      let ended = try desk.sluice("run", "all/", "passing.yaml", ends: 0)
      #expect(
        ended.lines.filter { !$0.hasPrefix(" ") }
          == [
            "a (all/a.yaml)", "b (all/b.yml)", "d (all/c/d.yaml)", "Passing (passing.yaml)",
            "5 cases: 5 passed (4 expect nothing)",
          ])
    }

    @Test(arguments: [("ARRIVES", "SEND-4 an item arrives"), ("send-4", "SEND-4 an item arrives")])
    func `--filter matches case names and criteria in any casing`(filter: String, title: String)
      throws
    {
      let ended = try desk.sluice("run", "passing.yaml", "--filter", filter, ends: 0)
      #expect(ended.lines == ["Passing (passing.yaml)", "  passed \(title)", "1 case: 1 passed"])
    }

    @Test func `sluice run --filter exits with 2 if no case matches`() throws {
      let ended = try desk.sluice("run", "passing.yaml", "--filter", "receive", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "sluice: error: no case matches `receive` [filter]\n")
    }

    @Test func `--list prints cases with their positions and runs nothing`() throws {
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      let ended = try desk.sluice(
        "run", "passing.yaml", "failing.yaml", "--list", "--output-dir", "kept", ends: 0)
      #expect(
        ended.output == """
          passing.yaml:6:5: SEND-4 an item arrives
          passing.yaml:12:5: an app starts
          failing.yaml:6:5: an item is kept back
          failing.yaml:11:5: an app starts # once
          failing.yaml:14:5: an app starts twice

          """)
      #expect(!desk.folder.has("kept"))
      let filtered = try desk.sluice("run", "passing.yaml", "--list", "--filter", "send-4")
      #expect(filtered.lines.count == 1)
      let none = try desk.sluice("run", "passing.yaml", "--list", "--filter", "receive", ends: 2)
      #expect(none.errors == "sluice: error: no case matches `receive` [filter]\n")
      try desk.sluice("run", "passing.yaml", "--list", "--format", "tap", ends: 64)
    }

    @Test func `a run of a folder skips cases whose required program is not built`() throws {
      let program = try desk.install()
      try desk.folder.write(Samples.passing, to: "all/passing.yaml")
      try desk.folder.write("", to: "all/maps/index.html")
      try desk.folder.write(
        """
        servers: { maps: { host: maps.contoso.com, folder: maps } }
        apps: { a: { bundle: org.example.a } }
        steps: [launch: a]
        """, to: "all/served.yaml")
      let why = "`sluice-server` has not been built; run `make tls`"
      let folder = try desk.run(program, ["run", "all"], ends: 0)
      #expect(folder.lines.contains("  not run served: \(why)"), "\(folder.output)")
      #expect(folder.lines.last == "3 cases: 2 passed (1 expects nothing), 1 not run")
      let tap = try desk.run(program, ["run", "all", "--format", "tap"])
      #expect(tap.lines.contains { $0.hasPrefix("    ok 1 - served # SKIP `sluice-server`") })
      let junit = try desk.run(program, ["run", "all", "--format", "junit"])
      #expect(junit.output.contains("<skipped message=\"`sluice-server` has not been built"))
      // A scenario that the command line names must run.
      let named = try desk.run(program, ["run", "all/passing.yaml", "all/served.yaml"], ends: 70)
      #expect(named.errors.contains("run `make tls`"))
    }

    @Test func `sluice run skips cases that use a bundle whose program is not built`() throws {
      let program = try desk.install()
      let scenario = """
        apps:
          notekeeper: { path: "\(Repository.path("examples/NoteKeeper.app"))" }
          shout: { bundle: org.example.notekeeper.shout, path: "\(Repository.path("plugins/Shout.appex"))" }
          viewer: { bundle: org.example.viewer }
        cases:
          - name: a viewer starts
            steps: [launch: viewer]
          - name: it shouts
            steps: [launch: viewer, { share: { from: viewer, to: shout, text: hi } }]
          - name: a link opens it
            steps: [launch: viewer, { openURL: { from: viewer, url: "notekeeper://x" } }]

        """.replacing("[launch: viewer, {", with: "[{ launch: viewer }, {")
      try desk.folder.write(scenario, to: "all/shipped.yaml")
      let run = try desk.run(program, ["run", "all"], ends: 0)
      #expect(
        run.lines.contains("  not run it shouts: `shout` has not been built; run `make`"),
        "\(run.output)")
      #expect(
        run.lines.contains(
          "  not run a link opens it: `note-keeper` has not been built; run `make`"))
      #expect(run.lines.last == "3 cases: 1 passed (1 expects nothing), 2 not run")
      // A misspelled name is an error, and not a skipped case.
      try desk.folder.write(
        "apps: { own: { bundle: org.example.own, executable: mispelt } }\nsteps: [launch: own]\n",
        to: "all/own.yaml")
      let own = try desk.run(program, ["run", "all"], ends: 1)
      #expect(own.output.contains("cannot find the executable"))
    }

    @Test func `--watch reports the changed file and runs again`() throws {
      try desk.folder.write(#"{ "displayName": "P", "apps": [] }"#, to: "policy.json")
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies: { base: { file: policy.json, assign: [{ account: anna, apps: [org.example.a] }] } }
        apps: { a: { bundle: org.example.a, sdk: true, signedIn: [anna] } }
        steps: [launch: a]
        """, to: "watched.yaml")
      let process = try desk.start(Desk.program, ["run", "watched.yaml", "--watch"])
      let runs = { desk.errors.ranges(of: "sluice: waiting for changes; Ctrl-C ends it\n").count }
      try waitUntil("the first run has ended") { runs() == 1 }
      try desk.folder.write(#"{ "displayName": "Another", "apps": [] }"#, to: "policy.json")
      try waitUntil("the second run has ended") { runs() == 2 }
      try desk.folder.write(#"{ "displayName": "A third", "apps": [] }"#, to: "policy.json")
      try desk.folder.write("", to: "unrelated.json")
      try waitUntil("the third run has ended") { runs() == 3 }
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      let changes = desk.errors.split(separator: "\n").filter { $0.contains("changed") }
      #expect(changes == ["sluice: changed: policy.json", "sluice: changed: policy.json"])
      let output = try desk.folder.read(".output")
      #expect(output.ranges(of: "1 case: 1 passed").count == 3, "\(output)")
    }

    @Test(arguments: [
      "matrix story.yaml", "policy lint story.yaml", "policy show story.yaml",
      "explain transfer story.yaml --app org.example.a --channel print",
      "policy diff story.yaml story.yaml",
    ])
    func `commands that are given a scenario as a policy suggest the scenario commands`(
      command: String
    ) throws {
      try desk.folder.write(Samples.passing, to: "story.yaml")
      let ended = try desk.sluice(line: command, ends: 2)
      #expect(
        (ended.errors + ended.output).contains(
          "this is a scenario, not a policy; `sluice run story.yaml` runs it, and `sluice leaks --scenario story.yaml` searches the flows that its policies allow"
        ),
        "\(ended.errors)\(ended.output)")
    }

    @Test(arguments: [
      ("app-config show story.yaml", "an app configuration"),
      ("app-config spec story.yaml", "a specification"),
      ("app-config lint set.json --spec story.yaml", "a specification"),
    ])
    func `app-config commands report that a given file is a scenario`(
      command: String, document: String
    ) throws {
      try desk.folder.write(Samples.passing, to: "story.yaml")
      try desk.folder.write("{}", to: "set.json")
      let ended = try desk.sluice(line: command, ends: 2)
      #expect(
        ended.errors.contains(
          "story.yaml:1:1: error: this is a scenario, not \(document); `sluice run story.yaml` runs it"
        ),
        "\(ended.errors)\(ended.output)")
    }

    @Test
    func `machine-readable reports of a failed case state each warning about the scenario once`()
      throws
    {
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies:
          base: { json: { displayName: B, apps: [] }, assign: [{ account: anna, apps: [org.example.aa] }] }
        apps: { a: { bundle: org.example.a, sdk: true, signedIn: [anna] } }
        cases:
          - name: fails
            steps: [{ launch: a, expect: { managed: true } }]
          - name: passes
            steps: [{ launch: a, expect: { managed: false } }]
        """, to: "odd.yaml")
      for report in try desk.reports(
        "run", "odd.yaml", formats: ["json", "junit", "tap"], ends: 1)
      {
        #expect(report.components(separatedBy: "[policyWithoutApp]").count == 2, "\(report)")
      }
    }

    @Test(
      arguments: [
        (
          "switchIdentity: { app: a, to: ben }",
          "`ben` is not signed in to `a`: sign in first (`signIn`), or expect the refusal"
        ),
        ("paste: { app: b }", "`b` is not running; `launch` it first"),
        (
          "writeFile: { app: a, path: x, text: y }, expect: { owner: anna }",
          "expected owner anna, found owner unknown; files and data belong to the process's account, not the "
            + "window's account: switch with `process: true`, or add `as: anna`"
        ),
      ])
    func `a failed step states how to correct a typical mistake`(step: String, why: String) throws {
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com }, ben: { upn: ben@contoso.com } }
        apps:
          a: { bundle: org.example.a, sdk: true, multiIdentity: true, signedIn: [anna] }
          b: { bundle: org.example.b }
        steps:
          - launch: a
          - switchIdentity: { app: a, to: anna }
          - { \(step) }
        """, to: "meant.yaml")
      let ended = try desk.sluice("run", "meant.yaml", ends: 1)
      #expect(ended.output.contains(why))
    }

    @Test func `the error for a second managed account in an app names the key that allows it`()
      throws
    {
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com }, ben: { upn: ben@contoso.com } }
        policies:
          base:
            json: { displayName: B, apps: [] }
            assign:
              - { account: anna, apps: [org.example.a] }
              - { account: ben, apps: [org.example.a] }
        apps: { a: { bundle: org.example.a, sdk: true, multiIdentity: true, signedIn: [anna, ben] } }
        steps: [launch: a]
        """, to: "two.yaml")
      let ended = try desk.sluice("run", "two.yaml", ends: 2)
      #expect(
        ended.errors.contains(
          "app `a`: the app already has a managed account and accepts no second one (status 227); `multiIdentity` "
            + "and `multiManagedIdentities: true` let the app take several"))
    }

    @Test(arguments: ["flows", "replay", "report", "export --format dot", "top --once", "view"])
    func `commands that read journals report that a given file is a scenario`(command: String)
      throws
    {
      let words = command.split(separator: " ").map(String.init)
      let ended = try desk.sluice(words + ["passing.yaml"], ends: 2)
      #expect(ended.errors.contains("this is a scenario, not a journal"))
    }

    @Test func `--dry-run reads the scenario and its files, and runs nothing`() throws {
      let ended = try desk.sluice(
        "run", "passing.yaml", "--dry-run", "--output-dir", "kept", ends: 0)
      #expect(ended.output == "2 cases, not run\n")
      #expect(!desk.folder.has("kept"))
      let unread =
        "policies: { p: { file: none.json } }\napps: { m: { bundle: org.x.m } }\nsteps: [{ launch: m }]\n"
      try desk.folder.write(unread, to: "unread.yaml")
      let refused = try desk.sluice("run", "unread.yaml", "--dry-run", ends: 2)
      #expect(refused.errors.contains("none.json"))
    }

    @Test func `run --list --format json has an object for each case`() throws {
      let cases = try #require(
        try desk.sluice("run", "passing.yaml", "--list", "--format", "json").json().array)
      #expect(cases.map { $0["file"]?.string } == ["passing.yaml", "passing.yaml"])
      #expect(cases.map { $0["line"]?.int } == [6, 12])
      #expect(cases.map { $0["suite"]?.string } == ["Passing", "Passing"])
      #expect(cases.map { $0["name"]?.string } == ["an item arrives", "an app starts"])
      #expect(cases.map { $0["criterion"]?.string } == ["SEND-4", nil])
      #expect(cases.map { $0["steps"]?.int } == [2, 1])
    }

    @Test func `--quiet shows only failures and the summary`() throws {
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      for option in ["--quiet", "-q"] {
        let ended = try desk.sluice("run", "passing.yaml", "failing.yaml", option, ends: 1)
        #expect(!ended.output.contains("  passed "))
        #expect(ended.lines.first == "Failing & <more> (failing.yaml)")
        #expect(ended.output.contains("expected verdict blocked, found verdict allowed\n"))
        #expect(ended.output.contains("`a` is running already\n"))
        #expect(ended.lines.last == "5 cases: 3 passed (2 expect nothing), 1 failed, 1 errored")
      }
      let passing = try desk.sluice("run", "passing.yaml", "-q", ends: 0)
      #expect(passing.output == "2 cases: 2 passed (1 expects nothing)\n")
      // Machine-readable reports must be complete.
      func steady(_ reports: [String]) -> [String] {
        reports.dropFirst().map { $0.replacing(/time="[^"]*"/, with: "") }
      }
      let formats = ["json", "junit", "tap"]
      let brief = try desk.reports("run", "failing.yaml", "-q", formats: formats, ends: 1)
      let usual = try desk.reports("run", "failing.yaml", formats: formats, ends: 1)
      #expect(steady(brief) == steady(usual))
      try desk.sluice("run", "passing.yaml", "-q", "-v", ends: 64)
    }

    @Test func `--quiet shortens the reports of criteria and walks`() throws {
      let criteria = try desk.sluice("criteria", "--filter", "SEND-1", "-q", ends: 0)
      #expect(criteria.lines.count == 1, "\(criteria.output)")
      #expect(criteria.output.hasPrefix("1 criterion: 1 passed, in "))
      let walk = try desk.sluice("walk", "--steps", "20", "--seed", "4", "-q", ends: 0)
      #expect(
        walk.lines == [
          "seed 4: 20 steps on 1 device",
          "holds: only work apps read the work account's data, and other data was not restricted",
        ])
    }

    @Test(arguments: ["2", "an app", "an app starts"])
    func `--case runs one case, chosen by its number or name`(choice: String) throws {
      let ended = try desk.sluice("run", "passing.yaml", "--case", choice, ends: 0)
      #expect(ended.output.contains("an app starts"))
      #expect(!ended.output.contains("an item arrives"))
      #expect(ended.lines.last == "1 case: 1 passed (1 expects nothing)")
    }

    @Test func `a --case option that matches no case or several cases lists the cases`() throws {
      let unknown = try desk.sluice("run", "passing.yaml", "--case", "pasted", ends: 2)
      #expect(
        unknown.errors
          == "passing.yaml: error: no case is called `pasted`; the cases are 1 `an item arrives`, 2 `an app starts` [case]\n"
      )
      let several = try desk.sluice("run", "passing.yaml", "--case", "an ", ends: 2)
      #expect(several.errors.contains("`an ` is in the names of 2 cases: "))
    }

    @Test func `--max-failures stops a run, and the remaining cases are reported as not run`()
      throws
    {
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      let files = ["failing.yaml", "passing.yaml"]
      let ended = try desk.sluice(["run"] + files + ["--max-failures", "1"], ends: 1)
      let why = "the run stopped after 1 failed case"
      #expect(ended.lines.count { $0.hasPrefix("  not run ") } == 4)
      #expect(ended.lines.contains("  not run SEND-4 an item arrives: \(why)"), "\(ended.output)")
      #expect(ended.lines.last == "5 cases: 1 failed, 4 not run")
      let junit = try desk.sluice(
        ["run"] + files + ["--max-failures", "1", "--format", "junit"], ends: 1)
      let elements = try XMLElements(junit.output)
      #expect(elements.named("testcase").count == 5)
      #expect(elements.named("skipped").map { $0["message"] } == [why, why, why, why])
      let enough = try desk.sluice(["run"] + files + ["--max-failures", "3"], ends: 1)
      #expect(enough.output == (try desk.sluice(["run"] + files, ends: 1).output))
    }

    @Test(arguments: [
      "--max-failures 0", "--max-failures some", "--max-failures 1 --shard 1/2 --blob b",
      "--max-failures 1 --executor ssh:a,b",
    ])
    func `an invalid --max-failures is a usage error`(options: String) throws {
      try desk.sluice(line: "run passing.yaml \(options)", ends: 64)
    }

    @Test func `equal failures of many devices are shown once with their count`() throws {
      try desk.folder.write(
        """
        apps: { a: { bundle: org.example.a }, b: { bundle: org.example.b } }
        devices: { e: { count: 12 } }
        steps:
          - { launch: [a, b], on: e }
          - { share: { from: a, to: b, text: Hi }, on: e, expect: { verdict: blocked } }
          - { share: { from: b, to: a, text: Hi }, on: e-7, expect: { verdict: blocked } }
          - { share: { from: b, to: a, text: Ho }, on: e-8, expect: { verdict: blocked } }
        """, to: "many.yaml")
      let reports = try desk.reports("run", "many.yaml", formats: ["json", "junit"], ends: 1)
      let lines = reports[0].split(separator: "\n").map(String.init)
      let title = "    2. 12× e-1, e-2, e-3 and 9 more: a shares `Hi` with b"
      #expect(lines.filter { $0.hasPrefix("    2. ") } == [title], "\(reports[0])")
      #expect(lines.count { $0.contains("expected verdict blocked, found verdict allowed") } == 3)
      #expect(lines.contains("    3. e-7: b shares `Hi` with a"))
      let test = try JSONReader.read(reports[1])["suites"]?.array?.first?["cases"]?.array?.first
      #expect(test?["steps"]?.array?.count { $0["step"]?.int == 2 } == 12)
      for number in 1...12 { #expect(reports[2].contains("2. e-\(number): a shares")) }
      let limited = try desk.sluice("run", "many.yaml", "--max-failures", "1", ends: 1)
      #expect(limited.lines.contains("    2 more distinct failures, on 2 devices"))
      #expect(!limited.output.contains("e-7: b shares"))
    }

    @Test func `parallel cases have the same report and journals as sequential cases`() throws {
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      let criteria = ["SEND", "RECEIVE", "LOGIN", "KILL", "SAVE"]
      let files =
        ["passing.yaml", "failing.yaml"]
        + criteria.map { Repository.path("scenarios/criteria/\($0).yaml") }
      let reports = ["json", "tap"]
      func run(_ name: String, _ options: String...) throws -> Desk.Ended {
        let outputs = reports.flatMap { ["--output", "\($0)=\(name).\($0)"] }
        return try desk.sluice(
          ["run"] + files + ["--verbose", "--coverage", "--output-dir", name] + outputs + options,
          ends: 1)
      }
      let (one, many) = (try run("one"), try run("many", "--jobs", "5"))
      #expect(one.output == many.output)
      #expect(one.errors == many.errors)
      let journals = (1...5).map { "/\($0)/journal.jsonl" }
      for file in reports.map({ ".\($0)" }) + journals {
        #expect(try desk.folder.read("one\(file)") == desk.folder.read("many\(file)"))
      }
    }

    @Test func `sluice run --jobs runs cases in parallel`() throws {
      for name in ["one", "two"] { try desk.folder.write(Samples.endless, to: "\(name).yaml") }
      let process = try desk.start(
        Desk.program, ["run", "one.yaml", "two.yaml", "--jobs", "2", "--output-dir", "kept"])
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      let devices = [1, 2].map { Guests(of: desk.folder.path("kept/\($0)")) }
      try waitUntil("both devices run") { devices.allSatisfy(\.areRunning) }
    }

    @Test(arguments: ["0", "65", "many"]) func `an invalid number of --jobs is a usage error`(
      jobs: String
    )
      throws
    {
      try desk.sluice("run", "passing.yaml", "--jobs", jobs, ends: 64)
    }

    @Test func `sluice run rejects --jobs together with --device`() throws {
      try desk.sluice("run", "passing.yaml", "--jobs", "2", "--device", "d", ends: 64)
    }

    @Test func `--version prints the version, and the commit if known at build time`() throws {
      let ended = try desk.sluice("--version", ends: 0)
      #expect(
        try ended.output.wholeMatch(of: Regex(#"sluice \d+\.\d+\.\d+( \([0-9a-f]{7,}\+?\))?\n"#))
          != nil)
    }

    @Test(
      arguments: [
        (
          "{ account: anna, apps: [org.example.aa] }", "org.example.a, sdk: true",
          "`apps` names `org.example.aa`, and the apps with the SDK are `org.example.a`; did you mean "
            + "`org.example.a`?"
        ),
        (
          "{ account: anna }", "org.example.b, sdk: true",
          "it is targeted at `org.example.a`, and the apps with the SDK are `org.example.b`; to target "
            + "others, name them in `apps` of `assign`"
        ),
        (
          "{ account: anna }", "org.example.a",
          "no app of the scenario integrates the SDK (`sdk: true`)"
        ),
      ])
    func `a policy whose assignments reach none of the scenario's apps causes a warning`(
      assignment: String, app: String, why: String
    ) throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies:
          base:
            file: policy.json
            assign:
              - \(assignment)
        apps: { a: { bundle: \(app) } }
        steps:
          - launch: a

        """, to: "unreached.yaml")
      let ended = try desk.sluice("run", "unreached.yaml", ends: 0)
      #expect(
        ended.errors
          == "unreached.yaml:6:9: warning: the policy `base` reaches no app for `anna`, so it has no "
          + "effect: \(why) [policyWithoutApp]\n")
    }

    @Test(arguments: [
      ("mdmManaged: true, configuration: { IntuneMAMUPN: ben@contoso.com }", "[a]", true),
      ("mdmManaged: true, configuration: { IntuneMAMUPN: anna@contoso.com }", "[a]", false),
      ("configuration: { IntuneMAMUPN: ben@contoso.com }", "[a]", false),
      (
        "mdmManaged: true, multiIdentity: true, multiManagedIdentities: true, configuration: { IntuneMAMUPN: ben@contoso.com }",
        "[a]", false
      ),
      // A step is allowed to change the user.
      ("mdmManaged: true, configuration: { IntuneMAMUPN: ben@contoso.com }", "a", false),
    ])
    func `a policy assigned to a user other than the MDM user causes a warning`(
      app: String, launched: String, isWarned: Bool
    ) throws {
      let change = launched == "a" ? "\n  - configure: { app: a, configuration: {} }" : ""
      try desk.folder.write(
        """
        device: { mdm: { enrolled: true } }
        accounts: { anna: { upn: anna@contoso.com } }
        policies:
          base:
            json: { displayName: Base, pinRequired: true }
            assign: [{ account: anna, apps: [org.example.a] }]
        apps: { a: { bundle: org.example.a, sdk: true, \(app) } }
        steps:
          - launch: \(launched)\(change)

        """, to: "other.yaml")
      let ended = try desk.sluice("run", "other.yaml", ends: 0)
      let why =
        "MDM enrolled the device for `ben@contoso.com`, and no other account can enroll in `org.example.a`"
      #expect(ended.errors.contains("\(why) [policyWithoutApp]") == isWarned, "\(ended.errors)")
    }

    @Test func `a warning about a policy that a step assigns has the step's position`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        policies: { base: { file: policy.json } }
        apps: { b: { bundle: org.example.b, sdk: true } }
        steps:
          - launch: b
          - assign: { account: anna, policy: base }

        """, to: "unreached.yaml")
      let ended = try desk.sluice("run", "unreached.yaml")
      #expect(
        ended.errors.hasPrefix("unreached.yaml:6:5: warning: the policy `base` reaches no app"))
    }

    /// Conditional access policies, app configurations and app protection policies, in files with
    /// eleven lines each.
    @Test func `sluice run prints each warning once, sorted by file and line`() throws {
      let access = """
        {"displayName": "P", "state": "enabled", "grantControls": null, "conditions": {"users": \
        {"includeUsers": ["All"]}, "applications": {}, "signInRiskLevels": ["high"]}}
        """
      let configuration = """
        {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "C", \
        "apps": [], "customSettingz": []}
        """
      for (name, element) in [("ca", access), ("config", configuration)] {
        try desk.folder.write(
          "[\n" + Array(repeating: element, count: 11).joined(separator: ",\n") + "\n]",
          to: "\(name).json")
      }
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com, tenant: contoso.com } }
        conditionalAccess: { all: { file: ca.json } }
        configurations: { all: { file: config.json, assign: [{ account: anna }] } }
        apps: { mail: { bundle: com.contoso.mail, sdk: true } }
        steps: [{ launch: mail }]
        """, to: "warned.yaml")
      let ended = try desk.sluice("run", "warned.yaml", "./warned.yaml", ends: 0)
      for name in ["ca", "config"] {
        let lines = ended.errors.split(separator: "\n").filter { $0.hasPrefix("\(name).json:") }
        let numbers = lines.compactMap { Int($0.split(separator: ":")[1]) }
        #expect(!numbers.isEmpty && numbers == numbers.sorted(), "\(ended.errors)")
        #expect(Set(numbers) == Set(2...12), "\(ended.errors)")
        #expect(Set(lines).count == lines.count)
      }
    }

    @Test
    func `sluice run warns neither about an unassigned policy nor about one that reaches an app`()
      throws
    {
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(
        Samples.withPolicy.replacing(
          "policies: { base:", with: "policies: { idle: { file: policy.json }, base:"),
        to: "reached.yaml")
      let ended = try desk.sluice("run", "reached.yaml", ends: 0)
      #expect(ended.errors.isEmpty)
    }

    @Test func `with --output-dir, each case keeps a device whose journal states the seed`() throws
    {
      try desk.sluice(
        "run", "passing.yaml", "--output-dir", "kept", "--seed", "18446744073709551615", ends: 0)
      for number in 1...2 {
        let events = try Journal("\(desk.folder.path)/kept/\(number)").events
        #expect(events.first == .deviceStarted(device: "iPhone", seed: 18_446_744_073_709_551_615))
        #expect(events.last == .deviceStopped)
      }
    }

    @Test func `run --output-dir rejects an existing folder`() throws {
      let ended = try desk.sluice("run", "passing.yaml", "--output-dir", ".", ends: 2)
      #expect(
        ended.errors
          == ".: error: the folder already exists; remove it, or specify another with --output-dir [file]\n"
      )
    }

    @Test func `sluice run removes its temporary devices when it ends`() throws {
      try desk.folder.write("", to: "temporary/.keep")
      try desk.sluice(
        "run", "passing.yaml", variables: ["TMPDIR": desk.folder.path("temporary")], ends: 0)
      let left = try desk.folder.names(in: "temporary")
      #expect(left == [".keep"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--watch"]] as [[String]])
    func `a signal makes sluice run remove its temporary devices`(
      number: Int32, options: [String]
    ) throws {
      try desk.folder.write(Samples.endless, to: "endless.yaml")
      try desk.folder.write("", to: "temporary/.keep")
      let temporary = desk.folder.path("temporary")
      // The user who runs the tests may have ignored signals, as nohup(1) does.
      let process = try desk.start(
        "/usr/bin/env", ["--default-signal", Desk.program, "run", "endless.yaml"] + options,
        variables: ["TMPDIR": temporary])
      try waitUntil("a guest runs") { Guests(of: temporary).areRunning }
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == number, "\(desk.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [".keep"])
    }

    @Test func `--durable does not change the content of the journal`() throws {
      try desk.sluice("run", "passing.yaml", "--output-dir", "usual")
      try desk.sluice("run", "passing.yaml", "--output-dir", "durable", "--durable")
      #expect(
        try desk.folder.read("durable/1/journal.jsonl") == desk.folder.read("usual/1/journal.jsonl")
      )
    }

    @Test
    func
      `a trace prefixes every line of a guest's output with its name, without control characters`()
      throws
    {
      try desk.folder.write(
        #"""
        log("x\n5 viewer: pid 1\r\27[2J\tend\u{2028}\n")
        app.received(function(item) end)
        """#, to: "liar.lua")
      try desk.folder.write(
        """
        apps:
          liar: { bundle: org.example.liar, executable: liar.lua }
        steps:
          - launch: liar

        """, to: "liar.yaml")
      try desk.sluice("run", "liar.yaml", "--trace", "trace.txt", ends: 0)
      let lines = try desk.folder.read("trace.txt").split(separator: "\n")
      let said = lines.filter { !$0.contains("liar: pid ") }.compactMap { line in
        line.firstRange(of: " liar: ").map { String(line[$0.upperBound...]) }
      }
      #expect(said == ["x", #"5 viewer: pid 1\u{d}\u{1b}[2J"# + "\tend" + #"\u{2028}"#])
      #expect(lines.dropFirst().allSatisfy { $0.contains(" liar: ") })
    }

    @Test func `--real-time adds the machine's time to the journal and changes nothing else`()
      throws
    {
      for (folder, options) in [("usual", []), ("timed", ["--real-time"])] {
        try desk.sluice(["run", "passing.yaml", "--output-dir", folder] + options, ends: 0)
      }
      func lines(_ folder: String) throws -> [Substring] {
        try desk.folder.read("\(folder)/1/journal.jsonl").split(separator: "\n")
      }
      func isTime(_ line: Substring) -> Bool {
        line.contains(/"event":"clock\.read","real":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"}$/)
      }
      let (usual, timed) = (try lines("usual"), try lines("timed"))
      #expect(!usual.contains(where: isTime))
      #expect(timed.first.map(isTime) == true)
      #expect(timed.enumerated().allSatisfy { $1.hasPrefix(#"{"seq":\#($0 + 1),"#) })
      let numbers = /^{"seq":\d+,/
      #expect(
        timed.filter { !isTime($0) }.map { $0.replacing(numbers, with: "") }
          == usual.map { $0.replacing(numbers, with: "") })
      try desk.sluice("replay", "timed/1/journal.jsonl", ends: 0)
    }

    @Test func `sluice run --trace records the process ids of guests`() throws {
      try desk.sluice("run", "passing.yaml", "--trace", "trace.txt", ends: 0)
      let trace = try desk.folder.read("trace.txt")
      #expect(
        trace.matches(
          of: /\d+ : the device started at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n/
        ).count == 2)
      #expect(try trace.matches(of: Regex(#"\d+ [ab]: pid \d+\n"#)).count == 3)
      let onErrors = try desk.sluice("run", "passing.yaml", "--trace", "-").errors
      #expect(try onErrors.matches(of: Regex(#"\d+ [ab]: pid \d+\n"#)).count == 3)
    }
  }
}
