import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the exit status of `sluice run`, and its messages about invalid input.
  @Suite struct ExitStatusTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `a run whose expectations are met exits with 0`() throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      let ended = try desk.sluice("run", "passing.yaml", ends: 0)
      #expect(ended.errors.isEmpty)
      #expect(ended.lines.last == "2 cases: 2 passed (1 expects nothing)")
    }

    @Test func `a failed expectation exits with 1 and shows the actual result`() throws {
      try desk.folder.write(Samples.failing, to: "failing.yaml")
      let ended = try desk.sluice("run", "failing.yaml", ends: 1)
      #expect(ended.errors.isEmpty)
      #expect(ended.output.contains("expected verdict blocked, found verdict allowed\n"))
      #expect(ended.output.contains("`a` is running already\n"))
      #expect(ended.lines.last == "3 cases: 1 passed (1 expects nothing), 1 failed, 1 errored")
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func `sluice run works with standard input, output or error closed`(
      redirection: String
    ) throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.run(
        "/bin/sh", ["-c", "\(Desk.program) run passing.yaml --output json=r.json \(redirection)"],
        ends: 0)
      #expect(try desk.folder.read("r.json").contains(#""passed":2"#))
    }

    @Test func `sluice run works if its caller ignores SIGCHLD, SIGPIPE and SIGTERM`() throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.run(
        "/usr/bin/env", ["--ignore-signal=CHLD,PIPE,TERM", Desk.program, "run", "passing.yaml"],
        ends: 0)
    }

    @Test func `an output file over the file size limit is an error and is removed`() throws {
      let policy = Repository.path("scenarios/criteria/policies/base.json")
      let ended = try desk.run(
        "/bin/sh",
        ["-c", "ulimit -f 1; exec \(Desk.program) matrix \(policy) --format json -o m.json"],
        ends: 2)
      #expect(ended.errors == "m.json: error: cannot be written: file too large [file]\n")
      #expect(!desk.folder.has("m.json"))
    }

    @Test(
      arguments: [
        ["run", "s.yaml", "--output", "json=s.yaml"], ["run", "s.yaml", "--blob", "s.yaml"],
        ["run", "s.yaml", "--coverage-output", "policy.json"],
        ["matrix", "policy.json", "--output", "policy.json"],
      ])
    func `sluice run and sluice matrix refuse to overwrite an input file`(words: [String]) throws {
      try desk.folder.write(Samples.withPolicy, to: "s.yaml")
      try desk.folder.write(Samples.policy, to: "policy.json")
      let ended = try desk.sluice(words, ends: 2)
      #expect(ended.errors.contains("this is an input, which cannot be overwritten"))
      #expect(try desk.folder.read("s.yaml") == Samples.withPolicy)
      #expect(try desk.folder.read("policy.json") == Samples.policy)
    }

    @Test func `a scenario's policy file larger than 64 MiB causes exit status 2`() throws {
      let endless = Samples.withPolicy.replacing("policy.json", with: "/dev/zero")
      try desk.folder.write(endless, to: "s.yaml")
      let ended = try desk.sluice("run", "s.yaml", "--dry-run", ends: 2)
      #expect(ended.errors.contains("the file is larger than 64 MiB"))
    }

    /// Commands, with the words of their errors about a link to `/dev/zero`.
    @Test(arguments: [
      ("bundle lint a.app", "a.app/Info.plist: error: it is not a regular file"),
      ("bundle show a.app", "a.app/Info.plist: error: it is not a regular file"),
      ("bundle fix --diff a.app", "a.app/Info.plist: error: it is not a regular file"),
      ("bundle lint folder", "folder/zero.plist: error: it is not a regular file"),
      ("bundle lint zero.mobileconfig", "the file is larger than 64 MiB"),
      ("bundle lint ok.plist --xcconfig zero", "zero: error: the file is larger than 64 MiB"),
      ("policy compare-log policy.json zero", "the file is larger than 64 MiB"),
      ("leaks --apps zero policy.json", "the file is larger than 64 MiB"),
      ("flows zero", "the line is longer than the maximum of 16 MiB"),
      ("flows device", "device/journal.jsonl:1:1: error: it is not a regular file"),
      ("merge zero", "the line is longer than the maximum of 16 MiB"),
    ])
    func `an input that is a symbolic link to an endless device file causes exit status 2`(
      command: String, error: String
    ) throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(#"<plist version="1.0"><dict/></plist>"#, to: "ok.plist")
      for link in ["zero", "zero.mobileconfig", "a.app/Info.plist", "folder/zero.plist"] {
        try desk.folder.write("", to: link)
        #expect(unlink(desk.folder.path(link)) == 0)
        #expect(symlink("/dev/zero", desk.folder.path(link)) == 0)
      }
      try desk.folder.write("", to: "device/device.json")
      #expect(symlink("/dev/zero", desk.folder.path("device/journal.jsonl")) == 0)
      let ended = try desk.sluice(line: command, ends: 2)
      #expect((ended.errors + ended.output).contains(error), "\(ended.errors)")
    }

    @Test(
      arguments: [
        (
          "b: { bundle:", "b: { bundel:",
          "4:8: error: the app `b` has no key `bundel`; did you mean `bundle`? [unknown-key]"
        ),
        (
          "to: b, text", "to: bb, text",
          "10:31: error: no app is called `bb`; did you mean `b`? [unknown-name]"
        ),
      ])
    func `with an invalid scenario, run exits with 2, reports its position and runs nothing`(
      old: String, new: String, message: String
    ) throws {
      try desk.folder.write(Samples.passing.replacing(old, with: new), to: "wrong.yaml")
      let ended = try desk.sluice("run", "wrong.yaml", "--output-dir", "kept", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "wrong.yaml:\(message)\n")
      #expect(!desk.folder.has("kept"))
    }

    @Test(
      arguments: [
        (
          #""managedApps""#, #""everyone""#,
          "3:46: error: `everyone` is not a value of `allowedOutboundDataTransferDestinations`; "
            + "expected `allApps`, `managedApps` or `none` [unknownValue]"
        ),
        (
          #""managedApps""#, "7",
          "3:46: error: `allowedOutboundDataTransferDestinations` must be a string, found a number "
            + "[wrongType]"
        ),
        (
          #""managedApps","#, #""managedApps""#,
          #"4:3: error: expected `,` or `}`, found `"` [jsonSyntax]"#
        ),
      ])
    func `with an invalid policy, run exits with 2 and reports its position`(
      old: String, new: String, message: String
    ) throws {
      try desk.folder.write(Samples.withPolicy, to: "scenario.yaml")
      try desk.folder.write(Samples.policy.replacing(old, with: new), to: "policy.json")
      let ended = try desk.sluice("run", "scenario.yaml", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "policy.json:\(message)\n")
    }

    @Test func `sluice run of a missing scenario file exits with 2`() throws {
      let ended = try desk.sluice("run", "missing.yaml", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "missing.yaml: error: no such file or folder [file]\n")
    }

    @Test func `for a missing policy file, sluice exits with 2 and cites the scenario line`()
      throws
    {
      try desk.folder.write(Samples.withPolicy, to: "scenario.yaml")
      let ended = try desk.sluice("run", "scenario.yaml", ends: 2)
      #expect(
        ended.errors
          == "scenario.yaml:2:27: error: there is no file or folder `policy.json` [file]\n")
      try desk.folder.write(Samples.policy, to: "polici.json")
      #expect(
        try desk.sluice("run", "scenario.yaml").errors.contains("did you mean `polici.json`?"))
    }

    @Test func `sluice run of a folder without scenarios exits with 2`() throws {
      try desk.folder.write("", to: "empty/readme.txt")
      let ended = try desk.sluice("run", "empty", ends: 2)
      #expect(ended.errors == "empty: error: the folder contains no scenario (`.yaml`) [file]\n")
    }

    @Test func `sluice run of a policy file lists the commands that read policies`() throws {
      try desk.folder.write(Samples.policy, to: "policies/policy.json")
      let readers =
        "`sluice policy show` and `sluice policy lint` read it, `sluice leaks --apps` searches it, and a scenario names it in `policies` [file]\n"
      let file = try desk.sluice("run", "policies/policy.json", ends: 2)
      #expect(file.output.isEmpty)
      #expect(
        file.errors
          == "policies/policy.json:1:1: error: this is a policy, not a scenario; \(readers)")
      let folder = try desk.sluice("run", "policies", ends: 2)
      #expect(folder.output.isEmpty)
      #expect(
        folder.errors
          == "policies: error: the folder contains no scenario (`.yaml`), but policies; \(readers)"
      )
    }

    @Test func `one invalid scenario in a folder prevents the run of all its scenarios`() throws {
      try desk.folder.write(Samples.passing, to: "all/a.yaml")
      try desk.folder.write("steps: []", to: "all/b.yaml")
      let ended = try desk.sluice("run", "all", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("all/b.yaml:1:"))
    }

    @Test(
      arguments: [
        ["run"], ["run", "x.yaml", "--colour"], ["run", "x.yaml", "--format", "pdf"],
        ["run", "x.yaml", "--output", "json"], ["run", "x.yaml", "--output", "pdf=x"],
        ["run", "x.yaml", "--seed", "-1"], ["fly"], ["decide"], ["demo", "x"],
      ])
    func `invalid arguments print the usage and exit with 64`(arguments: [String]) throws {
      let ended = try desk.sluice(arguments, ends: 64)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("Error: ") && ended.errors.contains("Usage: sluice"))
    }

    @Test func `signals blocked by the caller do not prevent termination`() throws {
      var all = sigset_t()
      var old = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &old)
      defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      try desk.sluice("run", "passing.yaml", ends: 0)
    }

    @Test(arguments: ["--version", "policy show criteria/policies/base.json", "run clipboard.yaml"])
    func `an error in writing standard output exits with 2`(arguments: String) throws {
      let scenarios = Repository.path("scenarios")
      let ended = try desk.run(
        "/bin/sh", ["-c", "cd \(scenarios) && \(Desk.program) \(arguments) > /dev/full"], ends: 2)
      #expect(ended.errors.hasPrefix("sluice: error: the output cannot be written"))
    }

    @Test func `a closed pipe at standard output is not an error`() throws {
      let scenarios = Repository.path("scenarios")
      let line = "cd \(scenarios) && { \(Desk.program) run criteria/S*.yaml -v; echo $? >&2; } | :"
      let errors = try desk.run("/bin/sh", ["-c", line]).errors
      #expect(errors.split(separator: "\n").filter { !$0.contains(": note: ") } == ["0"])
    }

    @Test func `an installation without its guest program exits with 70`() throws {
      try desk.folder.write(Samples.passing, to: "passing.yaml")
      let ended = try desk.run(desk.install(["sluice"]), ["run", "passing.yaml"], ends: 70)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.hasPrefix("sluice: error: cannot find the executable `"))
    }

    @Test func `the help of sluice lists all exit statuses`() throws {
      let help = try desk.sluice("--help", ends: 0).lines.drop { $0 != "Exit statuses:" }
        .dropFirst()
      let listed = help.compactMap { $0.wholeMatch(of: /\s\s(\d+) +(\S.*)/)?.output }
      #expect(listed.map(\.1) == ["0", "1", "2", "3", "64", "70"])
    }

    @Test(arguments: [
      "run", "decide", "demo", "device create", "device show", "device export", "device reset",
    ])
    func `the help of a command lists its exit statuses`(command: String) throws {
      let ended = try desk.sluice(line: "\(command) --help", ends: 0)
      #expect(ended.output.contains("Exit status: 0 "))
      #expect(ended.errors.isEmpty)
    }
  }
}
