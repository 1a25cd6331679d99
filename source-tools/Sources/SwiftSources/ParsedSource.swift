public import JSON
public import Output
internal import SwiftParser
public import SwiftSyntax

/// A Swift file that parses.
public struct ParsedSource: Sendable {
  /// The file, as the user named it.
  public let file: String
  /// The file's bytes behind the byte order mark.
  public let bytes: [UInt8]
  /// Whether the file begins with a byte order mark.
  public let hasByteOrderMark: Bool
  /// The tree of ``bytes``.
  public let tree: SourceFileSyntax
  private let lines: LineIndex

  /// Parses a file.
  ///
  /// - Throws: ``SyntaxFaults`` where the file is no UTF-8 text, or no Swift.
  public init(_ contents: [UInt8], file: String) throws(SyntaxFaults) {
    hasByteOrderMark = contents.starts(with: Self.byteOrderMark)
    bytes = hasByteOrderMark ? Array(contents.dropFirst(3)) : contents
    self.file = file
    lines = LineIndex(bytes)
    if let offset = InvalidText.offset(in: bytes) {
      throw SyntaxFaults(notText: file, lines.position(at: offset))
    }
    if let offset = BracketDepth.offsetOfExcess(in: bytes) {
      throw SyntaxFaults(nested: file, lines.position(at: offset))
    }
    tree = Parser.parse(source: String(decoding: bytes, as: UTF8.self))
    let faults = SyntaxFaults(of: tree, file: file, lines)
    if !faults.diagnostics.isEmpty { throw faults }
  }

  /// The byte order mark of UTF-8.
  public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The place of the first character of `node`, without the white space and comments before it.
  public func position(of node: some SyntaxProtocol) -> Position {
    lines.position(at: node.positionAfterSkippingLeadingTrivia.utf8Offset)
  }

  /// What follows `node` in its line.
  public func restOfLine(after node: some SyntaxProtocol) -> String {
    lines.restOfLine(from: node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  /// A warning about the code at `node`.
  public func warning(
    at node: some SyntaxProtocol, _ message: String, rule: String
  ) -> Diagnostic {
    Diagnostic(.file(file, position(of: node)), message, rule: rule, severity: .warning)
  }
}
