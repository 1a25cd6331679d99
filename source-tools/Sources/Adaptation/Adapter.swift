public import SwiftSources
internal import SwiftSyntax

/// Adapts iOS sources to compile without the Objective-C runtime.
///
/// Attributes of Objective-C and Interface Builder are removed, `@UIApplicationMain` becomes `@main`, and
/// `#keyPath(a.b)` becomes the string `"a.b"`. An `@objc` protocol becomes a class-bound Swift protocol. Its optional
/// requirements get default implementations in an extension at the end of the file, and the `?` is removed from calls
/// of these requirements. An import of a submodule becomes an import of its module. `#if os(iOS)` becomes
/// `#if os(Linux)`. A file that uses Combine through Foundation imports Combine. All other bytes are unchanged, and no
/// line moves.
///
/// `#selector(didChange(_:))` in a class `Player` becomes `Selector("didChange(_:)", Player.didChange(_:))`.
/// The compiler then resolves the method and its argument types in any file, even if the method is `private`.
/// The adapted code must import a type with these initializers and their two-argument variants:
///
///     struct Selector {
///       init<Target, Result>(_ name: String, _ method: @escaping (Target) -> @MainActor () -> Result)
///       init<Target, Argument, Result>(
///         _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result)
///       // For methods of classes outside the main actor. The second parameter only disambiguates the overload.
///       @_disfavoredOverload init<Target, Argument, Result>(
///         _ name: String, isolation: Void = (), _ method: @escaping (Target) -> (Argument) -> Result)
///     }
///
/// and a `main()` for classes that conform to `UIApplicationDelegate`.
public struct Adapter: Sendable {
  private let declarations: KnownDeclarations

  /// Creates an adapter for files that are compiled together, because a file may use a protocol from another file.
  public init(_ sources: [ParsedSource]) {
    declarations = KnownDeclarations(sources)
  }

  /// Adapts one of the files passed to ``init(_:)``.
  public func adapt(_ source: ParsedSource) -> AdaptedSource {
    let visitor = AdaptingVisitor(source, declarations)
    visitor.walk(source.tree)
    var contents = TextEdit.apply(visitor.edits, to: source.bytes)
    contents = DefaultsExtension.append(visitor.optionalRequirements, to: contents)
    return AdaptedSource(
      file: source.file,
      contents: (source.hasByteOrderMark ? ParsedSource.byteOrderMark : []) + contents,
      counts: visitor.counts, warnings: visitor.warnings)
  }
}
