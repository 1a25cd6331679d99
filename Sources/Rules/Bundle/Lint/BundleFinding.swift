package import Diagnostics
internal import JSON

/// A finding about a bundle that its author should know.
package typealias BundleFinding = Finding<BundleRule>

extension BundleFinding {
  /// Creates the finding for a file that cannot be used.
  package init(_ error: BundleError) {
    let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
    self.init(error.rule, file: error.file, at: position, error.message)
  }
}
