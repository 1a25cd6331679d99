internal import Bundle
internal import GraphDocuments
internal import JSON
internal import Model

/// The property list in `encodedSettingXml`.
enum EncodedSettings {
  /// A key at the top of the list, and its value.
  struct Entry {
    var key: String
    var value: ConfigurationValue
    var position: Position
  }

  /// The fault of a list.
  struct Fault: Error {
    /// The place of the fault; nil if no place is at fault.
    var position: Position?
    /// The message, in lower case, without full stop, and without any part of a value.
    var message: String
  }

  /// Reads the entries of a list in their order.
  static func read(_ xml: [UInt8]) throws(Fault) -> [Entry] {
    let list: PropertyList
    do throws(BundleError) {
      list = try PropertyList(strictly: xml, file: "")
    } catch {
      let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
      throw Fault(position: position, message: withoutValue(error.message))
    }
    var entries: [Entry] = []
    for entry in list.dictionary.entries {
      let position = list.position(of: [.key(entry.key)]) ?? Position(line: 1, column: 1)
      guard let value = ConfigurationValue(entry.value) else {
        throw Fault(
          position: position,
          message: "the value of `\(entry.key)` holds data, a date or an infinite number, which no "
            + "configuration delivers")
      }
      entries.append(Entry(key: entry.key, value: value, position: position))
    }
    return entries
  }

  /// The message up to the value that was found, because a configuration's value may be a secret.
  private static func withoutValue(_ message: String) -> String {
    let cuts = [", found `", " at `"].compactMap { message.firstRange(of: $0)?.lowerBound }
    return String(message[..<(cuts.min() ?? message.endIndex)])
  }
}

extension ConfigurationValue {
  /// Makes a configuration's value; nil for what Intune does not deliver: data, dates, and numbers that are not finite.
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
