import EventLoop
import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// The watch over the disk, with guests in memory and real files.
extension OwnerTests {
  private static func bounding(_ configuration: inout DeviceConfiguration) {
    configuration.limits.disk.containerBytes = 1 << 20
    configuration.limits.disk.containerFiles = 100
  }

  private static func write(_ bytes: Int, to name: String, of guest: MemoryGuest) throws {
    try Data(repeating: 1, count: bytes).write(
      to: URL(fileURLWithPath: "\(guest.guest.container)/\(name)"))
  }

  /// Lets time pass until the watch knows the guest's container so.
  private static func wait(
    _ lab: QuietLab, until guest: MemoryGuest, _ condition: (DiskUsage) -> Bool
  ) {
    lab.wait("the watch has looked") {
      lab.device.loop.advance(by: DiskWatch.tick)
      return lab.owners.disk.usage(of: "Containers/\(guest.guest.name)").map(condition) ?? false
    }
  }

  /// Has the guest make a file itself, and say whose it is.
  private static func begin(_ name: String, of guest: MemoryGuest) throws -> RequestOutcome? {
    try write(1, to: name, of: guest)
    let file = OpenFile(FileReference(name), mode: .truncate, owner: "x@nobody.example")
    return guest.outcome(of: guest.say(.openFile(file)))
  }

  private static func remove(_ name: String, of guest: MemoryGuest) throws {
    try FileManager.default.removeItem(atPath: "\(guest.guest.container)/\(name)")
  }

  @Test func `owners of files that a guest removes by itself are forgotten`() throws {
    let lab = try QuietLab(Self.bounding)
    let (mail, database) = (try lab.app("mail"), lab.device.storage.database)
    for number in 0..<1_000 {
      #expect(try Self.begin("f\(number)", of: mail)?.end == .delivered)
      try Self.remove("f\(number)", of: mail)
      #expect(try database.ownerCount(in: "Containers/mail") <= 100)
    }
    let rows = try database.ownedPlaces(in: "Containers/mail", after: [], limit: 1_000)
    #expect(try rows.count == database.ownerCount(in: "Containers/mail"))
  }

  @Test func `a container has as many owned files as it may have files, and room once one is gone`()
    throws
  {
    let lab = try QuietLab(Self.bounding)
    let mail = try lab.app("mail")
    for number in 0..<100 {
      #expect(try Self.begin("f\(number)", of: mail)?.end == .delivered)
    }
    let refused = try #require(try Self.begin("more", of: mail))
    #expect(refused.end == .failed && refused.status == FileFault.internalError)
    #expect(try Self.begin("f7", of: mail)?.end == .delivered, "its owner is kept already")
    let notes = try lab.app("notes")
    #expect(try Self.begin("more", of: notes)?.end == .delivered, "another container has room")
    try Self.remove("f99", of: mail)
    // Each try looks at some of the rows.
    let isAllowed = try (0..<3).contains { _ in try Self.begin("more", of: mail)?.end == .delivered
    }
    #expect(isAllowed)
  }

  @Test func `a guest over its quota is ended alone, says the journal, and its container stays`()
    throws
  {
    let lab = try QuietLab(Self.bounding)
    let (mail, notes) = (try lab.app("mail"), try lab.app("notes"))
    Self.wait(lab, until: mail) { $0.bytes == 0 }
    try Self.write(1 << 19, to: "allowed", of: notes)
    try Self.write(2 << 20, to: "large", of: mail)
    Self.wait(lab, until: mail) { $0.bytes > 1 << 20 }
    lab.wait("its end") { !lab.device.guests.isRunning("mail") }
    guard case .diskQuota(let text) = lab.device.guests.exitCause(of: "mail") else {
      Issue.record("it ended otherwise")
      return
    }
    #expect(text.hasSuffix("bytes of the disk, and 1048576 are allowed"))
    let exits = try Self.events(lab).compactMap { event in
      if case .guestExited(let guest, let cause, _) = event { "\(guest) \(cause)" } else { nil }
    }
    #expect(exits == ["mail diskQuota"])
    #expect(lab.device.guests.isRunning("notes"))
    #expect(FileManager.default.fileExists(atPath: "\(mail.guest.container)/large"))
  }

  @Test func `no look is made while no time passes`() throws {
    let lab = try QuietLab(Self.bounding)
    let mail = try lab.app("mail")
    try Self.write(2 << 20, to: "large", of: mail)
    for _ in 0..<100 { lab.device.loop.poll() }
    #expect(lab.owners.disk.usage(of: "Containers/mail") == nil)
    #expect(lab.device.guests.isRunning("mail"))
  }

  @Test func `a file that the device is to put into a full container is refused, with numbers`()
    throws
  {
    let lab = try QuietLab { $0.limits.disk.containerFiles = 3 }
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    func make(_ name: String) -> RequestOutcome? {
      mail.outcome(
        of: mail.say(.openFile(OpenFile(FileReference(name), mode: .create))))
    }
    for name in ["a", "b", "c"] { #expect(make(name)?.end == .delivered) }
    let refused = make("d")
    #expect(refused?.end == .failed)
    #expect(refused?.status == FileFault.internalError)
    let details = try Self.events(lab).compactMap { event in
      if case .ended(_, _, _, let detail) = event { detail } else { nil }
    }
    #expect(
      details == [
        "cannot create `Containers/mail/d`: the container `Containers/mail` holds 4 files and "
          + "folders, and 3 are allowed"
      ])
    // A file that is there is opened, and one that is removed makes room.
    #expect(make("a")?.end == .delivered)
    mail.say(.removeFile(FileReference("b")))
    #expect(make("d")?.end == .delivered)
  }
}
