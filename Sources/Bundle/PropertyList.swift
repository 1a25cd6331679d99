internal import Foundation

/// A dictionary of a property list.
struct PropertyList {
  private let values: [String: Any]

  /// - Throws: ``BundleError`` where `bytes` are no property list, or not a dictionary.
  init(_ bytes: [UInt8], file: String) throws(BundleError) {
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    } catch {
      throw BundleError(file: file, message: "not a property list")
    }
    guard let values = list as? [String: Any] else {
      throw BundleError(file: file, message: "expected a dictionary at the top")
    }
    self.values = values
  }

  init(_ values: [String: Any]) { self.values = values }

  /// nil where the dictionary lacks `key`.
  subscript(key: String) -> PropertyListValue? { values[key].map(PropertyListValue.init(_:)) }

  func string(_ key: String) -> String? { values[key] as? String }

  func strings(_ key: String) -> [String] { values[key] as? [String] ?? [] }

  /// `YES` and `true` count, as strings and as booleans: both are found in real files.
  func bool(_ key: String) -> Bool? {
    if let flag = values[key] as? Bool { return flag }
    return string(key).map { ["yes", "true", "1"].contains($0.lowercased()) }
  }

  func dictionary(_ key: String) -> PropertyList? {
    (values[key] as? [String: Any]).map(PropertyList.init(_:))
  }

  func dictionaries(_ key: String) -> [PropertyList] {
    (values[key] as? [[String: Any]] ?? []).map(PropertyList.init(_:))
  }
}
