internal import GraphDocuments
internal import JSON
internal import Model

/// The type of a key in `settings` (`mdmAppConfigKeyType`). Exports have it in several casings.
enum KeyType: String, CaseIterable {
  case stringType, integerType, realType, booleanType, tokenType

  var noun: String {
    switch self {
    case .stringType, .tokenType: "string"
    case .integerType: "integer"
    case .realType: "number"
    case .booleanType: "boolean, `true` or `false`"
    }
  }

  /// The value that `text` states; nil where it is none of this type.
  func value(_ text: String) -> ConfigurationValue? {
    let trimmed = text.trimmed
    return switch self {
    case .stringType, .tokenType: .text(text)
    case .integerType: Int(trimmed).map { .integer($0) }
    case .realType: ConfigurationNumber(trimmed).map { .real($0.doubleValue) }
    case .booleanType:
      switch trimmed.lowercased() {
      case "true": .boolean(true)
      case "false": .boolean(false)
      default:  // open: any other text
        nil
      }
    }
  }
}
