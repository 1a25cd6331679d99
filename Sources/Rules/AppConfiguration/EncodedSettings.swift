internal import Bundle
internal import Encodings
internal import Model

/// Reads the property list in `encodedSettingXml`.
enum EncodedSettings {
  /// A key at the top level of the list, with its value.
  struct Entry {
    var key: String
    var value: ConfigurationValue
    var position: Position
  }

  struct ReadError: Error {
    var position: Position?
    /// The message, in lower case, without a full stop. It contains no value of the list.
    var message: String
  }

  static func read(_ xml: [UInt8]) throws(ReadError) -> [Entry] {
    let list: PropertyList
    do throws(BundleError) {
      list = try PropertyList(strictly: xml, file: "")
    } catch {
      let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
      throw ReadError(position: position, message: withoutValue(error.message))
    }
    var entries: [Entry] = []
    for entry in list.dictionary.entries {
      let position = list.position(of: [.key(entry.key)]) ?? Position(line: 1, column: 1)
      guard let value = ConfigurationValue(entry.value) else {
        throw ReadError(
          position: position,
          message:
            "the value of `\(entry.key)` contains data, a date or an infinite number, which "
            + "configurations cannot deliver")
      }
      entries.append(Entry(key: entry.key, value: value, position: position))
    }
    return entries
  }

  /// Returns the message without quoted source text, which may be a secret value of the configuration.
  private static func withoutValue(_ message: String) -> String {
    let cuts = [", found `", " at `"].compactMap { message.firstRange(of: $0)?.lowerBound }
    return String(message[..<(cuts.min() ?? message.endIndex)])
  }
}

extension ConfigurationValue {
  /// Converts a property list's value. Returns nil for data, dates and non-finite numbers, which Intune
  /// does not deliver.
  fileprivate init?(_ value: PropertyListValue) {
    switch value.kind {
    case .boolean(let flag): self = .boolean(flag)
    case .string(let text): self = .text(text)
    case .integer(let number): self = .integer(number)
    case .real(let number) where number.isFinite: self = .real(number)
    case .real, .data, .date: return nil
    case .array(let elements):
      let values = elements.compactMap { ConfigurationValue($0) }
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case .dictionary(let dictionary):
      var values: [String: ConfigurationValue] = [:]
      for entry in dictionary.entries {
        guard let value = ConfigurationValue(entry.value) else { return nil }
        values[entry.key] = value
      }
      self = .dictionary(values)
    }
  }
}
