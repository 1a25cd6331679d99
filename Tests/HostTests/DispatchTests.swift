import EventLoop
import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Guests with worker threads of libdispatch, which needs `/proc`.
  @Suite struct DispatchTests {
    @Test func `an app that says so has worker threads, and their identities`() throws {
      let lab = try Lab()
      try Self.install(in: lab, usesDispatch: true, opening: "dispatchguest:all")
      let path = lab.device.containerPath(of: "busy") + "/answers"
      var text = ""
      lab.wait("the answers") {
        text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.hasSuffix("\n")
      }
      let answers = text.split(separator: "\n")
      #expect(
        answers == [
          "async: anna@contoso.com", "back in the app: anna@contoso.com", "detached task: unset",
          "end of all: anna@contoso.com", "item: creator@contoso.com",
          "last of 100: anna@contoso.com", "operation: ", "plain async: unset",
          "sync: anna@contoso.com", "task: anna@contoso.com",
        ])
      #expect(lab.exits(of: "busy") == [])
      lab.close()
    }

    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `an app that does not say so traps, and harms nobody`() throws {
      let lab = try Lab()
      try Self.install(in: lab, usesDispatch: false, opening: "dispatchguest:endless")
      lab.wait("the trap") { lab.exits(of: "busy") != [] }
      #expect(lab.exits(of: "busy") == ["signalled"])
      try lab.expectService()
      lab.close()
    }

    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `of other processes it reads what is said to everybody, and no more`() throws {
      let trace = NSTemporaryDirectory() + "sluice-trace-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: trace) }
      let lab = try Lab { $0.trace = .file(trace) }
      let host = "/proc/\(getpid())"
      let kept = [
        "/proc", host, "\(host)/fd", "\(host)/task", "\(host)/environ", "\(host)/mem",
        "\(host)/maps", "\(host)/root/etc/passwd", "\(host)/cwd", "\(host)/fd/0",
        "/proc/self/root/etc/passwd", "/etc/passwd",
      ]
      let program = AppDescription.Program.executable(
        path: "\(Lab.programs)/hostile-guest", arguments: ["escape", "\(host)/stat"] + kept)
      try lab.device.install(
        AppDescription(
          name: "hostile", bundleID: "com.example.hostile", program: program, usesDispatch: true))
      lab.launch(["hostile"])
      lab.wait("the attempts") {
        (try? String(contentsOfFile: trace, encoding: .utf8))?.contains("socket tcp") ?? false
      }
      let attempts = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      let opened = attempts.compactMap { line in
        line.hasSuffix(": OPENED") ? line.split(separator: "hostile: ").last : nil
      }
      #expect(opened == (Lab.promises.contains(.mounts) ? [] : ["read \(host)/stat: OPENED"]))
      lab.close()
    }

    @Test func `a guest that needs no threads has one`() throws {
      let lab = try Lab()
      try lab.app("plain")
      let pid = try #require(lab.device.guests.processIdentifier(of: "plain"))
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
      #expect(threads == ["\(pid)"])
      lab.close()
    }

    private static func install(in lab: Lab, usesDispatch: Bool, opening url: String) throws {
      try lab.device.install(
        AppDescription(
          name: "busy", bundleID: "com.example.busy",
          program: .executable(path: "\(programs)/dispatch-guest", arguments: []),
          usesDispatch: usesDispatch, integratesSDK: true, schemes: ["dispatchguest"]))
      lab.launch(["busy"])
      try lab.app("opener")
      lab.perform(.openURL(OpenURL(url)), on: "opener")
    }

    /// Where `swift build` puts programs that are linked to Swift's libraries, as this one is.
    private static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
  }
}
