internal import Diagnostics
internal import GraphDocuments
import JSON
import Model

/// The kind of Graph object that a file holds, as a reader of policies sees ``ObjectType``.
enum GraphType {
  case iOSPolicy
  case foreign(Foreign)
  /// Nothing shows the type.
  case unstated

  /// An object that is no app protection policy for iOS.
  struct Foreign {
    /// The other platform that the object is a policy for; nil where it is no policy.
    var platform: String?
    /// The object in words, with the member that shows its type, and where it can be used.
    var words: String
    /// The place of that sign.
    var position: Position
    /// Whether the object may be a tool's own, around another document.
    var isContainer = false
  }

  /// Judges an object.
  ///
  /// - Parameter root: The document around the object; nil: the object alone.
  init(of object: JSONValue, in root: JSONValue? = nil) {
    guard let type = ObjectType(of: object, in: root) else {
      self = .unstated
      return
    }
    var noun: String?
    var platform: String?
    switch type.kind {
    // A policy without settings may still state its apps.
    case .iOSPolicy, .targeting:
      self = .iOSPolicy
      return
    case .otherPolicy(let other): platform = other
    case .tenantDefault: platform = "every platform by default"
    case .managedAppConfiguration, .managedDeviceConfiguration, .conditionalAccessPolicy, .other:
      break
    }
    if let platform { noun = "a policy for \(platform)" }
    var words = type.words(noun) + type.use
    if platform == nil, let name = type.annotatedName,
      NearestWord.to(name, among: [Self.iOSName]) != nil
    {
      words += Suggestion.text("#microsoft.graph.\(Self.iOSName)")
    }
    self = .foreign(
      Foreign(
        platform: platform, words: words, position: type.position,
        isContainer: type.kind == .other && type.isShownByProperties))
  }

  static let iOSName = "iosManagedAppProtection"

  /// The number of settings of an app protection policy that the object states.
  static func settingCount(of object: JSONValue) -> Int {
    (object.members ?? []).count { Setting(rawValue: $0.name)?.holder == .policy }
  }
}

extension WrappedDocument {
  /// The first policy for iOS below `value`. Where no type is stated, a single setting may be another thing's property
  /// of the same name.
  init?(policyIn value: JSONValue) {
    self.init(in: value) { value in
      switch GraphType(of: value) {
      case .iOSPolicy:
        TypeAnnotation(of: value) != nil || value["@odata.context"] != nil
          || GraphType.settingCount(of: value) > 1 ? .match : .unknown
      case .unstated: .unknown
      case .foreign(let foreign): foreign.isContainer ? .unknown : .otherDocument
      }
    }
  }
}
