public import Output

/// A source file that has been adapted to compile without Objective-C.
public struct AdaptedSource: Sendable {
  /// The path of the original file as the user entered it.
  public let file: String
  /// The new contents.
  public let contents: [UInt8]
  /// For each kind of change, the number of changes.
  public let counts: [Rewriting: Int]
  /// The constructs that could not be adapted, in the order of the source.
  public let warnings: [Diagnostic]

  /// A one-line summary, such as `App.swift: 2 attributes, 1 selector`; nil if the file is
  /// unchanged.
  public var summary: String? {
    let phrases = Rewriting.allCases.compactMap { kind in counts[kind].map(kind.phrase) }
    return phrases.isEmpty ? nil : "\(file): \(phrases.joined(separator: ", "))"
  }
}
