import Enrollment
import Foundation
import GRDB
import Model
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// A device with a damaged folder starts, or fails with one error that states the reason. A trap
  /// is never possible.
  @Suite(.timeLimit(.minutes(15))) struct DamagedDeviceTests {
    private static func seeds(_ part: UInt64) -> Range<UInt64> {
      let count = 25 * UInt64(thoroughness)
      return part * count..<(part + 1) * count
    }

    @Test(arguments: (0..<4).map { seeds($0) })
    func `random damage to a device's files causes no crash`(seeds: Range<UInt64>) async {
      await #expect(processExitsWith: .success) { [seeds = seeds as Range<UInt64>] in
        for seed in seeds { try DamagedDeviceTests.live(seed: seed) }
      }
    }

    @Test(arguments: ["9223372036854775807", "-1", "9007199254740993"])
    func `an out-of-range event number in a device's journal is reported as damage`(number: String)
      throws
    {
      let stored = try Self.device()
      let path = "\(stored.folder)/journal.jsonl"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let last = try #require(text.split(separator: "\n").last)
      let damaged = try last.replacing(Regex("\"seq\":[0-9]+"), with: "\"seq\":\(number)")
      try (text + damaged + "\n").write(toFile: path, atomically: false, encoding: .utf8)
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(
        error?.description
          == "the journal `\(path)` is damaged: it contains the invalid event or request number \(number)"
      )
    }

    @Test(arguments: ["device.sqlite", "journal.jsonl", "Containers", "Groups", "System"])
    func `a device rejects a FIFO or symbolic link in place of its own files`(
      name: String
    ) throws {
      let stored = try Self.device()
      let path = "\(stored.folder)/\(name)"
      let isFile = name.contains(".")
      let elsewhere = try Workspace()
      try? FileManager.default.removeItem(atPath: path)
      if isFile {
        #expect(mkfifo(path, 0o600) == 0)
      } else {
        #expect(symlink(elsewhere.path, path) == 0)
      }
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(
        error?.description
          == "the device's folder is damaged: `\(path)` is not a \(isFile ? "file" : "folder")")
      #expect(throws: HostError.self) { try DeviceFolder(stored.folder).inventory() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    }

    @Test(arguments: ["seal", "content", "wrap", "state", "token"])
    func `the error about a secret of the wrong length names the secret`(name: String) throws {
      let stored = try Self.device()
      let database = try DeviceDatabase(path: stored.database, isSynchronized: false)
      try database.access {
        try $0.execute(
          sql: "UPDATE secret SET value = x'0102' WHERE name = ?", arguments: [name])
      }
      try database.close()
      let error = #expect(throws: HostError.self) { try Device(Self.configuration(stored.folder)) }
      #expect(error?.description == "the secret `\(name)` in the device's database is damaged")
    }

    // MARK: Device runs

    private static func configuration(_ folder: String) -> DeviceConfiguration {
      var configuration = Lab.configuration("phone", in: folder)
      configuration.accounts = [StoredDevice.anna, StoredDevice.ben]
      return configuration
    }

    /// Returns a stopped device with its own journal.
    private static func device() throws -> StoredDevice {
      let stored = try StoredDevice()
      try FileManager.default.removeItem(atPath: "\(stored.folder)/journal.jsonl")
      try live(in: stored.folder)
      return stored
    }

    /// Damages a device and uses it for a day.
    private static func live(seed: UInt64) throws {
      let stored = try device()
      let damaged = try DamagedDevice(stored.folder, seed: seed)
      // If the process traps, this is the last output.
      print("seed \(seed): \(damaged.damage)")
      do {
        _ = try DeviceFolder(stored.folder).name()
        try live(in: stored.folder)
        _ = try ResidueCheck(folder: stored.folder, account: StoredDevice.anna).run()
      } catch let error as HostError {
        precondition(!error.description.isEmpty, "an error must have a description")
      }
    }

    private static func live(in folder: String) throws {
      let device = try Device(configuration(folder))
      defer { device.close() }
      do {
        for (name, bundle) in [("mail", "com.contoso.mail"), ("viewer", "org.example.viewer")] {
          try device.install(AppDescription(name: name, bundleID: bundle, integratesSDK: true))
        }
        device.record(.caseBegan(suite: "a", name: "b", criterion: nil))
        device.record(.stepBegan(step: 1, text: "a day passes"))
        device.advanceClock(by: 86_400)
        _ = device.tokens.keys.json
        var isDone = false
        device.guests.launch(["mail", "viewer"]) { isDone = true }
        device.run { isDone || device.error != nil }
        var requests = 2
        for body in [
          GuestMessage.Body.signIn(account: StoredDevice.ben.upn),
          .signOut(account: StoredDevice.anna.upn),
        ] where device.guests.isRunning("mail") {
          device.driver.perform(body, on: "mail") { _ in requests -= 1 }
        }
        device.run {
          (requests == 0 || !device.guests.isRunning("mail")) && !device.wipes.isWiping
            || device.error != nil
        }
        try device.saveInventory()
      } catch {
        stop(device)
        throw error
      }
      stop(device)
      if let error = device.error { throw error }
    }

    private static func stop(_ device: Device) {
      var isStopped = false
      device.guests.stopAll { isStopped = true }
      device.run { isStopped }
    }
  }
}

/// The folder of a device with one damaged file, or one damaged value in the database or the
/// journal.
struct DamagedDevice {
  private let folder: String
  private var generator: SeededGenerator
  /// A description of the damage.
  private(set) var damage = ""

  /// Damages a folder.
  ///
  /// - Parameter folder: The folder of a stopped, undamaged device.
  init(_ folder: String, seed: UInt64) throws {
    self.folder = folder
    generator = SeededGenerator(seed: seed)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: try changeBytes()
    case 1: try truncate()
    case 2: try replaceByFolder()
    case 3: try replaceByFile()
    case 4: try insertBytes()
    case 5, 6: try changeNumberInJournal()
    default:  // open: the last of the numbers
      try changeDatabase()
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func path(isFolder: Bool) throws -> String {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    let name = pick(
      names.filter { name in
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isDirectory)
        return isDirectory.boolValue == isFolder
      })
    damage = name
    return "\(folder)/\(name)"
  }

  private mutating func changeBytes() throws {
    let path = try path(isFolder: false)
    var bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
    for _ in 0..<pick([1, 8, 64]) where !bytes.isEmpty {
      bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private mutating func truncate() throws {
    let path = try path(isFolder: false)
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    try bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))
      .write(to: URL(fileURLWithPath: path))
  }

  private mutating func insertBytes() throws {
    let path = try path(isFolder: false)
    var bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
    let noise = (0..<pick([1, 100, 5_000])).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    bytes.insert(contentsOf: noise, at: Int.random(in: 0...bytes.count, using: &generator))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private mutating func replaceByFolder() throws {
    let path = try path(isFolder: false)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  private mutating func replaceByFile() throws {
    let path = try path(isFolder: true)
    try FileManager.default.removeItem(atPath: path)
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
  }

  private mutating func changeNumberInJournal() throws {
    let path = "\(folder)/journal.jsonl"
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let line = pick([lines.count - 1, Int.random(in: lines.indices, using: &generator)])
    let key = pick(["seq", "request", "time"])
    let value = pick([
      "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-1", "0", "1e99",
      "\"x\"", "null",
    ])
    damage = "\(key) of line \(line) is \(value)"
    lines[line] = try lines[line].replacing(Regex("\"\(key)\":[^,}]*"), with: "\"\(key)\":\(value)")
    try (lines.joined(separator: "\n") + pick(["\n", ""])).write(
      toFile: path, atomically: false, encoding: .utf8)
  }

  /// Makes a random change that the schema allows.
  private mutating func changeDatabase() throws {
    let queue = try DatabaseQueue(path: "\(folder)/device.sqlite")
    defer { try? queue.close() }
    let tables = try queue.read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
          """)
    }
    let table = pick(tables)
    let columns = try queue.read { try $0.columns(in: table) }
    let column = pick(columns)
    let value: any DatabaseValueConvertible =
      switch column.type.uppercased() {
      case "INTEGER": pick([0, -1, Int.max, Int.min])
      case "BLOB": Data(repeating: 0, count: pick([0, 1, 31, 33, 48, 200]))
      default:  // open: any other type of a column
        pick(["", "x", "9223372036854775807", "{}", "[]", String(repeating: "é", count: 999)])
      }
    let isDropped = Int.random(in: 0..<8, using: &generator) == 0
    damage = isDropped ? "no table \(table)" : "\(table).\(column.name) is \(value)"
    // A change that the schema forbids is not made.
    try? queue.write { database in
      if isDropped {
        try database.execute(sql: "DROP TABLE \(table)")
      } else {
        try database.execute(sql: "UPDATE \(table) SET \(column.name) = ?", arguments: [value])
      }
    }
  }
}
