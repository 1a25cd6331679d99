import Encodings
import Foundation
import Output
@testable import Specification
import Testing
import TestSupport

/// Specifications and configurations for tests.
enum Samples {
  static let landmarks = "examples/landmarks/specification.json"

  /// Returns a specification with one line for each key. The first key is in line 3.
  static func specification(
    _ properties: String, top: String = "", own: String = #""demoMode": "none""#
  ) throws(SpecificationError) -> AppSpecification {
    try AppSpecification(
      Array(text(properties, top: top, own: own).utf8), file: "spec.json")
  }

  static func text(_ properties: String, top: String = "", own: String = "") -> String {
    """
    { "type": "object", \(top)
    "properties": {
    \(properties)
    }, "x-managed-app": { \(own) } }
    """
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Repository.path(path))))
  }

  /// Returns the errors of an unusable specification.
  static func errors(_ text: String) -> [String] {
    do throws(SpecificationError) {
      _ = try AppSpecification(Array(text.utf8), file: "spec.json")
      return []
    } catch {
      return error.findings.filter { $0.severity == .error }.map(\.description)
    }
  }

  /// Returns a property list whose keys start in line 2.
  static func list(_ body: String) -> [UInt8] {
    Array("<plist version=\"1.0\"><dict>\n\(body)\n</dict></plist>".utf8)
  }

  static func lint(_ body: String, against properties: String, top: String = "") throws -> [String]
  {
    try lint(list(body), against: specification(properties, top: top))
  }

  static func lint(
    _ bytes: [UInt8], against specification: AppSpecification
  ) -> [String] {
    ConfigurationLinter.lint(bytes, file: "c", against: specification).map(\.description)
  }

  static func line(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    writer.endLine()
    return writer.text
  }
}
