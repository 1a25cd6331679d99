internal import Diagnostics
internal import JSON

/// Applies Xcode's preprocessor to a list: directives are removed, and so are the parts whose conditions do not hold.
/// They become blanks, so that places stay those of the file.
///
/// Source: Xcode, "Build settings reference", Preprocess Info.plist File; GCC, "The C Preprocessor".
struct ListPreprocessor {
  /// The lines from `#if` to `#endif`.
  private struct Conditional {
    var directive: PreprocessorDirective
    var line: Int
    /// Whether all surrounding parts are kept.
    var isReached: Bool
    /// Whether the current part is kept.
    var isKept: Bool
    /// Whether one of the parts was kept, so that no other is.
    var isSettled: Bool
    var hasElse = false
  }

  private let text: ListText
  private let file: String
  private var macros: [String: String]
  private var open: [Conditional] = []
  private var bytes: [UInt8]
  private var findings: [BundleFinding] = []
  private var told: Set<String> = []

  /// - Parameter macros: The defined macros; nil: the list is not preprocessed.
  /// - Returns: As many bytes as the text has, and the findings about them.
  /// - Throws: ``BundleError`` where a condition cannot be read, or does not end.
  static func source(
    of text: ListText, macros: [String: String]?, file: String
  ) throws(BundleError) -> (source: [UInt8], findings: [BundleFinding]) {
    guard let macros else { return (text.bytes, []) }
    var preprocessor = ListPreprocessor(
      text: text, file: file, macros: macros, bytes: text.bytes)
    try preprocessor.run()
    return (preprocessor.bytes, preprocessor.findings)
  }

  private init(text: ListText, file: String, macros: [String: String], bytes: [UInt8]) {
    self.text = text
    self.file = file
    self.macros = macros
    self.bytes = bytes
  }

  private mutating func run() throws(BundleError) {
    var lines = text.lines[...]
    while var line = lines.popFirst() {
      guard var directive = PreprocessorDirective(text.bytes[line]) else {
        if isKept { lookForMacros(in: line) } else { blank(line) }
        continue
      }
      // A backslash takes the next line along.
      while directive.argument.hasSuffix("\\"), let next = lines.popFirst() {
        line = line.lowerBound..<next.upperBound
        let joined = String(decoding: text.bytes[line], as: UTF8.self)
          .split(whereSeparator: \.isNewline).map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }
        directive = PreprocessorDirective(joined.joined(separator: " ").utf8) ?? directive
      }
      blank(line)
      try obey(directive, at: line.lowerBound)
    }
    if let last = open.last {
      throw error(
        "the `#\(last.directive.name)` does not end: `#endif` is missing", at: last.line)
    }
  }

  private var isKept: Bool { open.last?.isKept ?? true }

  // MARK: Directives

  private mutating func obey(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    switch directive.name {
    case "if", "ifdef", "ifndef": try begin(directive, at: place)
    case "elif", "else": try turn(directive, at: place)
    case "endif":
      guard open.popLast() != nil else { throw error("`#endif` without `#if`", at: place) }
    case _ where !isKept: break
    case "define":
      let name = Self.name(of: directive)
      macros[name] = String(
        directive.argument.dropFirst(name.count).drop(while: \.isWhitespace))
    case "undef": macros[Self.name(of: directive)] = nil
    case "include", "import":
      warn(
        "`#\(directive.name) \(directive.argument)` is not followed; "
          + "give what it defines with `--define`", at: place)
    case "error": throw error("`#error \(directive.argument)`", at: place)
    default:  // open: any other directive
      break
    }
  }

  private mutating func begin(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    let isReached = isKept
    let holds = isReached ? try holds(directive, at: place) : false
    open.append(
      Conditional(
        directive: directive, line: place, isReached: isReached, isKept: holds, isSettled: holds))
  }

  private mutating func turn(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) {
    guard var last = open.popLast(), !last.hasElse else {
      throw error("`#\(directive.name)` without `#if`", at: place)
    }
    last.hasElse = directive.name == "else"
    let isAsked = last.isReached && !last.isSettled
    if last.hasElse || !isAsked {
      last.isKept = isAsked
    } else {
      last.isKept = try holds(directive, at: place)
    }
    last.isSettled = last.isSettled || last.isKept
    open.append(last)
  }

  private func holds(
    _ directive: PreprocessorDirective, at place: Int
  ) throws(BundleError) -> Bool {
    switch directive.name {
    case "ifdef": return macros[Self.name(of: directive)] != nil
    case "ifndef": return macros[Self.name(of: directive)] == nil
    default:  // open: the names `if` and `elif`
      break
    }
    do throws(PreprocessorCondition.Fault) {
      return try PreprocessorCondition.holds(directive.argument, macros: macros)
    } catch {
      throw self.error("the condition of `#\(directive.name)`: \(error.message)", at: place)
    }
  }

  private static func name(of directive: PreprocessorDirective) -> String {
    String(directive.argument.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) })
  }

  // MARK: Text

  private mutating func blank(_ line: Range<Int>) {
    for index in line where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
  }

  /// Warns of macros in the text. The preprocessor would replace a macro by its value; here the macro stays.
  private mutating func lookForMacros(in line: Range<Int>) {
    guard !macros.isEmpty else { return }
    let words = text.bytes[line].split { byte in
      let character = Character(Unicode.Scalar(byte))
      return
        !(byte == UInt8(ascii: "_") || byte < 0x80 && (character.isLetter || character.isNumber))
    }
    for word in words {
      let name = String(decoding: word, as: UTF8.self)
      guard let value = macros[name], value != name, told.insert(name).inserted else { continue }
      warn(
        "`\(name)` is defined as `\(value)` and stays as it is: macros in the text are not replaced",
        at: word.startIndex)
    }
  }

  private mutating func warn(_ message: String, at offset: Int) {
    findings.append(
      BundleFinding(.preprocessor, file: file, at: text.position(of: offset), message))
  }

  private func error(_ message: String, at offset: Int) -> BundleError {
    let place = text.position(of: offset)
    return BundleError(file: file, line: place.line, column: place.column, message: message)
  }
}
