public import SwiftSources
internal import SwiftSyntax

/// Makes sources for iOS compile where there is no Objective-C runtime.
///
/// Attributes of Objective-C and Interface Builder go, `@UIApplicationMain` becomes `@main`, `#keyPath(a.b)` the
/// string `"a.b"`. A protocol that was `@objc` becomes one of classes, and its optional requirements have defaults,
/// in an extension at the file's end. All else stays byte for byte, and no line moves.
///
/// `#selector(didChange(_:))` in a class `Player` becomes `Selector("didChange(_:)", Player.didChange(_:))`, so that
/// the compiler finds the method and the types of its arguments, whichever file has it, and `private` ones, too. What
/// the adapted code imports has to offer a type with these initializers, and the same for two arguments:
///
///     struct Selector {
///       init<Target, Result>(_ name: String, _ method: @escaping (Target) -> @MainActor () -> Result)
///       init<Target, Argument, Result>(
///         _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result)
///       // Methods of classes that are not the main actor's. The second parameter only tells the declarations apart.
///       @_disfavoredOverload init<Target, Argument, Result>(
///         _ name: String, isolation: Void = (), _ method: @escaping (Target) -> (Argument) -> Result)
///     }
///
/// and a `main()` for classes that conform to `UIApplicationDelegate`.
public struct Adapter: Sendable {
  private let declarations: KnownDeclarations

  /// An adapter of files that belong together: a protocol of one is called in others.
  public init(_ sources: [ParsedSource]) {
    declarations = KnownDeclarations(sources)
  }

  /// Adapts one of the files.
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
