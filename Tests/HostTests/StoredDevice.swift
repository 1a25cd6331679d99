import Cryptography
import Foundation
import Model
import Policy
import TestSupport
import Wire

@testable import FileProtection
@testable import Host

/// The folder of a device that has something of everything, and is down. No process was ever started.
struct StoredDevice {
  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")
  static let ben = Account(upn: "ben@example.org")
  /// What must not be found in the folder of a device that was erased.
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
    if let note = FilePlace(scope: "Containers/mail", path: "note.txt") {
      try database.setOwner(Self.ben, of: note)
    }
    _ = try database.add(
      Array("canary-in-the-keychain".utf8),
      for: KeychainKey(group: "", service: "door", account: "anna"), in: "CONTOSO123.mail",
      owner: Self.anna)
    try database.saveAccess(
      AccessState(current: .init(PIN("4711"), setAt: 0), failedAttempts: 2), team: "CONTOSO123")
    if let from = FilePlace(scope: "Containers/mail", path: "a"),
      let to = FilePlace(scope: "Groups/group.contoso", path: "b")
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

  /// Every file and folder with its time of change and size.
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

  /// Files of the folder that hold one of the canaries.
  var findings: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        return Self.canaries.contains { data.range(of: Data($0.utf8)) != nil }
      }
    }
  }
}
