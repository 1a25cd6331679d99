import EventLoop
import Foundation
import Glibc
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests guests that exceed their disk quota. Even if a limit fails, no guest uses more than 64 MiB, or 240
  /// MiB of a separate disk.
  @Suite struct DiskQuotaTests {
    private static func lab(_ adjust: (inout DeviceConfiguration) -> Void = { _ in }) throws -> Lab
    {
      try Lab {
        $0.limits.disk.containerBytes = 8 << 20
        $0.limits.disk.containerFiles = 2_000
        adjust(&$0)
      }
    }

    @Test(arguments: [
      (["fill", "256", "262144"], "bytes of the disk"),
      (["fill", "1", "67108864"], "bytes of the disk"),
      (["fill", "100000", "0"], "files and folders"),
    ])
    func `only the guest that fills its container is terminated`(
      mode: [String], what: String
    ) throws {
      let lab = try Self.lab()
      try lab.app("viewer")
      try lab.hostile(mode[0], Array(mode[1...]))
      lab.expectEndAsTimePasses(of: "hostile", "diskQuota")
      let text = try #require(lab.exitText(of: "hostile"))
      #expect(text.hasPrefix("killed: the container `Containers/hostile` "))
      #expect(text.contains(what), "\(text)")
      #expect(lab.device.guests.isRunning("viewer"))
      let container = lab.device.containerPath(of: "hostile")
      #expect(FileManager.default.fileExists(atPath: "\(container)/filling-0"))
      try lab.closeInService()
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: "/proc/thread-self/children"),
        "this kernel does not list the children of a process"))
    func `unlinked files count toward the disk quota`() throws {
      let lab = try Self.lab()
      try lab.hostile("fill-unnamed", ["67108864"])
      lab.expectEndAsTimePasses(of: "hostile", "diskQuota")
      try lab.closeInService()
    }

    @Test
    func `if the shared quota is exceeded, the guest with the largest growth is terminated`()
      throws
    {
      let lab = try Self.lab {
        $0.limits.disk.containerBytes = 64 << 20
        $0.limits.disk.totalBytes = 24 << 20
      }
      try lab.hostile("fill", ["1", "12582912"], name: "early")
      lab.waitAsTimePasses("it is known") {
        lab.device.services.disk.usage(of: "Containers/early").map { $0.bytes >= 12 << 20 } ?? false
      }
      try lab.hostile("fill", ["1", "16777216"], name: "late")
      lab.expectEndAsTimePasses(of: "late", "diskQuota")
      #expect(lab.exitText(of: "late")?.contains("all containers together use ") == true)
      #expect(lab.device.guests.isRunning("early"))
      lab.close()
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "this process may not mount"))
    func `a full disk ends the guest that filled it, and the journal continues`() throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 256 << 10)
      defer { disk.unmount() }
      let lab = try Lab(apps: ["viewer"]) { $0.folder = disk.path + "/device" }
      lab.waitAsTimePasses("the watch has begun") {
        lab.device.services.disk.usage(of: "Containers/viewer") != nil
      }
      // The guest leaves 16 MiB, even if the device detects it late.
      try lab.hostile("fill", ["1", "251658240"])
      lab.expectEndAsTimePasses(of: "hostile", "diskQuota")
      #expect(lab.exitText(of: "hostile")?.hasSuffix("are reserved for the device") == true)
      #expect(lab.device.error == nil)
      #expect(lab.device.guests.isRunning("viewer"))
      try lab.closeInService()
    }
  }

  /// Tests a container on a full disk, and on a read-only disk.
  @Suite(.enabled(if: SmallDisk.isAvailable, "this process may not mount")) struct FullDiskTests {
    private static func lab(encrypts: Bool) throws -> (Lab, SmallDisk) {
      let lab = try Lab(policy: .encrypting(encrypts))
      try lab.installForSeveralAccounts()
      // Guests see the file systems that were mounted before the first guest started.
      let disk = try SmallDisk(at: lab.device.containerPath(of: "managed") + "/small")
      lab.launch(["managed"])
      return (lab, disk)
    }

    @Test(arguments: [true, false])
    func `writing a file to a full disk fails, and earlier files stay readable`(encrypts: Bool)
      throws
    {
      let (lab, disk) = try Self.lab(encrypts: encrypts)
      defer { disk.unmount() }
      #expect(
        lab.work(.write, "small/first.txt", "Minutes").failure == nil)
      let large = String(repeating: "Quarterly figures. ", count: 8_000)
      let failure = lab.work(.write, "small/large.txt", large).failure
      #expect(failure?.contains("no space left on device") == true, "\(failure ?? "no failure")")
      let appended = lab.work(.append, "small/first.txt", large)
      #expect(appended.failure?.contains("no space left on device") == true)
      #expect(
        lab.work(.read, "small/first.txt").text.hasPrefix("Minutes"))
      // The guest continues to run, and there is space again after the file is deleted.
      lab.perform(.removeFile(FileReference("small/large.txt")), on: "managed")
      #expect(
        lab.work(.write, "small/next.txt", "Next").failure == nil)
      #expect(lab.work(.read, "small/next.txt").text == "Next")
      disk.unmount()
      lab.close()
    }

    @Test func `a vacuum without enough disk space leaves the database unchanged`() throws {
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
    func `on a read-only disk, an app reads its files and each write fails`(
      encrypts: Bool
    ) throws {
      let (lab, disk) = try Self.lab(encrypts: encrypts)
      defer { disk.unmount() }
      lab.work(.write, "small/first.txt", "Minutes")
      try disk.makeReadOnly()
      for (kind, path) in [(FileWork.Kind.write, "small/new.txt"), (.append, "small/first.txt")] {
        let failure = lab.work(kind, path, "more").failure
        #expect(failure != nil)
      }
      let details = lab.events.compactMap { event in
        if case .ended(_, _, _, let detail) = event { detail } else { nil }
      }
      // For an existing file, the guest detects the error itself.
      #expect(details.count { $0.hasSuffix(": Read-only file system") } == 1, "\(details)")
      #expect(lab.work(.read, "small/first.txt").text == "Minutes")
      disk.unmount()
      lab.close()
    }

    /// Returns a device on a small disk. It has the ready-made guests `a` and `b`, and other
    /// guests.
    private static func device(
      _ configuration: DeviceConfiguration, beside others: [AppDescription] = []
    ) throws -> Device {
      let device = try Device(configuration)
      let apps =
        ["a", "b"].map { AppDescription(name: $0, bundleID: "com.example.\($0)") } + others
      for app in apps { try device.install(app) }
      var isLaunched = false
      device.guests.launch(apps.map(\.name)) { isLaunched = true }
      device.run { isLaunched }
      return device
    }

    @Test(arguments: [DeviceConfiguration.JournalMode.written, .synchronized])
    func `if a device's disk is full, the device stops with an error and can restart later`(
      mode: DeviceConfiguration.JournalMode
    ) throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 8_192)
      defer { disk.unmount() }
      var configuration = Lab.configuration(in: disk.path + "/device")
      configuration.journal = mode
      let device = try Self.device(configuration)
      let pids = ["a", "b"].compactMap(device.guests.processIdentifier)
      try disk.fill()
      // The journal's last page may have space for a line or two.
      for _ in 0..<100 where device.error == nil {
        device.driver.perform(.sharing("figures", with: "b"), on: "a") { _ in }
        device.loop.poll()
      }
      device.run {
        device.error != nil && !device.guests.isRunning("a") && !device.guests.isRunning("b")
      }
      let error = try #require(device.error)
      #expect(error.code == .storage)
      #expect(error.description.hasSuffix("/journal.jsonl`: No space left on device"))
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

    @Test func `only the guest that fills the disk through the journal is terminated`() throws {
      let workspace = try Workspace()
      let disk = try SmallDisk(at: workspace.path("disk"), kibibytes: 16_384)
      defer { disk.unmount() }
      let flood = AppDescription.Program.executable(
        path: "\(Lab.programs)/hostile-guest", arguments: ["flood-keychain"])
      let device = try Self.device(
        Lab.configuration(in: disk.path + "/device"),
        beside: [AppDescription(name: "flood", bundleID: "com.example.flood", program: flood)])
      device.run { device.error != nil || !device.guests.isRunning("flood") }
      var outcome: InstructionResult?
      device.driver.perform(.sharing("figures", with: "b"), on: "a") { outcome = $0 }
      device.run { device.error != nil || outcome != nil }
      #expect(device.error == nil)
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

/// Tests which guests are terminated because of their disk usage.
@Suite final class DiskLedgerTests {
  typealias Tenant = DiskLedger.Tenant

  private static let quota: DiskQuota = {
    var quota = DiskQuota()
    quota.containerBytes = 1_000
    quota.containerFiles = 10
    quota.totalBytes = 1_500
    return quota
  }()

  private static let a = Tenant(name: "a", scopes: ["Containers/a"])
  private static let b = Tenant(name: "b", scopes: ["Containers/b"])

  private var ledger = DiskLedger(DiskLedgerTests.quota, reserve: 6_400)

  private func judge(
    _ bytes: [String: Int], free: Int? = nil,
    _ tenants: [Tenant] = [DiskLedgerTests.a, DiskLedgerTests.b]
  ) -> [DiskLedger.Eviction] {
    var finding = DiskLedger.ScanResult(free: free)
    for (name, bytes) in bytes {
      finding.usages["Containers/\(name)"] = DiskUsage(bytes: bytes, files: 1)
    }
    return ledger.judge(finding, tenants)
  }

  private static func group(_ bytes: Int) -> DiskLedger.ScanResult {
    DiskLedger.ScanResult(usages: ["Groups/g": DiskUsage(bytes: bytes, files: 1)])
  }

  // MARK: One container

  @Test func `a guest is terminated above its disk quota, but not at the quota`() {
    #expect(judge(["a": 1_000, "b": 10]).isEmpty)
    #expect(
      judge(["a": 1_001, "b": 10]) == [
        .init(
          guest: "a",
          excess: DiskExcess(bound: .bytes(of: "Containers/a"), found: 1_001, allowed: 1_000))
      ])
  }

  @Test func `a guest with too many files or too deeply nested folders is terminated`() {
    let many = DiskLedger.ScanResult(usages: ["Containers/a": DiskUsage(bytes: 0, files: 11)])
    #expect(
      ledger.judge(many, [Self.a]).map(\.excess) == [
        DiskExcess(bound: .files(of: "Containers/a"), found: 11, allowed: 10)
      ])
    let deep = DiskLedger.ScanResult(usages: ["Containers/b": DiskUsage(files: 1, unseen: 1)])
    #expect(ledger.judge(deep, [Self.b]).map(\.guest) == ["b"])
  }

  @Test func `a guest restarted with a full container runs until the container grows`() {
    #expect(judge(["a": 1_200]).count == 1)
    // The guest's last measured usage is from before it exited.
    #expect(judge(["a": 1_300], [Self.b]).isEmpty)
    #expect(judge(["a": 1_300]).isEmpty)
    #expect(judge(["a": 1_301]).map(\.guest) == ["a"])
  }

  @Test func `a guest that freed space is terminated if it fills the container again`() {
    #expect(judge(["a": 1_200]).count == 1)
    #expect(judge(["a": 1_200], [Self.b]).isEmpty)
    #expect(judge(["a": 100]).isEmpty)
    #expect(judge(["a": 1_001]).map(\.guest) == ["a"])
  }

  @Test func `while a guest over quota is being terminated, no second guest is terminated`() {
    let sharing = [
      Tenant(name: "a", scopes: ["Groups/g"], written: 900),
      Tenant(name: "b", scopes: ["Groups/g"], written: 5),
    ]
    #expect(ledger.judge(Self.group(1_100), sharing).map(\.guest) == ["a"])
    var dying = sharing
    dying[0].isEnding = true
    #expect(ledger.judge(Self.group(1_400), dying).isEmpty)
    #expect(ledger.judge(Self.group(1_400), [sharing[1]]).isEmpty)
    #expect(ledger.judge(Self.group(1_401), [sharing[1]]).map(\.guest) == ["b"])
  }

  @Test func `if guests share a full container, the guest that wrote last is terminated`() {
    let before = [
      Tenant(name: "a", scopes: ["Groups/g"], written: 9_000),
      Tenant(name: "b", scopes: ["Groups/g"], written: 5),
    ]
    #expect(ledger.judge(Self.group(500), before).isEmpty)
    var after = before
    after[1].written += 700
    #expect(ledger.judge(Self.group(1_200), after).map(\.guest) == ["b"])
  }

  @Test func `existing content in a shared container terminates no guest`() {
    let sharing = [
      Tenant(name: "a", scopes: ["Groups/g"]), Tenant(name: "b", scopes: ["Groups/g"]),
    ]
    ledger.adopt(["Groups/g": DiskUsage(bytes: 1_200, files: 1)])
    #expect(ledger.judge(Self.group(1_200), sharing).isEmpty)
  }

  // MARK: All containers

  @Test func `if all containers together are over quota, the container that grew most is reported`()
  {
    ledger.adopt(["Containers/a": DiskUsage(bytes: 900, files: 1)])
    #expect(judge(["a": 900, "b": 500]).isEmpty)
    #expect(
      judge(["a": 910, "b": 600]) == [
        .init(guest: "b", excess: DiskExcess(bound: .total, found: 1_510, allowed: 1_500))
      ])
  }

  @Test
  func `stopped guests' files count toward the total quota; only growing guests are terminated`() {
    ledger.adopt([
      "Containers/old": DiskUsage(bytes: 900, files: 1),
      "Containers/older": DiskUsage(bytes: 900, files: 1),
    ])
    #expect(judge(["a": 0]).isEmpty)
    #expect(judge(["a": 1]).map(\.guest) == ["a"])
  }

  // MARK: The reserve

  @Test func `if free disk space falls below the reserve, the guest that grew most is terminated`()
  {
    ledger.adopt(["Containers/a": DiskUsage(bytes: 400, files: 1)])
    #expect(judge(["a": 400, "b": 100], free: 20_000).isEmpty)
    #expect(judge(["a": 410, "b": 300], free: 7_000).isEmpty)
    #expect(
      judge(["a": 420, "b": 310], free: 6_399) == [
        .init(guest: "b", excess: DiskExcess(bound: .reserve, found: 6_399, allowed: 6_400))
      ])
  }

  @Test func `if other programs filled the disk, no guest is terminated`() {
    #expect(judge(["a": 50, "b": 50], free: 20_000).isEmpty)
    // The usage is less than a 64th of the reserve.
    #expect(judge(["a": 149, "b": 50], free: 0).isEmpty)
    #expect(judge(["a": 150, "b": 50], free: 0).map(\.guest) == ["a"])
  }

  @Test func `a guest's journal lines count toward the disk reserve, not toward its quota`() {
    let chatty = Tenant(name: "a", scopes: ["Containers/a"], recorded: 9_000)
    #expect(judge(["a": 100, "b": 100], free: 20_000, [chatty, Self.b]).isEmpty)
    var flooding = chatty
    flooding.recorded += 99
    #expect(judge(["a": 100, "b": 100], free: 6_399, [chatty, Self.b]).isEmpty)
    #expect(judge(["a": 100, "b": 100], free: 6_399, [flooding, Self.b]).isEmpty)
    flooding.recorded += 151
    #expect(judge(["a": 100, "b": 300], free: 6_399, [flooding, Self.b]).map(\.guest) == ["a"])
    #expect(judge(["a": 100, "b": 300], free: 6_399, [Self.b]).isEmpty)
    flooding.recorded += 10_000
    #expect(judge(["a": 600, "b": 1_000], [flooding, Self.b]).map(\.guest) == ["b"])
  }

  // MARK: The device's own calls

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the total disk usage is always the sum of the containers' usage`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let names = ["a", "b", "c", "d"]
    for _ in 0..<200 {
      let scope = "Containers/\(names.randomElement(using: &generator)!)"
      let usage = DiskUsage(bytes: Int.random(in: 0...800, using: &generator), files: 1)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: ledger.adopt([scope: usage])
      case 1: try? ledger.admit(usage, to: scope, free: nil)
      case 2: ledger.remove(usage, from: scope)
      default: _ = ledger.judge(.init(usages: [scope: usage]), [Self.a, Self.b])  // open: numbers
      }
      #expect(
        ledger.total == names.reduce(0) { $0 + (ledger.usage(of: "Containers/\($1)")?.bytes ?? 0) })
    }
  }

  @Test func `a write up to the quota is admitted, and a larger write is rejected`() throws {
    #expect(judge(["a": 990]).isEmpty)
    try ledger.admit(DiskUsage(bytes: 10, files: 1), to: "Containers/a", free: nil)
    let error = #expect(throws: DiskExcess.self) {
      try ledger.admit(DiskUsage(bytes: 1, files: 1), to: "Containers/a", free: nil)
    }
    #expect(
      error?.description
        == "the container `Containers/a` uses 1001 bytes of the disk; the maximum is 1000")
    for number in 0..<8 {
      try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: number)
    }
    #expect(throws: DiskExcess(bound: .files(of: "Containers/a"), found: 11, allowed: 10)) {
      try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: nil)
    }
    ledger.remove(DiskUsage(files: 1), from: "Containers/a")
    try ledger.admit(DiskUsage(files: 1), to: "Containers/a", free: nil)
    #expect(throws: DiskExcess(bound: .total, found: 1_501, allowed: 1_500)) {
      try ledger.admit(DiskUsage(bytes: 501), to: "Containers/b", free: nil)
    }
    #expect(throws: DiskExcess(bound: .reserve, found: 6_400, allowed: 6_400)) {
      try ledger.admit(1, free: 6_400)
    }
  }
}

/// Tests the times of disk scans.
@Suite struct ScanScheduleTests {
  @Test func `disk usage is scanned more often for fuller containers`() {
    let intervals = [0, 0.2, 0.4, 0.6, 0.8, 1, 7].map(ScanSchedule.interval(share:))
    #expect(intervals == [1_000, 500, 250, 125, 62, 62, 62])
  }

  @Test func `a container that was never scanned for disk usage is due first`() {
    var schedule = ScanSchedule()
    #expect(schedule.due(["b", "a"], at: 0) == ["a", "b"])
    schedule.didScan(at: "a", DiskUsage(), share: 0, at: 0)
    #expect(schedule.due(["b", "a"], at: 0) == ["b"])
    #expect(schedule.due(["b", "a"], at: 1_000) == ["b", "a"])
  }

  @Test
  func `unchanged containers are scanned less often, and changed containers are scanned soon`() {
    var schedule = ScanSchedule()
    var now: UInt64 = 0
    var intervals: [UInt64] = []
    for _ in 0..<6 {
      schedule.didScan(at: "a", DiskUsage(bytes: 5, files: 1), share: 0.9, at: now)
      let begin = now
      while schedule.due(["a"], at: now).isEmpty { now += 1 }
      intervals.append(now - begin)
    }
    #expect(intervals == [62, 124, 248, 496, 992, 1_984])
    schedule.didScan(at: "a", DiskUsage(bytes: 6, files: 1), share: 0.9, at: now)
    #expect(schedule.due(["a"], at: now + 62) == ["a"])
  }

  @Test func `a scanned container can be made due for an early scan`() {
    var schedule = ScanSchedule()
    schedule.didScan(at: "a", DiskUsage(), share: 0, at: 0)
    schedule.hasten(to: 10)
    #expect(schedule.due(["a"], at: 10) == ["a"])
  }
}

/// A separate file system of a few pages, which can be full or read-only.
struct SmallDisk {
  let path: String

  /// Whether this process may mount file systems.
  static let isAvailable: Bool = {
    let path = NSTemporaryDirectory() + "sluice-disk-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard let disk = try? SmallDisk(at: path) else { return false }
    disk.unmount()
    return true
  }()

  struct Refused: Error {
    var code: Int32
  }

  /// Mounts a file system.
  ///
  /// - Parameter path: The mount point, created if it is missing.
  /// - Throws: ``Refused`` if the kernel refuses the mount.
  init(at path: String, kibibytes: Int = 64) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kibibytes)k,mode=0777") == 0 else {
      throw Refused(code: errno)
    }
  }

  /// The file that fills the remaining space.
  private var filler: String { "\(path)/filler" }

  /// Fills the remaining space.
  func fill() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Refused(code: errno) }
    let bytes = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, bytes, bytes.count) > 0 {}
    close(descriptor)
  }

  /// Frees the space that ``fill()`` used.
  ///
  /// The file is truncated, not removed, because a process of another test may have it open.
  func makeRoom() throws {
    guard truncate(filler, 0) == 0 else { throw Refused(code: errno) }
  }

  func makeReadOnly() throws {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    else { throw Refused(code: errno) }
  }

  func unmount() { umount2(path, CInt(MNT_DETACH)) }
}
