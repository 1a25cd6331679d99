package import Diagnostics
internal import JSON

/// Something about a bundle that its author should know.
package typealias BundleFinding = Finding<BundleRule>

extension BundleFinding {
  /// A file that cannot be used.
  package init(_ error: BundleError) {
    let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
    self.init(error.rule, file: error.file, at: position, error.message)
  }
}
