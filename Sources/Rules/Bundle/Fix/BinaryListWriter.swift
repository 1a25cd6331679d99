internal import Foundation

/// Writes a binary property list.
enum BinaryListWriter {
  /// - Throws: ``BundleError`` for a value that Foundation does not write.
  static func bytes(of value: PropertyListValue, file: String) throws(BundleError) -> [UInt8] {
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: object(of: value), format: .binary, options: 0)
      return Array(data)
    } catch {
      throw BundleError(file: file, message: "cannot be written as a binary property list")
    }
  }

  private static func object(of value: PropertyListValue) -> Any {
    switch value.kind {
    case .boolean(let flag): NSNumber(value: flag)
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let elements): elements.map { object(of: $0) }
    case .dictionary(let values):
      Dictionary(
        values.entries.map { ($0.key, object(of: $0.value)) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
