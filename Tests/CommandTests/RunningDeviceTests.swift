import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice up`, and the requests of clients of its control socket.
  @Suite(.timeLimit(.minutes(15))) struct RunningDeviceTests {
    private static let send = Repository.path("scenarios/criteria/SEND.yaml")

    private let device: UpDevice
    private var desk: Desk { device.desk }
    private var socket: String { device.socket }

    init() throws { device = try UpDevice(Self.send) }

    // MARK: Steps

    @Test func `sluice ctl prints a step's result, its failed expectation or its error`() throws {
      try device.sluice("ctl", "launch", "mail", "viewer", ends: 0)
      try device.sluice(
        "ctl", "switchIdentity", "app=mail", "to=anna", "expect.managed=true", ends: 0)
      let blocked = try device.sluice("ctl", "share: { from: mail, to: viewer, text: Figures }")
      #expect(blocked.output.contains("share blocked by sendManagedAppsToUnmanaged, refused"))
      let unmet = try device.sluice(
        "ctl", "share", "from=mail", "to=viewer", "text=Figures", "expect.verdict=allowed", ends: 1)
      #expect(unmet.output.contains("expected verdict allowed, found verdict blocked"))
      let misspelt = try device.sluice(
        "ctl", "share", "from=mial", "to=viewer", "text=Figures", ends: 2)
      #expect(
        misspelt.errors
          == "step: error: no app is called `mial`; did you mean `mail`? [unknown-name]\n")
      let written = try device.sluice("ctl", "launch: mial")
      #expect(written.errors.hasPrefix("step:1:9: error: no app is called `mial`"))
      let several = try device.sluice("ctl", "share: { from: mial, too: viewer, text: 1 }", ends: 2)
      let lines = several.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("step:1:") }, "\(several.errors)")
      #expect(lines.first?.contains("no app is called `mial`") == true)
      #expect(lines.last?.contains("`too`; did you mean `to`?") == true)
    }

    @Test func `sluice ctl escapes control characters in received text and in errors`() throws {
      try device.sluice("ctl", "launch", "mail", "viewer", ends: 0)
      try device.sluice("ctl", "switchIdentity", "app=mail", "to=private", ends: 0)
      let share = #"share: { from: mail, to: viewer, text: "a\u001b]0;b" }"#
      let shown = try device.sluice("ctl", share)
      #expect(shown.output.contains(#"received `a\u{1b}]0;b`"#))
      #expect(!shown.output.contains("\u{1b}"))
      let answered = try device.sluice("ctl", "--format", "json", share)
      #expect(answered.output.contains(#""received":"a\u001b]0;b""#))
      let refused = try device.sluice("ctl", #"launch: "mail\u001b""#, ends: 2)
      #expect(!refused.errors.contains("\u{1b}"))
    }

    @Test func `a restarted device keeps its socket and its clients`() throws {
      let client = try Client(socket)
      let answer = try client.call("restart", #"["device"]"#)
      #expect(answer?["result"]?["holds"]?.bool == true)
      let status = try client.call("status")
      #expect(status?["result"]?["steps"]?.int == 1)
    }

    /// The standard input of this device is empty.
    @Test func `an attached device shuts down when its input ends`() throws {
      let desk = try Desk()
      let ended = try desk.sluice(
        "up", Self.send, "--attached", "--socket", desk.folder.path("s"), ends: 0)
      #expect(ended.lines.last == "the device iPhone is down", "\(ended.output)")
      try desk.sluice("up", "-", "--attached", ends: 64)
    }

    @Test func `sluice shell reads steps from standard input`() throws {
      let ended = try device.sluice(
        "shell", input: "launch mail viewer\n# nothing\nstatus\nexit\nnope\n", ends: 0)
      #expect(ended.output.contains("running   mail, viewer"))
      try device.sluice("shell", input: "nope\n", ends: 2)
    }

    /// A link to `/dev/null`, for example, disables the history. As root, libedit would make the device private.
    @Test func `sluice shell neither reads nor changes a history that is not a regular file`()
      throws
    {
      let workspace = try Workspace()
      try workspace.write("", to: "sluice/other")
      let history = workspace.path("sluice/history")
      #expect(mkfifo(history, 0o600) == 0 && chmod(history, 0o644) == 0)
      let terminal = try Terminal()
      var variables = ProcessInfo.processInfo.environment
      variables["XDG_STATE_HOME"] = workspace.path
      let shell = try StartedProgram(
        Desk.program, ["shell", "--socket", socket], environment: variables, input: terminal.end,
        output: terminal.end)
      try terminal.wait(for: "sluice> ")
      terminal.type("exit\n")
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      var status = stat()
      #expect(stat(history, &status) == 0 && status.st_mode == S_IFIFO | 0o644)
    }

    @Test func `sluice ctl wait returns after a given item has arrived`() throws {
      try device.sluice("ctl", "launch", "mail", "viewer", ends: 0)
      try device.sluice("ctl", "share", "from=viewer", "to=mail", "text=Hi", "via=os", ends: 0)
      try device.sluice("ctl", "switchIdentity", "app=mail", "to=private", ends: 0)
      try device.sluice("ctl", "share", "from=mail", "to=viewer", "text=Menu", ends: 0)
      let wait = try device.sluice(
        "ctl", "wait", "received.app=viewer", "received.text=Menu", "received.from=mail", ends: 0)
      #expect(wait.output.contains("wait until viewer gets `Menu` from mail"))
      try device.sluice("ctl", "wait", "idle", ends: 0)
      let wrong = try device.sluice("ctl", "wait", "PT1H", ends: 2)
      #expect(wrong.errors.contains("real time from `PT1S` to `PT30S`"))
    }

    @Test func `the shell's help lists steps, commands and the keys of a step`() throws {
      let all = try device.sluice("shell", input: "help\n", ends: 0)
      let words = all.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      let methods = try device.sluice("ctl", "methods", "--format", "json")
      let steps = try #require(try methods.json()["steps"]?.array?.compactMap(\.string))
      #expect(steps.count > 50)
      #expect(Set(steps + ["admin", "apps", "down", "exit", "help", "status"]).isSubset(of: words))
      let share = try device.sluice("shell", input: "help share\n").output
      #expect(share.hasPrefix("share  Offer an item to an app or an extension\n"))
      #expect(share.contains("\n  from    "))
      #expect(share.contains(" (required)\n"))
      #expect(share.contains(" (required with `file`)\n"))
      #expect(
        share.hasSuffix("for example\n  share from=mail to=viewer text='Quarterly figures'\n"))
      let wait = try device.sluice("shell", input: "help wait\n").lines.map {
        $0.split(separator: " ").first ?? ""
      }
      #expect(
        wait.dropFirst().prefix(4)
          == ["received.app", "received.text", "received.type", "received.from"])
      let unknown = try device.sluice("shell", input: "help shrae\nhelp status\n", ends: 2)
      #expect(
        unknown.errors
          == "step: error: no step or command is called `shrae`; did you mean `share`? [request]\n")
      #expect(unknown.output == "status  the device, its clock and its running guests\n")
      #expect(try device.sluice("ctl", "help", "share").output == share)
    }

    @Test func `the help of log describes the command and the step`() throws {
      let lines = try device.sluice("ctl", "help", "log").lines
      #expect(lines.count(where: { $0.hasPrefix("log  ") }) == 2)
      #expect(lines.contains { $0.contains("limit=N") })
      #expect(lines.suffix(2) == ["for example", "  log mail"])
    }

    @Test func `the example in the help of the launch step is a valid step`() throws {
      let example = try #require(try device.sluice("ctl", "help", "launch").lines.last)
      #expect(example == "  launch mail viewer")
      try device.sluice("shell", input: example + "\n", ends: 0)
    }

    @Test func `sluice ctl apps lists apps under column titles`() throws {
      let ended = try device.sluice("ctl", "apps")
      #expect(
        ended.lines.first?.split(separator: " ")
          == ["name", "bundle", "state", "identity", "managed", "signedIn"])
      #expect(ended.lines.count == 4)
    }

    // MARK: The socket

    @Test func `the control socket admits only its owner, and a second device cannot replace it`()
      throws
    {
      let mode = { (path: String) in
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return found as? Int
      }
      #expect(try mode(socket) == 0o600)
      #expect(try mode(desk.folder.path("run/sluice")) == 0o700)
      let second = try device.sluice("up", Repository.path("scenarios/criteria/VIEW.yaml"), ends: 2)
      #expect(
        second.errors.split(separator: "\n").filter { !$0.contains(": note: ") }
          == [
            "\(socket): error: the device `iPhone` is up and uses the socket; "
              + "shut it down with `sluice down`, or name another with --socket [socket]"
          ])
      try device.sluice("ctl", "status", ends: 0)
    }

    @Test func `a client with no_new_privs, such as a guest, is disconnected`() throws {
      let own = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      try #require(own.contains("NoNewPrivs:\t0"), "the tests themselves run confined")
      let ended = try desk.run(
        "/usr/bin/setpriv", ["--no-new-privs", Desk.program, "ctl", "--socket", socket, "status"],
        ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors.contains("the device closed the connection"))
    }

    @Test func `a client cannot hide no_new_privs by a forged process name`() throws {
      // A process is named after its program, and can choose that name.
      let program = desk.folder.path + "/NoNewPrivs:\t0"
      try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: Desk.program)
      let ended = try desk.run(
        "/usr/bin/setpriv", ["--no-new-privs", program, "ctl", "--socket", socket, "status"],
        ends: 2)
      #expect(ended.errors.contains("the device closed the connection"))
    }

    @Test func `sluice down accepts the device's name`() throws {
      let both = try device.sluice("down", "iPhone", "--socket", socket, ends: 64)
      #expect(both.errors.contains("the device and --socket exclude each other: name the device"))
      let other = try device.sluice("down", "iPad", ends: 2)
      #expect(other.errors.contains("no device of that name is running"))
      try device.sluice("ctl", "status", ends: 0)
      let ended = try device.sluice("down", "iPhone", ends: 0)
      #expect(ended.output.hasPrefix("the device iPhone is down"))
      try device.waitForEnd()
      try device.sluice("down", "iPhone", ends: 2)
    }

    @Test func `a new device takes over the socket of a killed device`() throws {
      kill(device.process.processIdentifier, SIGKILL)
      device.process.waitUntilExit()
      #expect(desk.folder.has("run/sluice/iPhone.sock"))
      try device.sluice("ctl", "status", ends: 2)
      let next = try UpDevice(Self.send, at: desk)
      try device.sluice("ctl", "status", ends: 0)
      try device.sluice("down", ends: 0)
      try next.waitForEnd()
      #expect(!desk.folder.has("run/sluice/iPhone.sock"))
    }

    @Test func `sluice up does not overwrite a file at the socket's path`() throws {
      try desk.folder.write("mine", to: "run/sluice/note")
      let ended = try device.sluice(
        "up", Repository.path("scenarios/criteria/VIEW.yaml"), "--socket",
        desk.folder.path("run/sluice/note"), ends: 2)
      #expect(ended.errors.contains("the path exists, but is not a socket [socket]"))
      #expect(try desk.folder.read("run/sluice/note") == "mine")
    }

    // MARK: Clients

    @Test(arguments: [
      ("garbage", -32700), ("[]", -32600), ("7", -32600), (#"{"id":1}"#, -32600),
      (#"{"jsonrpc":"2.0","id":[],"method":"status"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"stat"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"status","params":[1]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"journal","params":{"limit":-1}}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"step","params":{"launch":"nobody"}}"#, -32602),
    ])
    func `the device answers an invalid control request with an error and keeps the connection`(
      line: String, code: Int
    ) throws {
      let client = try Client(socket)
      #expect(try client.ask(line)?["error"]?["code"]?.int == code)
      let status = try client.ask(#"{"jsonrpc":"2.0","id":"a","method":"status"}"#)
      #expect(status?["id"]?.string == "a")
    }

    @Test func `the error of the "apply" control method names the invalid parameter`() throws {
      let client = try Client(socket)
      for (parameters, message) in [
        ("{}", "`path` is missing"),
        (#"{"path":"a"}"#, "`path` must be absolute, beginning with `/`"),
      ] {
        let answer = try client.call("apply", parameters)
        #expect(answer?["error"]?["message"]?.string == message)
      }
    }

    @Test func `incomplete and empty control requests do not affect other clients`() throws {
      let half = try Client(socket)
      let silent = try Client(socket)
      try half.send(#"{"jsonrpc":"2.0","id":1"#)
      try device.sluice("ctl", "status", ends: 0)
      half.finish()
      #expect(try half.answer()?["error"]?["code"]?.int == -32700)
      #expect(try half.answer() == nil)
      withExtendedLifetime(silent) {}
    }

    @Test func `a message longer than 1 MiB is rejected`() throws {
      let client = try Client(socket)
      try client.send(String(repeating: "x", count: (1 << 20) + 1))
      #expect(try client.answer()?["error"]?["code"]?.int == -32600)
      #expect(try client.answer() == nil)
    }

    @Test func `the answers to a batch arrive in one array without answers to notifications`()
      throws
    {
      let client = try Client(socket)
      let request = #"{"jsonrpc":"2.0","id":%,"method":"status"}"#
      let batch = #"[\#(request.replacing("%", with: "1")),{"jsonrpc":"2.0","method":"status"},7]"#
      let answers = try #require(try client.ask(batch)?.array)
      #expect(answers.count == 2)
      #expect(answers.first?["id"]?.int == 1)
      #expect(answers.last?["error"]?["code"]?.int == -32600)
    }

    @Test func `a client that does not read is disconnected, and other clients continue`() throws {
      let client = try Client(socket)
      let request = #"{"jsonrpc":"2.0","id":1,"method":"methods"}"# + "\n"
      let many = String(repeating: request, count: 20_000)
      #expect(throws: (any Error).self) {
        for _ in 0..<20 { try client.send(many) }
      }
      try device.sluice("ctl", "status", ends: 0)
    }

    @Test func `concurrent control clients each receive the answers to their own steps`() throws {
      try device.sluice("ctl", "launch", "mail", "notes", ends: 0)
      try device.sluice("ctl", "switchIdentity", "app=mail", "to=anna", ends: 0)
      let clients = try (0..<2).map { _ in try Client(socket) }
      for number in 1...20 {
        for (index, client) in clients.enumerated() {
          try client.send(
            #"{"jsonrpc":"2.0","id":"\#(index)-\#(number)","method":"share","#
              + #""params":{"from":"mail","to":"notes","text":"\#(index)-\#(number)"}}"# + "\n")
        }
      }
      var steps: [Int] = []
      for number in 1...20 {
        for (index, client) in clients.enumerated() {
          let answer = try #require(try client.answer())
          #expect(answer["id"]?.string == "\(index)-\(number)")
          let result = try #require(answer["result"])
          #expect(result["observed"]?.array?.first?["received"]?.string == "\(index)-\(number)")
          steps.append(try #require(result["step"]?.int))
        }
      }
      #expect(Set(steps) == Set(3...42))
    }

    @Test func `journal events are streamed as they are written`() throws {
      let follower = try Client(socket)
      let first = try follower.call("journal", #"{"limit":1,"follow":true}"#)
      #expect(first?["result"]?["events"]?.array?.count == 1)
      try device.sluice("ctl", "launch", "mail", ends: 0)
      let notice = try #require(try follower.answer())
      #expect(notice["method"]?.string == "journal")
      #expect(notice["params"]?["event"]?.string == "step.began")
    }

    @Test func `the "apps" and "policies" control methods report accounts and saved policy files`()
      throws
    {
      let client = try Client(socket)
      let apps = try client.call("apps")?["result"]?["apps"]?.array ?? []
      let mail = try #require(apps.first { $0["name"]?.string == "mail" })
      #expect(mail["sdk"]?.bool == true)
      let accounts = mail["accounts"]?.array ?? []
      #expect(accounts.map { $0["name"]?.string } == ["anna", "private"])
      #expect(accounts.map { $0["managed"]?.bool } == [true, false])
      #expect(accounts.map { $0["managementState"]?.string } == ["unenrolled", "unenrolled"])
      #expect(accounts.map { $0["policies"]?.array?.map(\.string) } == [["base"], []])
      let viewer = apps.first { $0["name"]?.string == "viewer" }
      #expect(viewer?["sdk"]?.bool == false && viewer?["accounts"] == nil)
      #expect(viewer?["provides"]?.bool == false)
      let saved = {
        try client.call("policies")?["result"]?["policies"]?.array?[0]["saved"]?.string
      }
      #expect(try saved() == nil)
      let file = try desk.folder.write(
        #"{ "displayName": "Open", "printBlocked": false }"#, to: "open.json")
      try device.sluice("ctl", "savePolicy", "policy=base", "file=\(file)", ends: 0)
      #expect(try saved() == file)
      let back = try device.sluice("ctl", "savePolicy", "policy=base", ends: 0)
      #expect(
        back.output.contains("the administrator saves the policy base as the scenario states it"))
      #expect(try saved() == nil)
    }

    @Test func `answers of the control protocol conform to their schema`() throws {
      let schema = try SchemaCheck("control")
      func check(_ answer: JSONValue?, _ definition: String) {
        #expect(schema.problems(in: answer?["result"], as: definition) == [])
      }
      let client = try Client(socket)
      check(try client.call("launch", #"[["mail","viewer"]]"#), "step")
      check(try client.call("share", #"{"from":"viewer","to":"mail","text":"Figures"}"#), "step")
      for method in [
        "status", "apps", "accounts", "policies", "output", "methods", "tokenKeys", "journal",
        "events", "report",
      ] {
        check(try client.call(method), method)
      }
      #expect(schema.problems(in: try client.ask("garbage"), as: "refusal") == [])
      let managed = try UpDevice(Repository.path("scenarios/criteria/MA.yaml"))
      let administrator = try Client(managed.socket)
      let folder = Repository.path("scenarios/criteria/managed/mountains")
      check(try administrator.call("apply", #"{"path":"\#(folder)"}"#), "apply")
      check(try administrator.call("report"), "report")
      check(try administrator.call("down"), "down")
    }

    // MARK: Shutdown

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal shuts the device and all guests down in time`(signal: Int32) throws {
      try device.sluice("ctl", "launch", "mail", "notes", "viewer", ends: 0)
      let client = try Client(socket)
      let apps = try client.call("apps")
      let guests = (apps?["result"]?["apps"]?.array ?? []).compactMap { $0["process"]?.int }
      #expect(guests.count == 3)
      kill(device.process.processIdentifier, signal)
      try device.waitForEnd()
      #expect(device.process.terminationStatus == 0)
      #expect(guests.allSatisfy { kill(Int32($0), 0) != 0 })
      #expect(!desk.folder.has("run/sluice/iPhone.sock"))
    }

    @Test func `a running step does not prevent the device's shutdown`() throws {
      let client = try Client(socket)
      try client.post("step", #"{"advance":"PT1S","repeat":1000000}"#)
      try waitUntil("the step runs") {
        try device.sluice("ctl", "status").output.contains("busy      true")
      }
      kill(device.process.processIdentifier, SIGTERM)
      try device.waitForEnd()
      #expect(device.process.terminationStatus == 0)
    }
  }
}
