import Foundation
import Model
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// Guests that take more of the disk than they may. None of them takes more than 64 MiB, or 240 MiB of a disk of its
  /// own, whatever becomes of it.
  @Suite struct DiskQuotaTests {
    private static func lab(_ adjust: (inout DeviceConfiguration) -> Void = { _ in }) throws -> Lab
    {
      try Lab {
        $0.limits.disk.containerBytes = 8 << 20
        $0.limits.disk.containerFiles = 2_000
        adjust(&$0)
      }
    }

    private static func texts(of guest: String, _ lab: Lab) -> [String] {
      lab.events.compactMap { event in
        if case .guestExited(guest, _, let text) = event { text } else { nil }
      }
    }

    @Test(arguments: [
      (["fill", "256", "262144"], "bytes of the disk"),
      (["fill", "1", "67108864"], "bytes of the disk"),
      (["fill", "100000", "0"], "files and folders"),
    ])
    func `who fills its container is ended alone, and the others are served`(
      mode: [String], what: String
    ) throws {
      let lab = try Self.lab()
      try lab.app("viewer")
      try lab.hostile(mode[0], Array(mode[1...]))
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["diskQuota"])
      let texts = Self.texts(of: "hostile", lab)
      #expect(texts.count == 1)
      #expect(texts.first?.hasPrefix("killed: the container `Containers/hostile` ") == true)
      #expect(texts.first?.contains(what) == true, "\(texts)")
      #expect(lab.device.guests.isRunning("viewer"))
      let container = lab.device.containerPath(of: "hostile")
      #expect(FileManager.default.fileExists(atPath: "\(container)/filling-0"))
      try lab.expectService()
      lab.close()
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/thread-self/children"),
        "this kernel does not tell the children of a process"))
    func `what has no name counts, too`() throws {
      let lab = try Self.lab()
      try lab.hostile("fill-unnamed", ["67108864"])
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["diskQuota"])
      try lab.expectService()
      lab.close()
    }

    @Test func `of all containers together, the one that grew most pays`() throws {
      let lab = try Self.lab {
        $0.limits.disk.containerBytes = 64 << 20
        $0.limits.disk.totalBytes = 24 << 20
      }
      try lab.hostile("fill", ["1", "12582912"], name: "early")
      lab.waitAsTimePasses("it is known") {
        lab.device.owners.disk.usage(of: "Containers/early").map { $0.bytes >= 12 << 20 } ?? false
      }
      try lab.hostile("fill", ["1", "16777216"], name: "late")
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("late") }
      #expect(lab.exits(of: "late") == ["diskQuota"])
      #expect(Self.texts(of: "late", lab).first?.contains("the containers take ") == true)
      #expect(lab.device.guests.isRunning("early"))
      lab.close()
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "this process may not mount"))
    func `a disk that runs full costs the guest that filled it, and the journal goes on`() throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 256 << 10)
      defer { disk.unmount() }
      let lab = try Lab { $0.folder = disk.path + "/device" }
      try lab.app("viewer")
      lab.waitAsTimePasses("the watch has begun") {
        lab.device.owners.disk.usage(of: "Containers/viewer") != nil
      }
      // It leaves 16 MiB, however late it is found.
      try lab.hostile("fill", ["1", "251658240"])
      lab.waitAsTimePasses("its end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["diskQuota"])
      #expect(Self.texts(of: "hostile", lab).first?.hasSuffix("are kept for the device") == true)
      #expect(lab.device.fault == nil)
      #expect(lab.device.guests.isRunning("viewer"))
      try lab.expectService()
      lab.close()
    }
  }
}
