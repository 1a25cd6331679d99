internal import Foundation
internal import HeapModule
internal import Host
package import Simulation

/// The merged journal of a case's devices. Lines are ordered by time, device and sequence number,
/// and each line contains its device's name.
package enum FleetJournal {
  /// The name of the file in the case's folder.
  package static let name = "fleet.jsonl"

  /// Merges the devices' complete journals.
  ///
  /// - Parameters:
  ///   - folder: The case's folder, with a subfolder for each device.
  ///   - devices: The devices' names, in the order in which simultaneous lines are merged.
  /// - Throws: ``RunError`` if a journal cannot be read or the merged journal cannot be written.
  package static func write(in folder: String, of devices: [String]) throws(RunError) {
    let path = "\(folder)/\(name)"
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw RunError(unwritable: path, errno) }
    do {
      try merge(devices.map { ($0, DeviceFolder.journal(in: "\(folder)/\($0)")) }, into: file)
      try file.close()
    } catch let error as RunError {
      throw error
    } catch {
      throw RunError(unwritable: path, EIO)
    }
  }

  private static func merge(
    _ devices: [(name: String, path: String)], into file: FileHandle
  ) throws {
    var sources: [DeviceJournal] = []
    var heap = Heap<Entry>()
    for (index, device) in devices.enumerated() {
      let source = try DeviceJournal(device.name, device.path)
      sources.append(source)
      if let line = try source.next() { heap.insert(Entry(line, of: index)) }
    }
    var output = Data()
    while let first = heap.popMin() {
      let source = sources[first.device]
      output.append(source.prefix)
      output.append(first.line.dropFirst())
      output.append(UInt8(ascii: "\n"))
      if output.count > 1 << 20 {
        try file.write(contentsOf: output)
        output.removeAll(keepingCapacity: true)
      }
      if let line = try source.next() { heap.insert(Entry(line, of: first.device)) }
    }
    try file.write(contentsOf: output)
  }

  /// The first line of a device's journal that is not yet merged.
  private struct Entry: Comparable {
    let line: Data
    let device: Int
    /// The line's time as text. All times have the same length, so their texts can be compared.
    private let time: Data

    private static let key = Data(#""time":""#.utf8)

    init(_ line: Data, of device: Int) {
      self.line = line
      self.device = device
      time =
        line.range(of: Self.key).map { line[$0.upperBound...].prefix { $0 != UInt8(ascii: "\"") } }
        ?? Data()
    }

    static func < (a: Entry, b: Entry) -> Bool {
      a.time == b.time ? a.device < b.device : a.time.lexicographicallyPrecedes(b.time)
    }
  }

  private final class DeviceJournal {
    /// The text that replaces the opening brace of each line, in order to add the device's name.
    let prefix: Data
    private let file: FileHandle
    private var buffer = Data()

    private static let piece = 1 << 16

    init(_ name: String, _ path: String) throws(RunError) {
      guard let file = FileHandle(forReadingAtPath: path) else { throw InputFile.unreadable(path) }
      self.file = file
      // The name of a device needs no escaping.
      prefix = Data("{\"on\":\"\(name)\",".utf8)
    }

    /// Returns the next line without its line break; nil at the end of the file.
    func next() throws -> Data? {
      while true {
        if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          let line = buffer[..<end]
          buffer = buffer[buffer.index(after: end)...]
          return line
        }
        guard let more = try file.read(upToCount: Self.piece), !more.isEmpty else { return nil }
        buffer = Data(buffer) + more
      }
    }
  }
}
