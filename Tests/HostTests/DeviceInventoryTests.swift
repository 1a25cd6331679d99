import Foundation
import JSON
import Model
import TestSupport
import Testing

@testable import Host

/// What can be told of a device without bringing it up.
@Suite struct DeviceInventoryTests {
  private let device: StoredDevice

  init() throws { device = try StoredDevice() }

  private var inventory: DeviceInventory {
    get throws { try DeviceFolder(device.folder).inventory() }
  }

  @Test func `everything is told, in columns`() throws {
    var inventory = try inventory
    // How many pages SQLite takes is its own affair.
    inventory.databaseSize = 4096
    #expect(
      inventory.text == """
        phone
          state     down
          clock     2026-01-01T00:00:00Z
          journal   2 events, 10 bytes
          database  4096 bytes
          files     3 files, 4119 bytes

        Apps
          mail  com.contoso.mail  CONTOSO123
            anna@contoso.com  enrolled      Base, assigned
            ben@example.org   not enrolled  no policy
          viewer  org.example.viewer  EXAMPLE456

        Accounts
          anna@contoso.com  0f8fad5b-d9cb-469f-a165-70867728950e  has a key
          ben@example.org   no object id                          has no key

        Files
          Containers/mail
            note.txt  16 bytes  ben@example.org  plain
          Groups/group.contoso
            plan.txt  4096 bytes  anna@contoso.com  encrypted
          System
            print/1  7 bytes  nobody's  plain

        Keychain
          CONTOSO123.mail
            door  anna  22 bytes  anna@contoso.com

        PINs
          CONTOSO123  set  2 failed attempts

        Pending moves
          Containers/mail/a -> Groups/group.contoso/b

        """)
  }

  @Test func `no secret is told`() throws {
    for text in try [inventory.text, inventory.json()] {
      for secret in StoredDevice.canaries + ["4711"] { #expect(!text.contains(secret)) }
    }
  }

  @Test func `the JSON is as its schema says`() throws {
    let schema = try JSONReader.read(
      String(contentsOfFile: Repository.path("docs/schema/device.schema.json"), encoding: .utf8))
    let json = try JSONReader.read(try inventory.json())
    #expect(json["schema"]?.string == schema["properties"]?["schema"]?["const"]?.string)
    #expect(json["apps"]?.array?.first?["signedIn"]?.array?.count == 2)
    #expect(json["pins"]?.array?.first?["failedAttempts"]?.int == 2)
    check(json, schema, in: schema, "the device")
  }

  /// Holds members against `properties` and `required`; what a schema leaves out is not compared.
  private func check(_ json: JSONValue, _ schema: JSONValue, in root: JSONValue, _ place: String) {
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      guard let definition = root["$defs"]?[String(name)] else {
        Issue.record("no definition `\(reference)`")
        return
      }
      return check(json, definition, in: root, place)
    }
    for element in json.array ?? [] {
      check(element, schema["items"] ?? json, in: root, place)
    }
    guard let members = json.members else { return }
    for name in schema["required"]?.array ?? [] {
      #expect(members.contains { $0.name == name.string }, "\(place) lacks \(name)")
    }
    for member in members {
      guard let known = schema["properties"]?[member.name] else {
        Issue.record("\(place) has `\(member.name)`, which the schema does not know")
        continue
      }
      check(member.value, known, in: root, member.name)
    }
  }

  // MARK: looking only

  @Test func `nothing changes in the folder of a device that is down`() throws {
    let before = try device.state
    _ = try inventory
    #expect(try device.state == before)
  }

  @Test func `a device that is up is told as it is, and not disturbed`() throws {
    let lock = try DeviceLock(folder: device.folder)
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.add(StoredDevice.ben, to: "viewer")
    let before = try device.state.keys.sorted()
    let inventory = try inventory
    #expect(inventory.state == .inUse)
    #expect(inventory.apps.last?.signIns.map(\.account.upn) == ["ben@example.org"])
    #expect(try device.state.keys.sorted() == before)
    #expect(try database.vacuum() == .done)
    try database.close()
    lock.release()
  }

  @Test func `what a killed device had not put in order is told`() throws {
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.add(StoredDevice.ben, to: "viewer")
    let copy = try StoredDevice.copy(of: device.folder)
    try database.close()
    let inventory = try DeviceFolder(copy.path).inventory()
    #expect(inventory.state == .down)
    #expect(inventory.apps.last?.signIns.map(\.account.upn) == ["ben@example.org"])
  }

  @Test func `names that would move a terminal's cursor do not`() throws {
    try device.workspace.write("x", to: "device/Containers/mail/\u{1B}[2J\u{202E}\u{9B}.txt")
    let text = try inventory.text
    #expect(
      !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    #expect(text.contains("\\x1b[2J\\xe2\\x80\\xae\\xc2\\x9b.txt"))
  }

  @Test func `damaged and vanished files do not keep the rest from being told`() throws {
    let path = "\(device.folder)/Groups/group.contoso/plan.txt"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.removeLast(bytes.count - 20)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.createSymbolicLink(
      atPath: "\(device.folder)/Containers/mail/link", withDestinationPath: "/etc/passwd")
    let folders = try inventory.folders
    #expect(folders.flatMap(\.files).map(\.content) == [.plain, .unreadable, .plain])
  }

  @Test func `a folder that cannot be opened is told with the reason`() throws {
    let link = "\(device.folder)/Containers/notes"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc")
    let folder = try #require(try inventory.folders.first { $0.path == "Containers/notes" })
    #expect(folder.files.isEmpty)
    #expect(folder.problems == ["cannot open `\(link)`: Not a directory"])
  }

  /// Where the host is root, no permission keeps it out.
  @Test(.enabled(if: getuid() != 0, "root may look into every folder"))
  func `a folder of containers that nobody may look into is told with the reason`() throws {
    let containers = "\(device.folder)/Containers"
    #expect(chmod(containers, 0) == 0)
    defer { chmod(containers, 0o700) }
    let folder = try #require(try inventory.folders.first { $0.path == "Containers" })
    #expect(folder.problems == ["cannot look into `\(containers)`: Permission denied"])
  }

  // MARK: what is no device

  @Test(arguments: ["missing", "device/Containers", "device/journal.jsonl"])
  func `what is no device's folder is an error`(name: String) throws {
    let error = #expect(throws: HostError.self) {
      _ = try DeviceFolder(device.workspace.path(name))
    }
    #expect(error?.code == .noDevice)
  }

  @Test func `a device of a newer Sluice is an error, and stays as it is`() throws {
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.access { try $0.run("INSERT INTO grdb_migrations VALUES ('of tomorrow')") }
    try database.close()
    let before = try device.state
    for act in [
      { _ = try DeviceFolder($0).inventory() }, { try DeviceFolder($0).erase(journal: .kept) },
    ]
      as [(String) throws -> Void]
    {
      let error = #expect(throws: HostError.self) { try act(device.folder) }
      #expect(error?.description.contains("newer Sluice") == true)
    }
    #expect(try device.state["Containers/mail/note.txt"] == before["Containers/mail/note.txt"])
  }

  @Test func `another program's database is an error`() throws {
    try device.workspace.write(
      "this is no database, and long enough to be none", to: "device/device.sqlite")
    let error = #expect(throws: HostError.self) { _ = try inventory }
    #expect(error?.description.contains("is not a database") == true)
  }
}

extension StoredDevice {
  /// What a folder holds at this moment, as it is after its device was killed.
  static func copy(of folder: String) throws -> Workspace {
    let workspace = try Workspace()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(name)", toPath: workspace.path(name))
    }
    return workspace
  }
}
