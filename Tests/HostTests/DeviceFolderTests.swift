import Cryptography
import Encodings
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import FileProtection
@testable import Host

/// Tests the inventory of a stopped device.
@Suite struct DeviceInventoryTests {
  private let device: StoredDevice

  init() throws { device = try StoredDevice() }

  private var inventory: DeviceInventory {
    get throws { try DeviceFolder(device.folder).inventory() }
  }

  @Test func `device show prints every part of a device in columns`() throws {
    var inventory = try inventory
    // The number of pages depends on SQLite.
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
            print/1  7 bytes  no owner  plain

        Keychain
          CONTOSO123.mail
            door  anna  22 bytes  anna@contoso.com

        PINs
          CONTOSO123  anna@contoso.com  set  2 failed attempts

        Pending moves
          Containers/mail/a -> Groups/group.contoso/b

        """)
  }

  @Test func `device show prints no secret`() throws {
    for text in try [inventory.text, inventory.json()] {
      for secret in StoredDevice.canaries + ["4711"] { #expect(!text.contains(secret)) }
    }
  }

  @Test func `the JSON of device show conforms to its schema`() throws {
    let schema = try JSONReader.read(
      String(contentsOfFile: Repository.path("docs/schema/device.schema.json"), encoding: .utf8))
    let json = try JSONReader.read(try inventory.json())
    #expect(json["schema"]?.string == schema["properties"]?["schema"]?["const"]?.string)
    #expect(json["apps"]?.array?.first?["signedIn"]?.array?.count == 2)
    #expect(json["pins"]?.array?.first?["failedAttempts"]?.int == 2)
    check(json, schema, in: schema, "the device")
  }

  /// Compares members with `properties` and `required`. Parts that a schema omits are not compared.
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

  // MARK: Inspection

  @Test func `sluice device show changes nothing in the folder of a stopped device`() throws {
    let before = try device.state
    _ = try inventory
    #expect(try device.state == before)
  }

  @Test func `showing a running device does not change its files`() throws {
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

  @Test func `device show includes rows that a killed device left in the write-ahead log`() throws {
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.add(StoredDevice.ben, to: "viewer")
    let copies = try Workspace()
    try FileManager.default.copyItem(atPath: device.folder, toPath: copies.path("device"))
    try database.close()
    let inventory = try DeviceFolder(copies.path("device")).inventory()
    #expect(inventory.state == .down)
    #expect(inventory.apps.last?.signIns.map(\.account.upn) == ["ben@example.org"])
  }

  @Test func `control characters in printed names are escaped`() throws {
    try device.workspace.write("x", to: "device/Containers/mail/\u{1B}[2J\u{202E}\u{9B}.txt")
    let text = try inventory.text
    #expect(
      !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    #expect(text.contains("\\x1b[2J\\xe2\\x80\\xae\\xc2\\x9b.txt"))
  }

  @Test func `device show marks a truncated file as unreadable and omits a symbolic link`() throws {
    let path = "\(device.folder)/Groups/group.contoso/plan.txt"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.removeLast(bytes.count - 20)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.createSymbolicLink(
      atPath: "\(device.folder)/Containers/mail/link", withDestinationPath: "/etc/passwd")
    let folders = try inventory.folders
    #expect(folders.flatMap(\.files).map(\.content) == [.plain, .unreadable, .plain])
  }

  @Test func `sluice device show reports a link in place of a container folder`() throws {
    let link = "\(device.folder)/Containers/notes"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc")
    let folder = try #require(try inventory.folders.first { $0.path == "Containers/notes" })
    #expect(folder.files.isEmpty)
    #expect(folder.problems == ["cannot open `\(link)`: Not a directory"])
  }

  /// Permissions do not restrict root.
  @Test(.enabled(if: getuid() != 0, "root may look into every folder"))
  func `sluice device show reports an unreadable container folder with the reason`() throws {
    let containers = "\(device.folder)/Containers"
    #expect(chmod(containers, 0) == 0)
    defer { chmod(containers, 0o700) }
    let folder = try #require(try inventory.folders.first { $0.path == "Containers" })
    #expect(folder.problems == ["cannot look into `\(containers)`: Permission denied"])
  }

  // MARK: Folders without a device

  @Test(arguments: ["missing", "device/Containers", "device/journal.jsonl"])
  func `a folder without a device is an error`(name: String) throws {
    let error = #expect(throws: HostError.self) {
      _ = try DeviceFolder(device.workspace.path(name))
    }
    #expect(error?.code == .noDevice)
  }

  @Test func `a device of a newer version causes an error and stays unchanged`() throws {
    let database = try DeviceDatabase(path: device.database, isSynchronized: false)
    try database.access { try $0.run("INSERT INTO grdb_migrations VALUES ('of tomorrow')") }
    try database.close()
    let before = try device.state
    let read = #expect(throws: HostError.self) { _ = try inventory }
    let erased = #expect(throws: HostError.self) {
      try DeviceFolder(device.folder).erase(journal: .kept)
    }
    for error in [read, erased] {
      #expect(error?.description.contains("newer version of Sluice") == true)
    }
    #expect(try device.state["Containers/mail/note.txt"] == before["Containers/mail/note.txt"])
  }

  @Test func `a device.sqlite that is not a database is an error`() throws {
    try device.workspace.write(
      "this is not a database, although it is long enough", to: "device/device.sqlite")
    let error = #expect(throws: HostError.self) { _ = try inventory }
    #expect(error?.description.contains("is not a database") == true)
  }
}

/// Tests "Erase All Content and Settings".
@Suite struct DeviceErasureTests {
  private let device: StoredDevice

  init() throws { device = try StoredDevice() }

  private var folder: DeviceFolder {
    get throws { try DeviceFolder(device.folder) }
  }

  @Test func `erasing a device leaves an empty device of the same name`() throws {
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

  @Test func `erasing can preserve the journal`() throws {
    try folder.erase(journal: .kept)
    #expect(try device.workspace.read("device/journal.jsonl") == "{}\n{}\nhalf")
  }

  @Test func `a device in use is not erased`() throws {
    let lock = try DeviceLock(folder: device.folder)
    let before = try device.state
    let error = #expect(throws: HostError.self) { try folder.erase(journal: .erased) }
    #expect(error?.code == .inUse)
    #expect(try device.state == before)
    lock.release()
  }

  @Test func `a half-erased device has no keys, does not start, and can be erased`() throws {
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

  // MARK: Files left by guests

  private var containers: String { "\(device.folder)/Containers" }

  private func expectRemoval() throws {
    try FolderRemoval(containers).run()
    #expect(!FileManager.default.fileExists(atPath: containers))
  }

  @Test func `erasing removes folders at any depth`() throws {
    let (top, moving) = ("\(containers)/mail", "\(containers)/moving")
    // A path of that depth cannot be written, so existing folders are moved below a new one.
    for _ in 0..<40 {
      #expect(rename(top, moving) == 0)
      #expect(mkdir(top, 0o700) == 0)
      #expect(rename(moving, "\(top)/\(String(repeating: "d", count: 200))") == 0)
    }
    try expectRemoval()
  }

  @Test func `erasing a device removes even files with the removal's temporary names`() throws {
    for name in ["moved-1/x", "moved-2/y/z", "a/moved-1/moved-2/f", "moved-3"] {
      try device.workspace.write("x", to: "device/Containers/\(name)")
    }
    try expectRemoval()
  }

  @Test func `erasing removes unreadable folders and pipes, and does not follow links`() throws {
    let container = "\(containers)/mail"
    try device.workspace.write("outside", to: "outside/kept.txt")
    try FileManager.default.createSymbolicLink(
      atPath: "\(container)/link", withDestinationPath: device.workspace.path("outside"))
    mkfifo("\(container)/pipe", 0o600)
    try device.workspace.write("x", to: "device/Containers/mail/closed/inner/file")
    for folder in ["\(container)/closed/inner", "\(container)/closed", container] {
      chmod(folder, 0)
    }
    try expectRemoval()
    #expect(try device.workspace.read("outside/kept.txt") == "outside")
  }

  /// Folders at a depth of more than 8 are moved before they are emptied.
  @Test func `erasing removes deeply nested folders without permissions`() throws {
    let folders = (1...20).map { number in (1...number).map { "d\($0)" }.joined(separator: "/") }
    try device.workspace.write("x", to: "device/Containers/mail/\(folders[19])/file")
    for folder in folders.reversed() { #expect(chmod("\(containers)/mail/\(folder)", 0) == 0) }
    try expectRemoval()
  }
}

/// A folder can be used by only one device at a time.
@Suite struct DeviceLockTests {
  private let workspace: Workspace
  private var folder: String { workspace.path }

  init() throws { workspace = try Workspace() }

  @Test func `locking a device that is already locked fails with the error inUse`() throws {
    let lock = try DeviceLock(folder: folder)
    let error = #expect(throws: HostError.self) { _ = try DeviceLock(folder: folder) {} }
    #expect(error?.code == .inUse)
    #expect(error?.description == "the device in `\(folder)` is in use")
    #expect(try DeviceLock.shared(folder: folder) == nil)
    lock.release()
  }

  /// If a descriptor were closed twice, it could belong to another owner the second time.
  @Test func `a process that cannot lock the device closes its descriptor only once`() throws {
    let lock = try DeviceLock(folder: folder)
    var code: Int32 = 0
    do {
      errno = 0
      _ = try DeviceLock(folder: folder) {}
    } catch {
      code = errno
    }
    #expect(code != 0 && code != EBADF)
    lock.release()
  }

  @Test func `a device lock becomes free when it is released or deallocated`() throws {
    let first = try DeviceLock(folder: folder)
    first.release()
    first.release()
    do { _ = try DeviceLock(folder: folder) }
    let third = try DeviceLock(folder: folder)
    third.release()
  }

  @Test func `an exclusive device lock waits for shared locks to be released`() throws {
    let look = open(folder, O_RDONLY)
    #expect(flock(look, LOCK_SH) == 0)
    let other = try #require(try DeviceLock.shared(folder: folder))
    other.release()
    var attempts = 0
    let lock = try DeviceLock(folder: folder) {
      attempts += 1
      if attempts == 3 { close(look) }
    }
    #expect(attempts == 3)
    lock.release()
  }

  @Test func `the device lock leaves no file in the folder`() throws {
    let lock = try DeviceLock(folder: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    lock.release()
  }

  @Test func `locking a device whose folder is missing is a folder error`() {
    let error = #expect(throws: HostError.self) {
      _ = try DeviceLock(folder: "\(folder)/missing")
    }
    #expect(error?.code == .folder)
  }
}

extension RealProcesses {
  @Suite struct DeviceInUseTests {
    @Test func `a second device cannot start in the folder of a running one`() throws {
      let lab = try Lab()
      let configuration = lab.device.configuration
      let error = #expect(throws: HostError.self) { _ = try Device(configuration) }
      #expect(error?.code == .inUse)
      try lab.closeInService()
    }

    @Test func `a stopped device can restart, but not under another name`() throws {
      let workspace = try Workspace()
      var configuration = Lab.configuration("mine", in: workspace.path("device"))
      try Device(configuration).close()
      try Device(configuration).close()
      configuration.name = "yours"
      let error = #expect(throws: HostError.self) { _ = try Device(configuration) }
      #expect(error?.description.contains("`mine`, not to `yours`") == true)
    }
  }
}

/// The folder of a stopped device with content of every kind. No process was ever started.
struct StoredDevice {
  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")
  static let ben = Account(upn: "ben@example.org")
  /// Texts that must not remain in the folder of an erased device.
  static let canaries = ["canary-of-a-file", "canary-in-the-keychain"]

  let workspace: Workspace
  var folder: String { workspace.path("device") }
  var database: String { "\(folder)/device.sqlite" }

  init() throws {
    workspace = try Workspace()
    try workspace.write("{}\n{}\nhalf", to: "device/journal.jsonl")
    try workspace.write("canary-of-a-file", to: "device/Containers/mail/note.txt")
    try workspace.write("printed", to: "device/System/print/1")
    let database = try DeviceDatabase(path: database, isSynchronized: false)
    try database.claim(for: "phone")
    try fillIn(database)
    try database.close()
  }

  private func fillIn(_ database: DeviceDatabase) throws {
    try database.setClock(1_767_225_600)
    try database.remember([
      InstalledApp(name: "mail", bundleID: "com.contoso.mail", team: "CONTOSO123"),
      InstalledApp(name: "viewer", bundleID: "org.example.viewer", team: "EXAMPLE456"),
    ])
    try database.add(Self.anna, to: "mail")
    try database.setEnrollment(of: Self.anna, in: "mail", policies: ["Base, assigned"])
    try database.add(Self.ben, to: "mail")
    let wrap = AES256GCM(key: try database.secret("wrap") { randomBytes(32) })
    let key = try database.accountKey(of: Self.anna, wrap: wrap) { randomBytes(32) }
    try protect("plan.txt", AES256GCM(key: key))
    if let note = FileLocation(scope: "Containers/mail", path: "note.txt") {
      try database.setOwner(Self.ben, of: note)
    }
    _ = try database.add(
      Array("canary-in-the-keychain".utf8),
      for: KeychainKey(group: "", service: "door", account: "anna"), in: "CONTOSO123.mail",
      owner: Self.anna)
    try database.saveAccess(
      PublisherAccess.Entry(
        account: Self.anna, generation: .current,
        state: AccessState(current: .init(PIN("4711"), setAt: 0), failedAttempts: 2)),
      number: 0, team: "CONTOSO123")
    if let from = FileLocation(scope: "Containers/mail", path: "a"),
      let to = FileLocation(scope: "Groups/group.contoso", path: "b")
    {
      try database.beginMove(from: from, to: to)
    }
  }

  private func protect(_ file: String, _ accountKey: AES256GCM) throws {
    let page = ProtectionHeader.firstPage(
      owner: Self.anna, key: .random(), accountKey: accountKey)
    let url = URL(fileURLWithPath: "\(folder)/Groups/group.contoso/\(file)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(page).write(to: url)
  }

  /// The modification time and size of every file and folder.
  var state: [String: String] {
    get throws {
      var state: [String: String] = [:]
      for name in [".."] + (try FileManager.default.subpathsOfDirectory(atPath: folder)) {
        let path = name == ".." ? folder : "\(folder)/\(name)"
        let found = try FileManager.default.attributesOfItem(atPath: path)
        state[name] = "\(found[.modificationDate] ?? "") \(found[.size] ?? "")"
      }
      return state
    }
  }

  /// The files of the folder that contain one of the canaries.
  var findings: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        return Self.canaries.contains { data.range(of: Data($0.utf8)) != nil }
      }
    }
  }
}
