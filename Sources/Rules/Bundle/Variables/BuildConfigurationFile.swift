internal import Diagnostics

/// Reads `.xcconfig` files.
///
/// Source: Xcode, "Adding a build configuration file to your project".
package struct BuildConfigurationFile {
  /// The settings of the file and of the files that it includes.
  package private(set) var settings: BuildSettings
  /// The warnings about lines that were passed over: `file:line: warning: …`.
  package private(set) var warnings: [String] = []
  private let load: (String) throws(BundleError) -> [UInt8]?
  private var including: [String] = []
  /// The number of files read and of their bytes, each inclusion counted, and the bytes of all values.
  private var (fileCount, textSize, size) = (0, 0, 0)

  private static let maximumFiles = 1000
  private static let maximumTextSize = 64 << 20
  private static let maximumSize = 4 << 20

  /// Reads a file and the files that it includes.
  ///
  /// - Parameters:
  ///   - settings: The settings that hold already, and that `$(inherited)` refers to.
  ///   - load: A function that gives the bytes of a file, nil where there is none.
  /// - Throws: ``BundleError`` for a file that cannot be read or includes itself, and for a
  ///   line that a configuration cannot have.
  package init(
    _ path: String, over settings: BuildSettings = BuildSettings(),
    load: @escaping (String) throws(BundleError) -> [UInt8]?
  ) throws(BundleError) {
    self.settings = settings
    self.load = load
    guard let bytes = try load(path) else {
      throw BundleError(file: path, message: "cannot be read")
    }
    try read(bytes, file: path)
  }

  private mutating func read(_ bytes: [UInt8], file: String) throws(BundleError) {
    fileCount += 1
    guard fileCount <= Self.maximumFiles else {
      throw BundleError(file: file, message: "more than \(Self.maximumFiles) files are included")
    }
    textSize += bytes.count
    guard textSize <= Self.maximumTextSize else {
      throw BundleError(
        file: file, message: "with it the files have more than \(Self.maximumTextSize >> 20) MiB")
    }
    including.append(file)
    defer { including.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let code = Self.trimmed(line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
      if code.isEmpty { continue }
      if code.hasPrefix("#include") {
        try include(code.dropFirst("#include".count), file: file, line: index + 1)
      } else {
        try assign(code, file: file, line: index + 1)
      }
    }
  }

  private mutating func include(
    _ directive: Substring, file: String, line: Int
  ) throws(BundleError) {
    let isOptional = directive.hasPrefix("?")
    let name = Self.trimmed(isOptional ? directive.dropFirst() : directive)
    guard name.count > 2, name.first == "\"", name.last == "\"" else {
      throw BundleError(
        file: file, line: line, message: "expected `#include \"file.xcconfig\"`")
    }
    let target = Self.sibling(String(name.dropFirst().dropLast()), of: file)
    guard !including.contains(target), including.count < 32 else {
      throw BundleError(file: file, line: line, message: "`\(target)` includes itself")
    }
    guard let bytes = try load(target) else {
      if isOptional { return }
      throw BundleError(file: file, line: line, message: "`\(target)` cannot be read")
    }
    try read(bytes, file: target)
  }

  private mutating func assign(
    _ code: Substring, file: String, line: Int
  ) throws(BundleError) {
    guard let equals = Self.assignment(in: code) else {
      throw BundleError(file: file, line: line, message: "expected `NAME = value`, found `\(code)`")
    }
    let left = Self.trimmed(code[..<equals])
    var value = Self.trimmed(code[code.index(after: equals)...])
    if value.last == ";" { value = Self.trimmed(value.dropLast()) }
    guard left.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), !left.isEmpty else {
      if let bracket = left.firstIndex(of: "[") {
        let message = "`\(left[..<bracket])` is set for \(left[bracket...]) only, which is ignored"
        warnings.append(
          Diagnostic(.path("\(file):\(line)"), message, rule: "bundle", severity: .warning)
            .description)
        return
      }
      throw BundleError(
        file: file, line: line, message: "`\(left)` is not the name of a build setting")
    }
    let name = String(left)
    let before = settings[name] ?? ""
    let references = ["$(inherited)", "${inherited}", "$(\(name))", "${\(name)}"]
    // Each may be a copy of all before it: what it comes to is counted before it is made.
    size += value.utf8.count
    for reference in references where !before.isEmpty {
      size += before.utf8.count * value.ranges(of: reference).count
    }
    guard size <= Self.maximumSize else {
      throw BundleError(
        file: file, line: line,
        message: "with `\(name)` the values have more than \(Self.maximumSize) bytes")
    }
    settings[name] = references.reduce(String(value)) { $0.replacing($1, with: before) }
  }

  /// The index of the equals sign after the name and its conditions; nil where there is none.
  private static func assignment(in code: Substring) -> Substring.Index? {
    var isInBrackets = false
    for index in code.indices {
      switch code[index] {
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "=" where !isInBrackets: return index
      default:  // open: any other character
        break
      }
    }
    return nil
  }

  private static func sibling(_ name: String, of file: String) -> String {
    guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
    return file[...slash] + name
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }
}
