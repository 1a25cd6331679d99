public import Encodings
public import Output
internal import SwiftParser
public import SwiftSyntax

/// A Swift source file that parses without errors.
public struct ParsedSource: Sendable {
  /// The path of the file as the user entered it.
  public let file: String
  /// The contents of the file without the byte order mark.
  public let bytes: [UInt8]
  /// Whether the file begins with a byte order mark.
  public let hasByteOrderMark: Bool
  /// The syntax tree of ``bytes``.
  public let tree: SourceFileSyntax
  private let lines: LineIndex

  /// Parses a file.
  ///
  /// - Throws: ``SyntaxFaults`` if the file is not UTF-8 text or not Swift.
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

  /// Returns the position of the first token of `node`. White space and comments before it are
  /// skipped.
  public func position(of node: some SyntaxProtocol) -> Position {
    lines.position(at: node.positionAfterSkippingLeadingTrivia.utf8Offset)
  }

  /// Returns the rest of the line after `node`.
  public func restOfLine(after node: some SyntaxProtocol) -> String {
    lines.restOfLine(from: node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  /// Creates a warning at `node`.
  public func warning(
    at node: some SyntaxProtocol, _ message: String, rule: String
  ) -> Diagnostic {
    Diagnostic(.file(file, position(of: node)), message, rule: rule, severity: .warning)
  }
}
