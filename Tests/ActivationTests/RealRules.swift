import Activation
import Foundation

/// The rules of real extensions by other authors. They are read in place if their folder exists.
enum RealRules {
  /// The folder beside the package, or beside the folder that contains a copy of it.
  private static let folder: String? = {
    let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folders = ["../shared/real/extensions", "../../shared/real/extensions"]
    return folders.map { "\(package)/\($0)" }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  static let areThere = folder != nil

  static func rule(_ file: String) throws -> ActivationRule {
    guard let folder else { throw Absent() }
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    let attributes = ((list as? [String: Any])?["NSExtension"] as? [String: Any])?[
      "NSExtensionAttributes"]
    let rule = (attributes as? [String: Any])?["NSExtensionActivationRule"]
    if let text = rule as? String { return .predicate(try Predicate(parsing: text)) }
    guard let entries = rule as? [String: Any] else { throw Absent() }
    return .dictionary(
      DictionaryRule(
        values: entries.sorted { $0.key < $1.key }.map { key, value in
          if type(of: value) == Bool.self, let flag = value as? Bool {
            return .init(key: key, value: .boolean(flag))
          }
          return .init(
            key: key, value: (value as? Int).map { .integer($0) } ?? .other("another value"))
        }))
  }

  struct Absent: Error {}
}
