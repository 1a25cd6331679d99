package import Encodings

/// Reads YAML files other than scenarios.
package enum YAMLFile {
  /// Returns the single document in `text` as a JSON value with positions.
  ///
  /// Plain `true` and `false` are Booleans. An empty value, `~` and `null` are null. All other
  /// scalars are strings, including numbers, so `0042` keeps its digits.
  ///
  /// - Throws: ``ScenarioErrors`` if the text is not YAML, is too large, or contains a duplicate
  ///   key.
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
