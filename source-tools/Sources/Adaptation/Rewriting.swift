/// A kind of change that ``Adapter`` makes.
public enum Rewriting: String, Sendable, Hashable, CaseIterable {
  /// Removes an attribute of the Objective-C runtime or of Interface Builder.
  case attribute
  /// Gives an outlet a view.
  case outlet
  /// Replaces `@UIApplicationMain` or `@NSApplicationMain` with `@main`.
  case entryPoint
  /// Replaces `#selector(…)` with a `Selector` that refers to the method.
  case selector
  /// Replaces `#keyPath(…)` with a string.
  case keyPath
  /// Gives an `optional` requirement a default implementation.
  case optionalRequirement
  /// Makes an `@objc` protocol class-bound.
  case classProtocol
  /// Replaces `delegate.method?(…)` with `delegate.method(…)`.
  case optionalCall
  /// Replaces an import of a submodule, such as `os.log`, with an import of its module.
  case submodule
  /// Adds an import of Combine. On iOS, Foundation re-exports it.
  case combine
  /// Replaces `os(iOS)` in an `#if` with `os(Linux)`.
  case platform

  /// Returns the number of changed constructs as text for reports, such as `2 attributes`.
  func phrase(_ count: Int) -> String {
    let (one, many): (String, String) =
      switch self {
      case .attribute: ("attribute", "attributes")
      case .outlet: ("outlet", "outlets")
      case .entryPoint: ("entry point", "entry points")
      case .selector: ("selector", "selectors")
      case .keyPath: ("key path", "key paths")
      case .optionalRequirement: ("optional requirement", "optional requirements")
      case .classProtocol: ("class-bound protocol", "class-bound protocols")
      case .optionalCall:
        ("call of an optional requirement", "calls of optional requirements")
      case .submodule: ("import", "imports")
      case .combine: ("import of Combine", "imports of Combine")
      case .platform: ("platform condition", "platform conditions")
      }
    return count == 1 ? "1 \(one)" : "\(count) \(many)"
  }
}
