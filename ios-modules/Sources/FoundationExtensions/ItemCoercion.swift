package import Foundation

/// Bytes made of objects, and objects made of bytes.
package enum ItemCoercion {
  /// The object that stands for `data`; nil where it is none of that form, and for a file, which has to be written
  /// first.
  package static func object(_ data: Data, as form: ItemForm) -> (any NSSecureCoding)? {
    switch form {
    case .url: String(data: data, encoding: .utf8).flatMap { NSURL(string: $0.trimmed) }
    case .text: string(data).map { NSString(string: $0) }
    case .propertyList: propertyList(data)
    case .data: NSData(data: data)
    case .file: nil
    }
  }

  /// The bytes that stand for `object`, as `loadDataRepresentation` has them; nil where there are none.
  package static func data(_ object: any NSSecureCoding, type: String) -> Data? {
    if let data = object as? NSData { return Data(referencing: data) }
    if let text = object as? NSString { return Data(text.description.utf8) }
    if let url = object as? NSURL { return data(url, type: type) }
    if let writer = object as? any DataConvertible { return writer.representation(ofType: type) }
    return try? PropertyListSerialization.data(
      fromPropertyList: object, format: .binary, options: 0)
  }

  /// A URL stands for itself where the type is that of a URL, and else for the content of its file.
  private static func data(_ url: NSURL, type: String) -> Data? {
    let string = url.absoluteString
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

/// An object of another module that has bytes, such as a picture.
package protocol DataConvertible {
  /// The bytes; nil where they are of another type.
  func representation(ofType type: String) -> Data?
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
