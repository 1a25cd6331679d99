internal import Model

extension ConfigurationValue {
  /// The size in bytes of texts and keys; 8 for any other value.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .integer, .real, .boolean: 8
    case .list(let values): values.reduce(0) { $0 + $1.size }
    case .dictionary(let values): values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    }
  }
}
