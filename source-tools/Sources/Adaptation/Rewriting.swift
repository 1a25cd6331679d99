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
    let (one, many): (String, String) =
      switch self {
      case .attribute: ("attribute", "attributes")
      case .entryPoint: ("entry point", "entry points")
      case .selector: ("selector", "selectors")
      case .keyPath: ("key path", "key paths")
      case .optionalRequirement: ("optional requirement", "optional requirements")
      case .classProtocol: ("protocol of classes", "protocols of classes")
      case .optionalCall:
        ("call of an optional requirement", "calls of optional requirements")
      }
    return count == 1 ? "1 \(one)" : "\(count) \(many)"
  }
}
