internal import Diagnostics
internal import GraphDocuments
import JSON
import Model

/// The kind of Graph object that a file holds, as far as its annotation and its properties tell.
enum GraphType {
  case iOSPolicy
  case foreign(Foreign)
  /// Neither an annotation nor a property that only other platforms have tells the type.
  case unstated

  /// An object that is no app protection policy for iOS.
  struct Foreign {
    /// The other platform that the object is a policy for; nil where it is no policy.
    var platform: String?
    /// The object in words, and the sign by which it was told.
    var words: String
    /// The place of that sign.
    var position: Position
  }

  init(of object: JSONValue) {
    if let annotation = TypeAnnotation(of: object) {
      self = Self.stated(annotation)
    } else if let telling = object.members?.first(where: Self.tellsAndroid) {
      let words = "a policy for Android, as `\(telling.name)` tells"
      self = .foreign(Foreign(platform: "Android", words: words, position: telling.position))
    } else {
      self = .unstated
    }
  }

  private static func stated(_ annotation: TypeAnnotation) -> GraphType {
    let name = annotation.name
    guard name != iOSName else { return .iOSPolicy }
    let platform = platforms[name]
    var words = annotation.words(platform.map { "a policy for \($0)" } ?? others[name])
    if platform == nil, NearestWord.to(name, among: [iOSName]) != nil {
      words += Suggestion.text("#microsoft.graph.\(iOSName)")
    }
    return .foreign(Foreign(platform: platform, words: words, position: annotation.position))
  }

  static let iOSName = "iosManagedAppProtection"

  private static let platforms = [
    "androidManagedAppProtection": "Android",
    "windowsManagedAppProtection": "Windows",
    "windowsInformationProtectionPolicy": "Windows",
    "mdmWindowsInformationProtectionPolicy": "Windows",
    "defaultManagedAppProtection": "every platform by default",
  ]

  private static let others = [
    "targetedManagedAppConfiguration": "an app configuration",
    "iosMobileAppConfiguration": "an app configuration",
    "targetedManagedAppPolicyAssignment": "an assignment",
  ]

  /// Whether a setting alone tells Android: Graph's lists of one platform's policies carry no annotation. Settings that
  /// exports of iOS have as well tell nothing.
  private static func tellsAndroid(_ member: JSONValue.Member) -> Bool {
    AndroidProperties.contains(member.name) && PolicyKind.properties.type(of: member.name) == nil
  }

  /// Whether the object states a setting of an app protection policy.
  static func statesSetting(_ object: JSONValue) -> Bool { settingCount(of: object) > 0 }

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
      case .iOSPolicy: .match
      case .unstated: GraphType.settingCount(of: value) > 1 ? .match : .unknown
      case .foreign: .otherDocument
      }
    }
  }
}
