package import Encodings

/// Reads YAML text into values with positions.
///
/// Values are counted before they are created. The values of an alias are counted at each use, so a
/// short text cannot expand without limit.
struct YAMLReader {
  /// The maximum nesting depth of lists and mappings.
  static let maximumDepth = 64

  private let events: YAMLEvents
  private var allowance: YAMLAllowance
  private var anchors: [String: YAMLValue] = [:]
  /// The errors about duplicate keys. Reading continues after these errors.
  private var mistakes = InputErrorCollector()

  /// Reads the single document in `text`.
  ///
  /// - Parameter allowance: The maximum number of values and of bytes in the document.
  /// - Throws: ``InputError`` if the text is not valid YAML, has duplicate keys, or exceeds the allowance.
  static func read(
    _ text: String, atMost allowance: YAMLAllowance = .file
  ) throws(InputError) -> YAMLValue {
    var mistakes = InputErrorCollector()
    let value = try read(text, atMost: allowance, collecting: &mistakes)
    try mistakes.finish()
    return value
  }

  /// Reads the single document in `text`, and collects the errors about duplicate keys. Uses only the first value of a
  /// duplicate key.
  ///
  /// - Throws: ``InputError`` if the text is not valid YAML or exceeds the allowance.
  static func read(
    _ text: String, atMost allowance: YAMLAllowance = .file,
    collecting mistakes: inout InputErrorCollector
  ) throws(InputError) -> YAMLValue {
    // The byte order mark is removed, so columns count from the first visible character.
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
    var reader = YAMLReader(events: try YAMLEvents(text), allowance: allowance)
    defer { mistakes = reader.mistakes }
    return try reader.document()
  }

  private mutating func document() throws(InputError) -> YAMLValue {
    let start = try events.next()
    guard case .document = start.kind else {
      throw InputError(.yamlSyntax, at: Position(line: 1, column: 1), "the file is empty")
    }
    let root = try value(try events.next(), name: "the file", depth: 0)
    let end = try events.next()
    guard case .finish = end.kind else {
      throw InputError(
        .yamlSyntax, at: end.position,
        "a second YAML document begins; a scenario file contains only one")
    }
    return root
  }

  private mutating func value(
    _ event: YAMLEvent, name: String, depth: Int
  ) throws(InputError) -> YAMLValue {
    if case .alias(let anchor) = event.kind {
      return try again(try known(anchor, at: event.position), name: name, depth: depth)
    }
    try checkDepth(depth, at: event.position)
    try allowance.takeValue(at: event.position)
    let kind: YAMLValue.Kind
    switch event.kind {
    case .scalar(let text, let isPlain):
      try allowance.take(text, at: event.position)
      kind = .scalar(text, isPlain: isPlain)
    case .sequence: kind = .sequence(try elements(name: name, depth: depth + 1))
    case .mapping: kind = .mapping(try members(depth: depth + 1))
    case .alias, .document, .end, .finish:
      preconditionFailure("libyaml must report the parts of a value in order")
    }
    let value = YAMLValue(kind: kind, position: event.position, name: name)
    if let anchor = event.anchor { anchors[anchor] = value }
    return value
  }

  private mutating func elements(name: String, depth: Int) throws(InputError) -> [YAMLValue] {
    var elements: [YAMLValue] = []
    while true {
      let event = try events.next()
      if case .end = event.kind { return elements }
      elements.append(try value(event, name: name, depth: depth))
    }
  }

  private mutating func members(depth: Int) throws(InputError) -> [YAMLValue.Member] {
    var members: [YAMLValue.Member] = []
    var places: [String: Position] = [:]
    while true {
      let event = try events.next()
      if case .end = event.kind { return members }
      let key = try key(event)
      try allowance.take(key, at: event.position)
      let value = try value(try events.next(), name: key, depth: depth)
      if let first = places[key] {
        guard !mistakes.isFull else { throw mistakes.combined }
        mistakes.add(
          InputError(
            .duplicateKey, at: event.position,
            "the key `\(key)` is given twice, first on line \(first.line)"))
        continue
      }
      places[key] = event.position
      members.append(.init(key: key, position: event.position, value: value))
    }
  }

  private mutating func key(_ event: YAMLEvent) throws(InputError) -> String {
    switch event.kind {
    case .scalar(let text, let isPlain):
      if let anchor = event.anchor {
        anchors[anchor] = YAMLValue(
          kind: .scalar(text, isPlain: isPlain), position: event.position, name: text)
      }
      return text
    case .alias(let anchor):
      if case .scalar(let text, _) = try known(anchor, at: event.position).kind { return text }
    case .document, .sequence, .mapping, .end, .finish: break
    }
    throw InputError(.wrongType, at: event.position, "a key must be text")
  }

  // MARK: Aliases and limits

  private func known(_ anchor: String, at position: Position) throws(InputError) -> YAMLValue {
    guard let value = anchors[anchor] else {
      throw InputError(
        .yamlSyntax, at: position,
        "no anchor `&\(anchor)` comes before this alias; put text that begins with `*` in quotes")
    }
    return value
  }

  /// Returns a copy of `value`, to which an alias refers. The copy belongs to the key `name`, and has the positions of
  /// the original.
  private mutating func again(
    _ value: YAMLValue, name: String, depth: Int
  ) throws(InputError) -> YAMLValue {
    try checkDepth(depth, at: value.position)
    try allowance.takeValue(at: value.position)
    var copy = value
    copy.name = name
    switch value.kind {
    case .scalar(let text, _): try allowance.take(text, at: value.position)
    case .sequence(let elements):
      var copies: [YAMLValue] = []
      for element in elements {
        copies.append(try again(element, name: name, depth: depth + 1))
      }
      copy.kind = .sequence(copies)
    case .mapping(var members):
      for index in members.indices {
        try allowance.take(members[index].key, at: members[index].position)
        members[index].value = try again(
          members[index].value, name: members[index].key, depth: depth + 1)
      }
      copy.kind = .mapping(members)
    }
    return copy
  }

  private func checkDepth(_ depth: Int, at position: Position) throws(InputError) {
    guard depth <= Self.maximumDepth else {
      throw InputError(.tooLarge, at: position, "nested deeper than \(Self.maximumDepth) levels")
    }
  }
}

// MARK: - Allowance

/// The limits that remain while a YAML text is read: the number of further values, and the number of bytes in their
/// texts and keys.
///
/// Each use of an alias counts like the values to which the alias refers.
struct YAMLAllowance {
  /// The name of the whole text in messages, such as `the step`.
  private let whole: String
  private let values: Int
  private let bytes: Int
  private var valuesLeft: Int
  private var bytesLeft: Int

  /// The maximum length of a single text, in bytes. A message between a guest and the device has space for such a text
  /// and the message's overhead.
  static let longestText = 15 << 20

  static let file = YAMLAllowance("the file", values: Scenario.mostValues, bytes: 1 << 30)

  /// The allowance for a step on a running device. It is small because other clients must wait while the step is read.
  static let step = YAMLAllowance("the step", values: 4_096, bytes: 64 << 10)

  private init(_ whole: String, values: Int, bytes: Int) {
    self.whole = whole
    self.values = values
    self.bytes = bytes
    valuesLeft = values
    bytesLeft = bytes
  }

  /// Counts a value. Throws an error at `position` if no further value is allowed.
  mutating func takeValue(at position: Position) throws(InputError) {
    valuesLeft -= 1
    guard valuesLeft >= 0 else {
      throw InputError(.tooLarge, at: position, "\(whole) contains more than \(values) values")
    }
  }

  /// Counts the bytes of a text. Throws an error at `position` if `text` has more bytes than are left, or more than
  /// ``longestText``.
  mutating func take(_ text: String, at position: Position) throws(InputError) {
    guard text.utf8.count <= Self.longestText else {
      throw InputError(
        .tooLarge, at: position,
        "the text has \(text.utf8.count) bytes; the maximum is \(Self.longestText)")
    }
    bytesLeft -= text.utf8.count
    guard bytesLeft >= 0 else {
      throw InputError(
        .tooLarge, at: position, "\(whole) contains more than \(bytes) bytes of text")
    }
  }
}

// MARK: - Other files

/// Reads YAML files other than scenarios.
package enum YAMLFile {
  /// Returns the single document in `text` as a JSON value with positions.
  ///
  /// Plain `true` and `false` are Booleans. An empty value, `~` and `null` are null. All other
  /// scalars are strings, including numbers, so `0042` keeps its digits.
  ///
  /// - Throws: ``ScenarioErrors`` if the text is not YAML, is too large, or contains a duplicate key.
  package static func json(_ text: String, file: String) throws(ScenarioErrors) -> JSONValue {
    do throws(InputError) {
      return JSONValue(try YAMLReader.read(text))
    } catch {
      throw ScenarioErrors(error, file: file)
    }
  }
}

extension JSONValue {
  fileprivate init(_ value: YAMLValue) {
    let kind: Kind =
      switch value.kind {
      case .scalar where value.isEmpty: .null
      case .scalar("true", isPlain: true): .bool(true)
      case .scalar("false", isPlain: true): .bool(false)
      case .scalar(let text, _): .string(text)
      case .sequence(let elements): .array(elements.map { JSONValue($0) })
      case .mapping(let members):
        .object(
          members.map {
            Member(name: $0.key, position: $0.position, value: JSONValue($0.value))
          })
      }
    self.init(kind, at: value.position)
  }
}
