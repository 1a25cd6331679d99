internal import Foundation
internal import Policy

/// Provides the policy for a benchmark.
enum PolicyFile {
  /// Returns the first policy in a file.
  ///
  /// - Parameter path: The file; nil for a random policy generated from `seed`.
  static func first(of path: String?, seed: UInt64) throws -> PolicyDocument {
    let bytes: [UInt8]
    if let path {
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } else {
      var export = PolicyExport(seed: seed, apps: Cast.apps.map(\.bundleID))
      bytes = Array(export.list(count: 1).utf8)
    }
    return try PolicyReader.read(bytes, file: path ?? "policy-\(seed).json")[0]
  }
}
