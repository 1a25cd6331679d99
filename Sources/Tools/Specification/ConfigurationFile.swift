internal import Bundle
internal import Encodings
internal import Output

/// A configuration as written by an administrator: a property list, or JSON that a management service converts to a
/// property list.
struct ConfigurationFile: Sendable {
  private enum Content {
    case list(PropertyList)
    case json(JSONValue, ValuePlaces)
  }

  /// The file name as the user entered it.
  let file: String
  /// The top-level dictionary.
  let value: ConfigurationValue
  /// The file's size in bytes.
  let size: Int
  private let content: Content

  /// Reads a configuration.
  ///
  /// - Throws: ``SpecificationError`` if the file is neither a property list nor JSON, or its top level is not a
  ///   dictionary.
  init(_ bytes: [UInt8], file: String) throws(SpecificationError) {
    self.file = file
    size = bytes.count
    if Self.isJSON(bytes) {
      let value = try Self.json(bytes, file: file)
      content = .json(value, ValuePlaces(of: value, at: value.position))
      self.value = ConfigurationValue(value)
    } else {
      let list = try Self.list(bytes, file: file)
      content = .list(list)
      value = ConfigurationValue(list.top)
    }
  }

  /// Returns whether the file begins like JSON. Any other file is read as a property list.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return start.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
      || start.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
  }

  private static func json(
    _ bytes: [UInt8], file: String
  ) throws(SpecificationError) -> JSONValue {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw unreadable(file, error.position, error.message)
    }
    guard value.members != nil else {
      throw unreadable(
        file, value.position, "expected an object at the top, found \(value.kindName)")
    }
    return value
  }

  private static func list(
    _ bytes: [UInt8], file: String
  ) throws(SpecificationError) -> PropertyList {
    do throws(BundleError) {
      return try PropertyList(strictly: bytes, file: file)
    } catch {
      let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
      throw unreadable(file, position, error.message)
    }
  }

  private static func unreadable(
    _ file: String, _ position: Position?, _ message: String
  ) -> SpecificationError {
    SpecificationError([
      SpecificationFinding(.unreadable, file: file, at: position, message)
    ])
  }

  var form: ConfigurationChecker.Form {
    switch content {
    case .list: .propertyList
    case .json: .json
    }
  }

  /// Returns the position of a key or element; nil if there is none, or in a binary property list.
  func position(of path: ListPath) -> Position? {
    switch content {
    case .list(let list): list.position(of: path)
    case .json(_, let places): places.place(of: path)?.key
    }
  }

  /// Returns the position of the value at a path; nil if there is none, or in a binary property list.
  func position(ofValueAt path: ListPath) -> Position? {
    switch content {
    case .list(let list): list.position(ofValueAt: path)
    case .json(_, let places): places.place(of: path)?.value
    }
  }

  /// The duplicate names in objects, with the positions of the second occurrences. Always empty for property lists,
  /// because lists with duplicate keys cannot be read.
  var duplicates: [(path: ListPath, position: Position)] {
    guard case .json(let value, _) = content else { return [] }
    return Self.duplicates(in: value, at: [])
  }

  private static func duplicates(
    in value: JSONValue, at path: ListPath
  ) -> [(path: ListPath, position: Position)] {
    switch value.kind {
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        duplicates(in: element, at: path + [.index(index)])
      }
    case .object(let members):
      var names: Set<String> = []
      return members.flatMap { member in
        let path = path + [.key(member.name)]
        let isNew = names.insert(member.name).inserted
        return (isNew ? [] : [(path, member.position)]) + duplicates(in: member.value, at: path)
      }
    case .null, .bool, .number, .string: return []
    }
  }
}

/// The positions of a JSON value and of all values in it.
private struct ValuePlaces: Sendable {
  /// The position of the value's name; the position of the value itself if it has no name.
  let key: Position
  let value: Position
  private let members: [String: ValuePlaces]
  private let elements: [ValuePlaces]

  init(of value: JSONValue, at key: Position) {
    self.key = key
    self.value = value.position
    elements = (value.array ?? []).map { ValuePlaces(of: $0, at: $0.position) }
    members = Dictionary(
      (value.members ?? []).map { ($0.name, ValuePlaces(of: $0.value, at: $0.position)) },
      uniquingKeysWith: { _, last in last })
  }

  /// Returns the positions of the value at `path`; nil if there is none.
  func place(of path: ListPath) -> ValuePlaces? {
    var places = self
    for step in path {
      switch step {
      case .key(let name):
        guard let next = places.members[name] else { return nil }
        places = next
      case .index(let index):
        guard places.elements.indices.contains(index) else { return nil }
        places = places.elements[index]
      }
    }
    return places
  }
}
