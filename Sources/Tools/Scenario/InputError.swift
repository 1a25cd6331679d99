import Encodings
internal import Output

/// An error in the file that is being read, with its position.
///
/// If possible, readers continue after an error, and store further errors in ``others``.
struct InputError: Error {
  var position: Position
  var code: ScenarioError.Code
  var message: String
  /// Whether the error is a consequence of another error, such as a reference to an app with an invalid definition. If
  /// all errors are consequences, the first is reported. Otherwise, consequences are not reported.
  var isConsequence = false
  private var others: [InputError] = []

  init(_ code: ScenarioError.Code, at position: Position, _ message: String) {
    self.position = position
    self.code = code
    self.message = message
  }

  /// Combines errors into one: the first, with the others in ``others``. Returns nil if there are none.
  init?(_ errors: [InputError]) {
    let causes = errors.filter { !$0.isConsequence }
    guard let first = causes.first ?? errors.first else { return nil }
    self = first
    others = Array(causes.dropFirst())
  }

  /// This error and ``others`` as a flat list.
  var all: [InputError] {
    var single = self
    single.others = []
    return [single] + others
  }

  /// All errors without duplicates, ordered by position.
  var inOrder: [InputError] {
    var known: Set<String> = []
    return all.filter { known.insert("\($0.position) \($0.message)").inserted }
      .sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
  }
}

// MARK: - Several errors

/// Collects the errors in parts that are read independently of each other.
struct InputErrorCollector {
  private(set) var found: [InputError] = []

  /// The number of errors at which the reading of a list stops.
  fileprivate static let limit = 1_000

  var isFull: Bool { found.count >= Self.limit }

  /// The collected errors as one error. At least one error must have been collected.
  var combined: InputError {
    guard let error = InputError(found) else { preconditionFailure("no error was collected") }
    return error
  }

  mutating func add(_ error: InputError) { found += error.all }

  /// Reads a part. If the part has an error, collects the error and returns nil.
  @discardableResult
  mutating func read<Value>(_ part: () throws(InputError) -> Value) -> Value? {
    do throws(InputError) {
      return try part()
    } catch {
      add(error)
      return nil
    }
  }

  /// Reads each element and collects the errors. Returns the values of the elements that have no
  /// error. Stops when the collection is full.
  mutating func readEach<Element, Value>(
    _ elements: some Sequence<Element>, _ read: (Element) throws(InputError) -> Value
  ) -> [Value] {
    var values: [Value] = []
    for element in elements {
      guard !isFull else { break }
      if let value = self.read({ () throws(InputError) in try read(element) }) {
        values.append(value)
      }
    }
    return values
  }

  /// Throws the collected errors, if there are any.
  func finish() throws(InputError) {
    if let error = InputError(found) { throw error }
  }
}

extension Sequence {
  /// Reads each element. Throws the errors of all elements together.
  func readEach<Value>(
    _ read: (Element) throws(InputError) -> Value
  ) throws(InputError) -> [Value] {
    var errors = InputErrorCollector()
    let values = errors.readEach(self, read)
    try errors.finish()
    return values
  }
}

// MARK: - Several errors in one value

extension YAMLValue {
  /// Reads the value. If it has an error, removes the invalid part and reads the value again, to find further errors.
  ///
  /// - Throws: The first error of `read`, and the further errors that do not follow from it.
  func readAllParts<Value>(
    _ read: (YAMLValue) throws(InputError) -> Value
  ) throws(InputError) -> Value {
    do throws(InputError) {
      return try read(self)
    } catch {
      throw InputError(error.all + errors(beside: error, read)) ?? error
    }
  }

  /// The maximum number of times that a value with errors is read again.
  private static let mostReadings = 20

  private func errors<Value>(
    beside first: InputError, _ read: (YAMLValue) throws(InputError) -> Value
  ) -> [InputError] {
    var rest = self
    var omission = Omission()
    var found: [InputError] = []
    var last = first
    for _ in 0..<Self.mostReadings {
      let parts = last.all.count { omission.omit($0, from: &rest) }
      guard parts > 0 else { break }
      do throws(InputError) {
        _ = try read(rest)
        break
      } catch {
        found += error.all.filter(omission.isIndependent)
        guard found.count < InputErrorCollector.limit else { break }
        last = error
      }
    }
    return found
  }
}

extension YAMLValue.Member {
  func readAllParts<Value>(
    _ read: (YAMLValue.Member) throws(InputError) -> Value
  ) throws(InputError) -> Value {
    try value.readAllParts { value throws(InputError) in
      var member = self
      member.value = value
      return try read(member)
    }
  }
}

/// The parts that have been removed from a value because they are invalid.
private struct Omission {
  private var keys: Set<String> = []
  /// The positions of the lists and mappings that contained the removed parts.
  private var places: Set<Position> = []

  /// The part to which an error's position refers: a member's key, a member's value, or an element of a list.
  enum Subject {
    case key, value
  }

  /// Returns whether the error would also occur in the complete value. The removal may have caused errors about
  /// missing, conflicting and duplicate keys, and errors that refer to a removed part.
  func isIndependent(_ error: InputError) -> Bool {
    switch error.code {
    case .unknownKey, .wrongType, .invalidValue, .unknownName:
      !error.isConsequence && !places.contains(error.position)
        && !quotesRemovedKey(error.message)
    case .yamlSyntax, .duplicateKey, .missingKey, .conflictingKeys, .duplicateName, .tooLarge:
      false
    }
  }

  /// Returns whether a message quotes a removed key: `` `share` `` or `` `share: { from: mail }` ``. Each quoted word
  /// is looked up in a set, because there may be thousands of removed keys.
  private func quotesRemovedKey(_ message: String) -> Bool {
    // Every second part is in backticks.
    message.split(separator: "`", omittingEmptySubsequences: false).enumerated().contains {
      index, part in
      !index.isMultiple(of: 2)
        && (keys.contains(String(part)) || keys.contains(String(part.prefix { $0 != ":" })))
    }
  }

  /// Removes the innermost part with the error from `value`. If that part is an unknown name, accepts the name from now
  /// on, instead of removing it.
  ///
  /// - Returns: Whether a part was removed or a name was accepted.
  mutating func omit(_ error: InputError, from value: inout YAMLValue) -> Bool {
    switch error.code {
    case .unknownKey, .conflictingKeys:
      omit(error, at: .key, from: &value) || omit(error, at: .value, from: &value)
    case .yamlSyntax, .duplicateKey, .missingKey, .wrongType, .invalidValue, .unknownName,
      .duplicateName, .tooLarge:
      omit(error, at: .value, from: &value) || omit(error, at: .key, from: &value)
    }
  }

  private mutating func omit(
    _ error: InputError, at subject: Subject, from value: inout YAMLValue
  ) -> Bool {
    switch value.kind {
    case .scalar: return false
    case .sequence(var elements):
      for index in elements.indices {
        if subject == .value, elements[index].position == error.position {
          if elements[index].isName(in: error) {
            guard elements[index].excuse() else { return false }
          } else {
            elements.remove(at: index)
            places.insert(value.position)
          }
        } else if !omit(error, at: subject, from: &elements[index]) {
          continue
        }
        value.kind = .sequence(elements)
        return true
      }
    case .mapping(var members):
      for index in members.indices {
        if members[index].position(of: subject) == error.position {
          if subject == .value, members[index].value.isName(in: error) {
            guard members[index].value.excuse() else { return false }
          } else {
            keys.insert(members.remove(at: index).key)
            places.insert(value.position)
          }
        } else if !omit(error, at: subject, from: &members[index].value) {
          continue
        }
        value.kind = .mapping(members)
        return true
      }
    }
    return false
  }
}

extension YAMLValue.Member {
  fileprivate func position(of subject: Omission.Subject) -> Position {
    switch subject {
    case .key: position
    case .value: value.position
    }
  }
}

extension YAMLValue {
  /// Returns whether the value is the unknown name that caused the error.
  fileprivate func isName(in error: InputError) -> Bool {
    guard case .scalar = kind else { return false }
    return error.code == .unknownName
  }

  /// Accepts the unknown name that the value states. Returns false if the name was accepted before.
  fileprivate mutating func excuse() -> Bool {
    guard !isExcused else { return false }
    isExcused = true
    return true
  }
}

// MARK: - Wording

/// Phrases for error messages.
enum Wording {
  /// Returns the hint `` ; did you mean `apps`? ``, or an empty text if no word is similar. Up to a third of the
  /// letters may differ; in short words, one letter.
  static func hint(for word: String, among known: some Sequence<String>) -> String {
    Suggestion.nearest(to: word, among: known, within: max(1, word.count / 3))
  }

  /// Returns the words as a list, such as `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { ListFormat.any(of: words.map { "`\($0)`" }) }
}
