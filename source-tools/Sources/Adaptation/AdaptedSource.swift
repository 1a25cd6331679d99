public import Output

/// A file that was made to compile without Objective-C.
public struct AdaptedSource: Sendable {
  /// The file that it was made of, as the user named it.
  public let file: String
  /// The new contents.
  public let contents: [UInt8]
  /// The number of changes of each kind.
  public let counts: [Rewriting: Int]
  /// What could not be changed, in the order of the text.
  public let warnings: [Diagnostic]

  /// The changes in a line: `App.swift: 2 attributes, 1 selector`; nil where there are none.
  public var summary: String? {
    let phrases = Rewriting.allCases.compactMap { kind in counts[kind].map(kind.phrase) }
    return phrases.isEmpty ? nil : "\(file): \(phrases.joined(separator: ", "))"
  }
}
