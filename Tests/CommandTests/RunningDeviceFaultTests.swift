import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests errors by clients, guests and the system on a running device. The device must still shut
  /// down.
  @Suite(.timeLimit(.minutes(15))) struct RunningDeviceFaultTests {
    private static let send = Repository.path("scenarios/criteria/SEND.yaml")

    // MARK: Signals

    /// A device with an app that ignores the stop request.
    private func withDeafApp() throws -> UpDevice {
      let desk = try Desk()
      let program = try desk.folder.write(
        "#!/bin/sh\nexec ${0%/*}/hostile-guest deaf\n", to: "deaf/deaf.sh")
      try Executable.make(program)
      try desk.folder.copy("\(Repository.programs)/hostile-guest", to: "deaf/hostile-guest")
      try Executable.make(desk.folder.path("deaf/hostile-guest"))
      let scenario = try desk.folder.write(
        """
        name: A deaf app
        apps: { deaf: { bundle: org.example.deaf, executable: deaf/deaf.sh } }
        cases: [{ name: it is deaf, steps: [{ launch: deaf }] }]
        """, to: "deaf.yaml")
      return try UpDevice(scenario, at: desk)
    }

    /// Returns whether a sent signal is still pending in the process (proc_pid_status(5)).
    private func hasPendingSignals(_ pid: Int32) -> Bool {
      let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      let lines = (status ?? "").split(separator: "\n")
      let mask = lines.first { $0.hasPrefix("ShdPnd:") }?.split(separator: "\t").last ?? "0"
      return mask.contains { $0 != "0" }
    }

    @Test(arguments: [[SIGTERM], [SIGINT], [SIGTERM, SIGTERM], [SIGTERM, SIGINT, SIGHUP]])
    func `an app that ignores the stop request does not prevent the device's shutdown`(
      signals: [Int32]
    ) throws {
      let device = try withDeafApp()
      try device.sluice("ctl", "launch", "deaf", ends: 0)
      let guest = try #require(
        try Client(device.socket).call("apps")?["result"]?[
          "apps"]?.array?.first?["process"]?.int)
      for signal in signals {
        let pid = device.process.processIdentifier
        kill(pid, signal)
        try waitUntil("the device has the signal") {
          !device.process.isRunning || !hasPendingSignals(pid)
        }
      }
      try device.waitForEnd()
      #expect(device.process.terminationReason == .exit)
      #expect(device.process.terminationStatus == 0)
      #expect(kill(Int32(guest), 0) != 0)
      let killed = "killed, as it did not stop: deaf\n"
      // Depending on the machine's timing, SIGTERM may end the guest before it is killed.
      let ends = signals.count > 1 ? [killed] : ["stopped: deaf\n", killed]
      let output = try device.output()
      #expect(ends.contains { output.hasSuffix($0) }, "\(output)")
    }

    // MARK: Disconnected clients

    @Test func `queued steps of a disconnected client are dropped`() throws {
      let device = try UpDevice(Self.send)
      var client: Client? = try Client(device.socket)
      try client?.post("step", #"{"advance":"PT1S","repeat":1000000}"#)
      try client?.post("step", #"{"launch":"mail"}"#, id: 2)
      let other = try Client(device.socket)
      try waitUntil("a step waits for the other") {
        try other.status()?["waiting"]?.int == 1
      }
      client = nil
      try waitUntil("the device is idle") {
        try other.status()?["busy"]?.bool == false
      }
      let status = try other.status()
      #expect(status?["busy"]?.bool == false)
      #expect(status?["waiting"]?.int == 0)
      #expect(status?["steps"]?.int == 1)
      #expect(status?["running"]?.array?.isEmpty == true)
      #expect(status?["clients"]?.int == 1)
    }

    @Test
    func `requests of a control client that shuts down its sending side are still executed`()
      throws
    {
      let device = try UpDevice(Self.send)
      let client = try Client(device.socket)
      try client.post("launch", #"["mail"]"#)
      client.finish()
      #expect(try client.answer()?["result"]?["holds"]?.bool == true)
      #expect(try client.answer() == nil)
      var notifier: Client? = try Client(device.socket)
      try notifier?.send(#"{"jsonrpc":"2.0","method":"launch","params":["viewer"]}"# + "\n")
      notifier = nil
      let other = try Client(device.socket)
      let after = try other.call("step", #"{"advance":"PT1S"}"#)
      #expect(after?["result"]?["step"]?.int == 3)
    }

    // MARK: Invalid requests

    @Test func `control requests with excessive length, nesting depth or errors are rejected`()
      throws
    {
      let device = try UpDevice(Self.send)
      let big = try Client(device.socket)
      #expect(throws: (any Error).self) {
        for _ in 0..<20 { try big.send(String(repeating: "x", count: 500_000)) }
      }
      #expect(try big.answer()?["error"]?["code"]?.int == -32600)
      let deep = try Client(device.socket)
      let brackets = String(repeating: "[", count: 100_000)
      #expect(try deep.ask(brackets)?["error"]?["code"]?.int == -32700)
      let yaml = #"["share: \#(brackets)"]"#
      try deep.post("step", yaml)
      #expect(try deep.answer()?["error"]?["code"]?.int == -32602)
      let keys = (0..<4_000).map { "\"from\($0)\":1" }.joined(separator: ",")
      let unknown = try deep.call("step", "{\"share\":{\(keys)}}")
      #expect(unknown?["error"]?["data"]?["others"]?.array?.count == 1_999)
      try device.sluice("ctl", "status", ends: 0)
    }

    @Test func `2,000 idle clients do not prevent other clients from connecting`() throws {
      let device = try UpDevice(Self.send)
      let early = try Client(device.socket)
      #expect(try early.call("status") != nil)
      var silent: [Client] = []
      for _ in 0..<200 { silent.append(try Client(device.socket)) }
      for number in 0..<2_000 {
        let client = try Client(device.socket)
        if number.isMultiple(of: 3) { client.sendWhatIsTaken(#"{"jsonrpc":"2.0","id":1"#) }
      }
      let now = try Client(device.socket)
      let status = try now.status()
      #expect((1...32).contains(status?["clients"]?.int ?? 0))
      // Clients that have made a request are disconnected last.
      #expect(try early.call("status") != nil)
      withExtendedLifetime(silent) {}
    }

    @Test func `a connection flood does not starve clients or guests`() throws {
      let device = try UpDevice(Self.send)
      try device.sluice("ctl", "launch", "mail", "viewer", ends: 0)
      let flood = Flood(device.socket, threads: 4, held: 50)
      // The threads must always end before the socket is removed.
      defer {
        flood.end()
        try? waitUntil("the flood is over") { flood.hasEnded }
      }
      try waitUntil("the flood has begun") { flood.count > 1_000 }
      for _ in 0..<3 {
        let before = flood.count
        try device.sluice("ctl", "status", ends: 0)
        let shared = try device.sluice("ctl", "share", "from=viewer", "to=mail", "text=hello")
        #expect(shared.output.contains("share "), "\(shared.errors)")
        try waitUntil("the flood continues") { flood.count > before + 100 }
      }
    }

    @Test func `a new control client is refused if 32 clients follow the journal`()
      throws
    {
      let device = try UpDevice(Self.send)
      let followers = try (0..<32).map { _ in
        let client = try Client(device.socket)
        _ = try client.call("journal", #"{"limit":0,"follow":true}"#)
        return client
      }
      let another = try Client(device.socket)
      #expect(try another.answer()?["error"]?["code"]?.int == -32000)
      #expect(try another.answer() == nil)
      #expect(try followers[0].status() != nil)
    }

    @Test func `an unread subscription does not block other clients`() throws {
      let device = try UpDevice(Self.send)
      let follower = try Client(device.socket)
      _ = try follower.call("journal", #"{"limit":1,"follow":true}"#)
      let other = try Client(device.socket)
      let answer = try other.call("step", #"{"advance":"PT1S","repeat":3000}"#)
      #expect(answer?["result"]?["times"]?.int == 3_000)
      // Unread data must still be complete and in order.
      var last = 0
      for _ in 0..<3_000 {
        let number = try follower.answer()?["params"]?["seq"]?.int ?? 0
        #expect(number == last + 1 || last == 0)
        last = number
      }
    }

    @Test
    func `a client can read the journal from position 0, and an invalid position is rejected`()
      throws
    {
      let device = try UpDevice(Self.send)
      let client = try Client(device.socket)
      let whole = try client.call("journal", #"{"position":0}"#)
      #expect(whole?["result"]?["events"]?.array?.first?["event"]?.string == "device.started")
      for position in [5, Int.max] {
        let refused = try client.call("journal", #"{"position":\#(position)}"#)
        #expect(refused?["error"]?["code"]?.int == -32602)
      }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `another user cannot use a device, even if the control socket is accessible`() throws {
      let device = try UpDevice(Self.send)
      func ask() throws -> Desk.Ended {
        try device.desk.run(
          "/usr/bin/setpriv",
          [
            "--reuid=65534", "--regid=65534", "--clear-groups", Desk.program, "ctl", "--socket",
            device.socket, "status",
          ])
      }
      let outside = try ask()
      #expect(outside.status == 2)
      #expect(outside.errors.contains("permission denied [socket]"))
      var path = device.socket
      while path != device.desk.folder.path {
        chmod(path, 0o777)
        path = (path as NSString).deletingLastPathComponent
      }
      chmod(path, 0o755)
      let inside = try ask()
      #expect(inside.status == 2)
      #expect(inside.output.isEmpty)
      #expect(inside.errors.contains("the device closed the connection"))
      try device.sluice("ctl", "status", ends: 0)
    }

    // MARK: Ends of devices

    @Test func `a device that cannot restart reports the reason and exits`() throws {
      let device = try UpDevice(Self.send)
      try device.sluice("ctl", "launch", "mail", ends: 0)
      let client = try Client(device.socket)
      let folder = try #require(try client.status()?["folder"]?.string)
      let garbage = try device.desk.folder.write("no database", to: "garbage")
      #expect(rename(garbage, "\(folder)/device.sqlite") == 0)
      let restarted = try device.sluice("ctl", "restart", "device", ends: 1)
      #expect(restarted.output.contains("the device did not restart: "))
      try device.waitForEnd()
      #expect(device.process.terminationReason == .exit)
      #expect(device.process.terminationStatus == 70)
      let error = try device.errors().split(separator: "\n").first { !$0.contains(": note: ") }
      #expect(error?.hasPrefix("sluice: error: the device did not restart: ") == true)
      #expect(!FileManager.default.fileExists(atPath: device.socket))
    }

    @Test func `clients stay connected while a fault restarts the device's host`() throws {
      let device = try UpDevice(Self.send)
      let client = try Client(device.socket)
      try device.sluice("ctl", "launch", "viewer", "mail", ends: 0)
      try device.sluice("ctl", "fault", "kind=restartHost", "at=delivered", ends: 0)
      let share = try device.sluice(
        "ctl", "share", "from=viewer", "to=mail", "text=Hi", "expect.end=undeliverable", ends: 0)
      #expect(share.output.contains("undeliverable: the device died"))
      #expect(try client.status()?["device"]?.string == "iPhone")
      try device.sluice("ctl", "launch", "viewer", ends: 0)
      let down = try device.sluice("down")
      #expect(down.output == "the device iPhone is down; stopped: viewer\n")
      try device.waitForEnd()
      #expect(device.process.terminationStatus == 0)
    }

    @Test func `sluice down returns after the device has stopped and prints the stopped guests`()
      throws
    {
      let device = try UpDevice(Self.send)
      try device.sluice("ctl", "launch", "mail", "viewer", ends: 0)
      let down = try device.sluice("down", ends: 0)
      #expect(down.output == "the device iPhone is down; stopped: mail, viewer\n")
      // The next device can immediately use the path of the socket.
      let next = try UpDevice(Self.send, at: device.desk)
      try device.waitForEnd()
      #expect(device.process.terminationStatus == 0)
      let clients = try (0..<3).map { _ in try Client(next.socket) }
      // The process gets all three signals together, because it would exit after the first.
      kill(next.process.processIdentifier, SIGSTOP)
      for client in clients { try client.post("down") }
      kill(next.process.processIdentifier, SIGCONT)
      for client in clients { #expect(try client.answer()?["result"]?["down"]?.bool == true) }
      try next.waitForEnd()
    }

    // A runtime directory set by the system takes precedence.
    @Test(.disabled(if: FileManager.default.fileExists(atPath: "/run/user/\(geteuid())")))
    func `without a runtime directory, a device can be started, found and stopped`() throws {
      let desk = try Desk()
      let variables = ["XDG_RUNTIME_DIR": "", "TMPDIR": desk.folder.path]
      let process = try desk.start(Desk.program, ["up", Self.send], variables: variables)
      defer { kill(process.processIdentifier, SIGKILL) }
      let place = desk.folder.path("sluice-\(geteuid())")
      try waitUntil("the device is up") {
        try desk.folder.read(".output").contains("\(place)/iPhone.sock")
      }
      let other = try Desk()
      for command in [["ctl", "status"], ["admin", "status"], ["down"]] {
        try other.sluice(command, variables: variables, ends: 0)
      }
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test func `sluice down works with a socket inside the device's own folder`() throws {
      let desk = try Desk()
      let kept = desk.folder.path("kept")
      let sockets = ["\(kept)/device/a.sock", "\(kept)/device/b.sock"]
      let first = try UpDevice(Self.send, ["--output-dir", kept, "--socket", sockets[0]], at: desk)
      let second = try UpDevice(Self.send, ["--socket", sockets[1]], at: desk)
      try first.sluice("down", "--socket", sockets[0], ends: 0)
      try second.sluice("down", "--socket", sockets[1], ends: 0)
    }

    @Test func `ctl, down, shell and admin print a single error if no device is running`() throws {
      let desk = try Desk()
      for command in [["ctl", "status"], ["down"], ["shell"], ["admin", "status"]] {
        let ended = try desk.sluice(command, ends: 2)
        #expect(
          ended.errors
            == "sluice: error: no device is running; start one with `sluice up FILE` [socket]\n")
      }
      let named = try desk.sluice("ctl", "--socket", "/proc/nowhere/x.sock", "status", ends: 2)
      #expect(named.errors == "/proc/nowhere/x.sock: error: no device answers there [socket]\n")
    }
  }
}
