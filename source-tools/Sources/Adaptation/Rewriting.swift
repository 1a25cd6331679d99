/// A change that ``Adapter`` makes.
public enum Rewriting: String, Sendable, Hashable, CaseIterable {
  /// An attribute of the Objective-C runtime or of Interface Builder is left out.
  case attribute
  /// `@UIApplicationMain` becomes `@main`.
  case entryPoint
  /// `#selector(…)` becomes a `Selector` that holds the method.
  case selector
  /// `#keyPath(…)` becomes a string.
  case keyPath
  /// An `optional` requirement becomes one with a default.
  case optionalRequirement
  /// A protocol that was `@objc` is said to be one of classes.
  case classProtocol
  /// `delegate.method?(…)` becomes `delegate.method(…)`.
  case optionalCall

  /// The changed code, as reports name it.
  func phrase(_ count: Int) -> String {
    let noun =
      switch self {
      case .attribute: "attribute"
      case .entryPoint: "entry point"
      case .selector: "selector"
      case .keyPath: "key path"
      case .optionalRequirement: "optional requirement"
      case .classProtocol: "protocol of classes"
      case .optionalCall: "call of an optional requirement"
      }
    guard count != 1 else { return "1 \(noun)" }
    switch self {
    case .classProtocol: return "\(count) protocols of classes"
    case .optionalCall: return "\(count) calls of optional requirements"
    default: return "\(count) \(noun)s"
    }
  }
}
