internal import SwiftSources

/// A declaration in the SDK's headers, with the versions that contain it.
struct APIMember: Sendable, Equatable {
  /// The kind of declaration, such as `method`, `property` or `case`.
  let kind: String
  /// The protocol, class or enumeration that contains the declaration; empty for a type.
  let container: String
  /// The Swift name, with argument labels.
  let name: String
  /// The Objective-C name.
  let selector: String
  let introduced: SDKVersion?
  let deprecated: SDKVersion?
  /// The version that removes the declaration permanently; nil if the newest version has the
  /// declaration.
  let removed: SDKVersion?
  /// The releases that temporarily lack the declaration: an earlier and a later release have it.
  let absent: [SDKVersion]
  /// Whether a type must implement the method to conform to the protocol.
  let isRequired: Bool
  /// The raw value of an enumeration case; nil for other declarations.
  let value: Int?

  /// The parsed method name; nil for a property or case.
  var method: MethodName? { MethodName(name) }

  /// Parses a row of the table. Returns nil if columns are missing.
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
    absent = (columns["absent"] ?? "").split(separator: " ").compactMap { SDKVersion($0) }
    isRequired = columns["requirement"] == "required"
    value = columns["value"].flatMap { Int($0) }
  }

  func standing(in version: SDKVersion) -> Standing {
    if let removed, removed <= version { return .removed(removed) }
    if let gap = absent.first(where: { $0.isSame(as: version) }) { return .removed(gap) }
    if let introduced, introduced > version { return .tooNew(introduced) }
    if let deprecated, deprecated <= version { return .deprecated(deprecated) }
    return .current
  }

  /// The availability of a declaration in a certain version of the SDK.
  enum Standing: Equatable {
    case current
    case deprecated(SDKVersion)
    case removed(SDKVersion)
    case tooNew(SDKVersion)

    /// Whether code that uses the declaration compiles.
    var isAvailable: Bool {
      switch self {
      case .current, .deprecated: true
      case .removed, .tooNew: false
      }
    }
  }
}
