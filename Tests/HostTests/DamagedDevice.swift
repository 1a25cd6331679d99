import Foundation
import GRDB
import Model
import TestSupport

@testable import Host

/// The folder of a device that something has happened to: to one file, or to a value in the database or the journal.
struct DamagedDevice {
  private let folder: String
  private var generator: SeededGenerator
  /// What has happened.
  private(set) var damage = ""

  /// - Parameter folder: of a device that is down and was whole.
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

  /// Whatever the schema allows.
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
    // What the schema does not allow has not happened.
    try? queue.write { database in
      if isDropped {
        try database.execute(sql: "DROP TABLE \(table)")
      } else {
        try database.execute(sql: "UPDATE \(table) SET \(column.name) = ?", arguments: [value])
      }
    }
  }
}
