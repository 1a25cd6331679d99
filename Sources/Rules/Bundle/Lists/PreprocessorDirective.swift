/// A line for Xcode's preprocessor, such as `#ifdef DEBUG`.
struct PreprocessorDirective {
  /// The directive's name: `ifdef`.
  var name: String
  /// The text after the name, without white space around it.
  var argument: String

  private static let names: Set<String> = [
    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "import",
    "error", "warning", "pragma", "line",
  ]

  /// The directive in a line; nil where the line is none.
  init?(_ line: some Collection<UInt8>) {
    let text = Substring(String(decoding: line, as: UTF8.self)).drop(while: \.isWhitespace)
    guard text.first == "#" else { return nil }
    let code = text.dropFirst().drop(while: \.isWhitespace)
    name = String(code.prefix { $0.isASCII && $0.isLetter })
    guard Self.names.contains(name) else { return nil }
    let rest = code.dropFirst(name.count).drop(while: \.isWhitespace)
    let end = rest.lastIndex { !$0.isWhitespace }
    argument = end.map { String(rest[...$0]) } ?? ""
  }

  /// The directive that begins at a place; nil where none does.
  init?(at offset: Int, in text: ListText) {
    let before = text.bytes[text.lineStart(of: offset)..<offset]
    guard before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
    self.init(text.bytes[offset...].prefix { $0 != 0x0A && $0 != 0x0D })
  }

  /// The message about a list with such a line, which is no list yet.
  var refusal: String {
    "`#\(name)` is for Xcode's preprocessor (`INFOPLIST_PREPROCESS`); `sluice bundle` takes what is "
      + "defined by `--define NAME[=VALUE]`, or read what `cc -E -P -x c -traditional` makes of the list"
  }
}
