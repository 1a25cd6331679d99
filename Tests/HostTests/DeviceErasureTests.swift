import Foundation
import Model
import TestSupport
import Testing

@testable import Host

/// "Erase All Content and Settings".
@Suite struct DeviceErasureTests {
  private let device: StoredDevice

  init() throws { device = try StoredDevice() }

  private var folder: DeviceFolder {
    get throws { try DeviceFolder(device.folder) }
  }

  @Test func `an empty device of the same name is left`() throws {
    #expect(try device.findings.count >= 2)
    try folder.erase(journal: .erased)
    #expect(try FileManager.default.contentsOfDirectory(atPath: device.folder) == ["device.sqlite"])
    #expect(try device.findings == [])
    let inventory = try folder.inventory()
    #expect(inventory.name == "phone")
    #expect(inventory.state == .down)
    #expect(inventory.clock == nil)
    #expect(inventory.apps.isEmpty && inventory.accounts.isEmpty && inventory.folders.isEmpty)
    #expect(inventory.keychain.isEmpty && inventory.pins.isEmpty && inventory.pendingMoves.isEmpty)
  }

  @Test func `a journal that is to be kept is`() throws {
    try folder.erase(journal: .kept)
    #expect(try device.workspace.read("device/journal.jsonl") == "{}\n{}\nhalf")
  }

  @Test func `a device that is in use is not erased`() throws {
    let lock = try DeviceLock(folder: device.folder)
    let before = try device.state
    let error = #expect(throws: HostError.self) { try folder.erase(journal: .erased) }
    #expect(error?.code == .inUse)
    #expect(try device.state == before)
    lock.release()
  }

  @Test func `half erased, it has no key left, does not come up, and can be erased`() throws {
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.destroySecrets()
    let error = #expect(throws: HostError.self) { try database.claim(for: "phone") }
    #expect(error?.description.contains("sluice device reset") == true)
    try database.close()
    let inventory = try folder.inventory()
    #expect(inventory.state == .halfErased)
    #expect(inventory.accounts.allSatisfy { !$0.hasKey })
    #expect(inventory.keychain.isEmpty && inventory.pins.isEmpty)
    #expect(try device.findings == ["Containers/mail/note.txt"])
    try folder.erase(journal: .erased)
    #expect(try folder.inventory().state == .down)
  }

  // MARK: what guests leave

  @Test func `folders are removed however deep they are`() throws {
    let top = "\(device.folder)/Containers/mail"
    let moving = "\(device.folder)/Containers/moving"
    // Of what is that deep no path can be written: what is there is put below a new folder.
    for _ in 0..<40 {
      #expect(rename(top, moving) == 0)
      #expect(mkdir(top, 0o700) == 0)
      #expect(rename(moving, "\(top)/\(String(repeating: "d", count: 200))") == 0)
    }
    try FolderRemoval("\(device.folder)/Containers").run()
    #expect(!FileManager.default.fileExists(atPath: "\(device.folder)/Containers"))
  }

  @Test func `names that the removal uses itself are no trouble`() throws {
    for name in ["moved-1/x", "moved-2/y/z", "a/moved-1/moved-2/f", "moved-3"] {
      try device.workspace.write("x", to: "device/Containers/\(name)")
    }
    try FolderRemoval("\(device.folder)/Containers").run()
    #expect(!FileManager.default.fileExists(atPath: "\(device.folder)/Containers"))
  }

  @Test func `closed folders are removed, links are not followed, pipes are not waited for`() throws
  {
    let container = "\(device.folder)/Containers/mail"
    try device.workspace.write("outside", to: "outside/kept.txt")
    try FileManager.default.createSymbolicLink(
      atPath: "\(container)/link", withDestinationPath: device.workspace.path("outside"))
    mkfifo("\(container)/pipe", 0o600)
    try device.workspace.write("x", to: "device/Containers/mail/closed/inner/file")
    chmod("\(container)/closed/inner", 0)
    chmod("\(container)/closed", 0)
    chmod(container, 0)
    try FolderRemoval("\(device.folder)/Containers").run()
    #expect(!FileManager.default.fileExists(atPath: "\(device.folder)/Containers"))
    #expect(try device.workspace.read("outside/kept.txt") == "outside")
  }
}
