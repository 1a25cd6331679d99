import EventLoop
import Glibc
import Model
import TestSupport
import Testing

@testable import Host

/// Whether this process may make control groups here.
private let isDelegated: Bool = {
  defer { ControlGroupClaim.release() }
  return ControlGroupClaim.retain().folder != nil
}()

extension RealProcesses {
  /// Programs in control groups. None has more than 200 processes or 512 MiB, whatever becomes of it.
  @Suite(.enabled(if: isDelegated, "no control group is delegated to this process"))
  struct ControlGroupTests {
    private static func lab() throws -> Lab {
      try Lab {
        $0.limits.processes = 64
        $0.limits.memory = 256 << 20
      }
    }

    /// The groups that this process has made for its devices.
    private static var groups: [String] {
      defer { ControlGroupClaim.release() }
      let own = ControlGroupClaim.retain().folder
      return (own?.groups ?? []).map { String($0.name) }.filter {
        $0.hasPrefix("sluice-\(getpid())-")
      }
    }

    @Test(arguments: [
      (["200", "0"], "processLimit"), (["16", "33554432"], "memoryLimit"),
    ])
    func `the kernel refuses more than a program may have, and it is ended alone`(
      amount: [String], cause: String
    ) throws {
      let lab = try Self.lab()
      try lab.app("viewer")
      try lab.hostile("breed", amount)
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let group = ProcessFiles.text("/proc/\(process)/cgroup")?.split(separator: "\n").last
      #expect(group?.contains("/sluice-\(getpid())-") == true, "\(group ?? "none")")
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == [cause])
      #expect(lab.device.guests.isRunning("viewer"))
      try lab.expectService()
      lab.close()
    }

    @Test func `nothing is left of the groups of a device`() throws {
      let lab = try Self.lab()
      try lab.hostile("breed", ["8", "0"])
      let device = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let path = ProcessFiles.text("/proc/\(device)/cgroup")?.split(separator: "/").dropLast().last
      let group = try #require(path.map(String.init))
      #expect(Self.groups.contains(group))
      lab.close()
      #expect(!Self.groups.contains(group))
    }
  }
}

/// The files of control groups.
@Suite struct ControlGroupFolderTests {
  @Test func `numbers are found by their whole names`() throws {
    let folder = try Workspace()
    try folder.write("low 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n", to: "memory.events")
    let group = ControlGroupFolder(path: folder.path)
    let names = ["max", "oom", "oom_kill", "oom_group_kill", "oom_group", "high"]
    #expect(names.map { group.count($0, in: "memory.events") } == [3, 1, 2, 1, nil, nil])
    #expect(group.count("max", in: "pids.events") == nil)
  }

  @Test func `a group is what is a folder`() throws {
    let folder = try Workspace()
    try folder.write("", to: "cgroup.procs")
    let group = ControlGroupFolder(path: folder.path)
    let made = try #require(group.group("sluice-1"))
    #expect(group.group("sluice-1") == made)
    #expect(group.groups == [made])
    #expect(made.remove())
    #expect(made.remove())
    #expect(group.groups == [])
  }

  @Test func `what the system refuses is told`() throws {
    let folder = try Workspace()
    let group = ControlGroupFolder(path: folder.path("none"))
    #expect(group.set("cgroup.procs", "0") == ENOENT)
    #expect(group.text("cgroup.procs") == nil)
    #expect(group.groups == [])
  }
}
