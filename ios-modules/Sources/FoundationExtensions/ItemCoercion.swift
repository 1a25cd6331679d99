package import Foundation

/// Converts between bytes and objects.
package enum ItemCoercion {
  /// Converts bytes to an object of the form `form`. Returns nil if the bytes do not have this
  /// form. Also returns nil for the form `file`, because the caller must write the file.
  package static func object(_ data: Data, as form: ItemForm) -> (any NSSecureCoding)? {
    switch form {
    case .url: String(data: data, encoding: .utf8).flatMap { NSURL(string: $0.trimmed) }
    case .text: string(data).map { NSString(string: $0) }
    case .propertyList: propertyList(data)
    case .data: NSData(data: data)
    case .file: nil
    }
  }

  /// Converts `object` to bytes, as `loadDataRepresentation` does. Returns nil if the object cannot
  /// be converted.
  package static func data(_ object: any NSSecureCoding, type: String) -> Data? {
    if let data = object as? NSData { return Data(referencing: data) }
    if let text = object as? NSString { return Data(text.description.utf8) }
    if let url = object as? NSURL { return data(url, type: type) }
    if let writer = object as? any DataConvertible { return writer.representation(ofType: type) }
    return try? PropertyListSerialization.data(
      fromPropertyList: object, format: .binary, options: 0)
  }

  /// Converts a URL to bytes: its text if `type` is a URL type, otherwise the contents of the file
  /// at the URL. Returns nil if there is no such file.
  private static func data(_ url: NSURL, type: String) -> Data? {
    let string = (url as URL).absoluteString
    if TypeMatching.conforms(type, to: "public.url") { return Data(string.utf8) }
    return URL(string: string).flatMap { $0.isFileURL ? try? Data(contentsOf: $0) : nil }
  }

  private static func string(_ data: Data) -> String? {
    String(data: data, encoding: .utf8) ?? String(data: data, encoding: .utf16)
  }

  private static func propertyList(_ data: Data) -> (any NSSecureCoding)? {
    let object = try? PropertyListSerialization.propertyList(from: data, format: nil)
    switch object {
    case let dictionary as [String: Any]: return NSDictionary(dictionary: dictionary)
    case let array as [Any]: return NSArray(array: array)
    case let text as String: return NSString(string: text)
    default:  // open: any other object
      return nil
    }
  }
}

/// An object from another module that can be converted to bytes, such as an image.
package protocol DataConvertible {
  /// Returns the object's bytes; nil if the object has no representation of this type.
  func representation(ofType type: String) -> Data?
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
