internal import JSON
internal import Policy
internal import Diagnostics
internal import Transfer

/// The type of a key in `settings` (`mdmAppConfigKeyType`). Exports have it in several casings.
enum KeyType: String, CaseIterable {
  case stringType, integerType, realType, booleanType, tokenType

  /// - Parameter item: an element of `settings`.
  init(_ item: JSONValue, file: String) throws(AppConfigurationError) {
    guard let value = item["appConfigKeyType"], !value.isNull else {
      throw AppConfigurationError(
        .wrongType, file: file, at: item.position, "a setting needs `appConfigKeyType`")
    }
    guard let word = value.string else {
      throw AppConfigurationError(
        .wrongType, file: file, at: value.position,
        "`appConfigKeyType` must be a string, found \(value.kindName)")
    }
    let known = Self.allCases.map(\.rawValue)
    guard let type = Self.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() })
    else {
      let hint = Suggestion.nearest(to: word, among: known)
      let list = known.map { "`\($0)`" }.joined(separator: ", ")
      throw AppConfigurationError(
        .unknownValue, file: file, at: value.position,
        "`\(word)` is no value of `appConfigKeyType`; expected one of \(list)\(hint)")
    }
    self = type
  }

  var noun: String {
    switch self {
    case .stringType, .tokenType: "string"
    case .integerType: "integer"
    case .realType: "number"
    case .booleanType: "boolean, `true` or `false`"
    }
  }

  /// nil where `text` is none of this type.
  func value(_ text: String) -> ConfigurationValue? {
    let trimmed = DocumentReader.trim(text)
    return switch self {
    case .stringType, .tokenType: .text(text)
    case .integerType: Int(trimmed).map { .integer($0) }
    case .realType: ConfigurationNumber(trimmed).map { .real($0.doubleValue) }
    case .booleanType:
      switch trimmed.lowercased() {
      case "true": .boolean(true)
      case "false": .boolean(false)
      default: nil
      }
    }
  }
}
