internal import SwiftSources

/// A declaration of the SDK's headers, over all versions.
struct APIMember: Sendable, Equatable {
  /// The word for what is declared: `method`, `property` or `case`.
  let kind: String
  /// The protocol, class or enumeration.
  let container: String
  /// The name in Swift, with argument labels.
  let name: String
  /// The name in Objective-C.
  let selector: String
  let introduced: SDKVersion?
  let deprecated: SDKVersion?
  /// The first version that lacks it; nil where the newest has it.
  let removed: SDKVersion?
  /// The number of a case.
  let value: Int?

  /// The name's parts; nil for what is no method.
  var method: MethodName? { MethodName(name) }

  /// Reads a line of the table; nil where it has too few columns.
  init?(_ columns: [String: String]) {
    guard let kind = columns["kind"], let container = columns["container"],
      let name = columns["name"]
    else { return nil }
    self.kind = kind
    self.container = container
    self.name = name
    selector = columns["objc"] ?? ""
    introduced = columns["introduced"].flatMap { SDKVersion($0) }
    deprecated = columns["deprecated"].flatMap { SDKVersion($0) }
    removed = columns["removed"].flatMap { SDKVersion($0) }
    value = columns["value"].flatMap { Int($0) }
  }

  /// How a version stands to the declaration.
  func standing(in version: SDKVersion) -> Standing {
    if let removed, removed <= version { return .removed(removed) }
    if let introduced, introduced > version { return .tooNew(introduced) }
    if let deprecated, deprecated <= version { return .deprecated(deprecated) }
    return .current
  }

  /// Whether a version has a declaration, or why not.
  enum Standing: Equatable {
    case current
    case deprecated(SDKVersion)
    case removed(SDKVersion)
    case tooNew(SDKVersion)
  }
}
