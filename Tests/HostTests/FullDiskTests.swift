import EventLoop
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// A container on a disk that is full, and on one that nobody may write to.
  @Suite(.enabled(if: SmallDisk.isAvailable, "this process may not mount")) struct FullDiskTests {
    private static let anna = TaskContext(thread: Lab.anna.upn)

    private static func lab(encrypts: Bool) throws -> (Lab, SmallDisk) {
      var settings = Settings()
      settings.appDataEncryptionType = encrypts ? .whenDeviceLocked : .useDeviceSettings
      let lab = try Lab(policy: settings)
      try lab.device.install(
        AppDescription(
          name: "managed", bundleID: "com.example.managed", integratesSDK: true,
          isMultiIdentity: true))
      try lab.device.accounts.presetSignIn(Lab.anna, in: "managed")
      // Guests see what was mounted before the first of them came up.
      let disk = try SmallDisk(at: lab.device.containerPath(of: "managed") + "/small")
      lab.launch(["managed"])
      return (lab, disk)
    }

    @Test(arguments: [true, false])
    func `what does not fit is named, and what was there stays readable`(encrypts: Bool) throws {
      let (lab, disk) = try Self.lab(encrypts: encrypts)
      defer { disk.unmount() }
      #expect(
        lab.work(.write, "small/first.txt", "Minutes", as: Self.anna, on: "managed").failure == nil)
      let large = String(repeating: "Quarterly figures. ", count: 8_000)
      let failure = lab.work(.write, "small/large.txt", large, as: Self.anna, on: "managed").failure
      #expect(failure?.contains("no space left on device") == true, "\(failure ?? "no failure")")
      let appended = lab.work(.append, "small/first.txt", large, as: Self.anna, on: "managed")
      #expect(appended.failure?.contains("no space left on device") == true)
      #expect(
        lab.work(.read, "small/first.txt", as: Self.anna, on: "managed").text.hasPrefix("Minutes"))
      // The guest lives, and there is room again once the file is gone.
      lab.perform(.removeFile(FileReference("small/large.txt")), on: "managed")
      #expect(
        lab.work(.write, "small/next.txt", "Next", as: Self.anna, on: "managed").failure == nil)
      #expect(lab.work(.read, "small/next.txt", as: Self.anna, on: "managed").text == "Next")
      disk.unmount()
      lab.close()
    }

    @Test func `a database that has no room for a copy of itself stays as it is`() throws {
      let folder = try Workspace()
      let disk = try SmallDisk(at: folder.path("small"), kibibytes: 4_096)
      defer { disk.unmount() }
      let database = try DeviceDatabase(path: disk.path + "/device.sqlite", isSynchronized: false)
      let key = KeychainKey(service: "s", account: "a")
      let value = [UInt8](repeating: 7, count: 300 << 10)
      #expect(try database.add(value, for: key, in: "g", owner: nil))
      try disk.fill()
      #expect(try database.vacuum() == .noRoom)
      #expect(try database.value(for: key, in: ["g"]) == value)
      try disk.makeRoom()
      #expect(try database.vacuum() == .done)
    }

    @Test(arguments: [true, false])
    func `a container that nobody may write to is read, and each refusal named`(
      encrypts: Bool
    ) throws {
      let (lab, disk) = try Self.lab(encrypts: encrypts)
      defer { disk.unmount() }
      lab.work(.write, "small/first.txt", "Minutes", as: Self.anna, on: "managed")
      try disk.makeReadOnly()
      for (kind, path) in [(FileWork.Kind.write, "small/new.txt"), (.append, "small/first.txt")] {
        let failure = lab.work(kind, path, "more", as: Self.anna, on: "managed").failure
        #expect(failure != nil)
      }
      let details = lab.events.compactMap { event in
        if case .ended(_, _, _, let detail) = event { detail } else { nil }
      }
      // Of the file that is there, the guest finds that out itself.
      #expect(details.count { $0.hasSuffix(": Read-only file system") } == 1, "\(details)")
      #expect(lab.work(.read, "small/first.txt", as: Self.anna, on: "managed").text == "Minutes")
      disk.unmount()
      lab.close()
    }

    @Test(arguments: [DeviceConfiguration.JournalMode.written, .synchronized])
    func `a device whose own disk is full stops, says why, and goes on the next time`(
      mode: DeviceConfiguration.JournalMode
    ) throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 8_192)
      defer { disk.unmount() }
      var configuration = DeviceConfiguration(
        name: "lab", folder: disk.path + "/device",
        programs: .init(
          guest: "\(Lab.programs)/sluice-guest", launch: "\(Lab.programs)/sluice-launch"))
      configuration.journal = mode
      let device = try Device(configuration)
      for name in ["a", "b"] {
        try device.install(AppDescription(name: name, bundleID: "com.example.\(name)"))
      }
      var isLaunched = false
      device.guests.launch(["a", "b"]) { isLaunched = true }
      device.run { isLaunched }
      let pids = ["a", "b"].compactMap(device.guests.processIdentifier)
      try disk.fill()
      // Of the journal's last page there may be room for a line or two.
      for _ in 0..<100 where device.fault == nil {
        device.driver.perform(
          .share(Share(destination: "b", item: Item(text: "figures"))), on: "a"
        ) { _ in }
        device.loop.poll()
      }
      device.run {
        device.fault != nil && !device.guests.isRunning("a") && !device.guests.isRunning("b")
      }
      let fault = try #require(device.fault)
      #expect(fault.code == .storage)
      #expect(fault.description.hasSuffix("/journal.jsonl`: No space left on device"))
      for pid in pids { #expect(kill(pid, 0) != 0) }
      device.close()

      try disk.makeRoom()
      let next = try Device(configuration)
      next.close()
      let lines = try workspace.read("disk/device/journal.jsonl").split(separator: "\n")
      let events = try lines.map { try JournalEvent(line: String($0)) }
      #expect(events.map(\.sequence) == Array(1...events.count))
      #expect(events.last?.kind == .deviceStopped)
    }

    @Test func `who fills the disk with the journal's lines is ended alone`() throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 16_384)
      defer { disk.unmount() }
      let device = try Device(
        DeviceConfiguration(
          name: "lab", folder: disk.path + "/device",
          programs: .init(
            guest: "\(Lab.programs)/sluice-guest", launch: "\(Lab.programs)/sluice-launch")))
      for name in ["a", "b"] {
        try device.install(AppDescription(name: name, bundleID: "com.example.\(name)"))
      }
      try device.install(
        AppDescription(
          name: "flood", bundleID: "com.example.flood",
          program: .executable(
            path: "\(Lab.programs)/hostile-guest", arguments: ["flood-keychain"])))
      var isLaunched = false
      device.guests.launch(["a", "b", "flood"]) { isLaunched = true }
      device.run { isLaunched }
      device.run { device.fault != nil || !device.guests.isRunning("flood") }
      var outcome: Performance?
      device.driver.perform(
        .share(Share(destination: "b", item: Item(text: "figures"))), on: "a"
      ) { outcome = $0 }
      device.run { device.fault != nil || outcome != nil }
      #expect(device.fault == nil)
      #expect(device.guests.isRunning("a") && device.guests.isRunning("b"))
      var isDown = false
      device.guests.stop(["a", "b"]) { isDown = true }
      device.run { isDown }
      device.close()
      let journal = try workspace.read("disk/device/journal.jsonl")
      let exits = try journal.split(separator: "\n").filter { $0.contains("guest.exited") }
        .map { try JournalEvent(line: String($0)) }
      #expect(
        exits.count {
          if case .guestExited("flood", "diskQuota", _) = $0.kind { true } else { false }
        } == 1)
    }
  }
}
