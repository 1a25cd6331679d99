internal import Output

/// The values of build variables such as `$(PRODUCT_NAME)`. Property lists in source repositories contain such
/// variables.
///
/// Source: Xcode, "Build settings reference".
package struct BuildSettings: Sendable {
  private var values: [String: String] = [:]
  /// Whether these are settings for another target than the given ones (``ofOtherTarget``).
  private(set) var isOfOtherTarget = false

  package init() {}

  /// Creates the settings that result from a team id: the team, and the two prefixes that entitlements use.
  package init(team: String) { setTeam(team) }

  package init(_ values: [String: String]) { self.values = values }

  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// These settings for another target, such as an extension of the app. Each target has its own bundle id.
  var ofOtherTarget: BuildSettings {
    var result = self
    result.values["PRODUCT_BUNDLE_IDENTIFIER"] = nil
    result.isOfOtherTarget = true
    return result
  }

  /// Sets the team id, and the two prefixes in entitlements that are derived from it.
  mutating func setTeam(_ team: String) {
    for name in ["AppIdentifierPrefix", "TeamIdentifierPrefix"] { values[name] = "\(team)." }
    values["DEVELOPMENT_TEAM"] = team
  }

  /// Returns these settings, completed with settings of `other` that are missing here.
  package func over(_ other: BuildSettings) -> BuildSettings {
    var result = self
    result.values.merge(other.values) { own, _ in own }
    return result
  }

  /// The definitions that Xcode uses for variables without a value.
  private static let derived = [
    "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
    "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
    "PRODUCT_NAME": "$(TARGET_NAME)",
    "AppIdentifierPrefix": "$(DEVELOPMENT_TEAM).",
    "TeamIdentifierPrefix": "$(DEVELOPMENT_TEAM).",
    "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
  ]

  fileprivate func definition(of name: String) -> String? { values[name] ?? Self.derived[name] }

  /// Replaces the variables in a text by their values. A variable without a value stays in the text.
  package func expanding(_ text: String) -> ExpandedText {
    guard text.contains("$(") || text.contains("${") else {
      return ExpandedText(text: text, unresolved: [])
    }
    var expander = VariableExpander(settings: self)
    let result = expander.expanding(text)
    return ExpandedText(text: result, unresolved: expander.unresolved)
  }
}

/// A text whose variables are replaced by their values.
package struct ExpandedText: Sendable, Equatable {
  /// The text. Variables that could not be replaced are still in it.
  package var text: String
  package var unresolved: [UnresolvedVariable]
}

package struct UnresolvedVariable: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    case noValue
    /// The variable has no value for an extension of the app, although it may have one for the app.
    case noValueOfExtension
    case unknownModifier(String)
    case circular
    case tooLong
    /// The variable is nested too deeply in the names or values of other variables.
    case tooDeep
    /// The variable has no closing bracket.
    case open
  }

  package var name: String
  package var reason: Reason

  /// A message that states the error and how to fix it, in lower case, without a full stop.
  package var message: String {
    switch reason {
    case .noValue: "the variable `\(name)` has no value; give one with `--set \(name)=…`"
    case .noValueOfExtension:
      "the variable `\(name)` has no value for an extension of an app; "
        + "examine the extension by itself, with `--set \(name)=…`"
    case .unknownModifier(let modifier):
      "the variable `\(name)` has the modifier `\(modifier)`, which is unknown"
        + Suggestion.nearest(to: modifier, among: VariableExpander.modifiers)
    case .circular: "the variable `\(name)` is defined in terms of itself"
    case .tooLong:
      "the variable `\(name)` expands to more than \(VariableExpander.limit) bytes"
    case .tooDeep:
      "the variable `\(name)` is nested in more than \(VariableExpander.maximumDepth) others"
    case .open: "the variable `\(name)` has no closing bracket"
    }
  }
}

// MARK: - Variable expansion

private struct VariableExpander {
  static let modifiers = [
    "rfc1034identifier", "c99extidentifier", "identifier", "lower", "upper", "default=",
  ]

  /// The maximum of ``made``, which measures the work of expanding one text.
  static let limit = 64 << 10
  /// The maximum depth at which variables may be nested in names or values of others.
  static let maximumDepth = 32

  let settings: BuildSettings
  private(set) var unresolved: [UnresolvedVariable] = []
  /// The elements of ``unresolved``, for fast lookup.
  private var reported: Set<UnresolvedVariable> = []
  /// The depth at which the current variable is nested in the names of others.
  private var nesting = 0
  /// The variables whose values are being expanded. A variable that refers to one of them is circular.
  private var pending: [String] = []
  /// The work so far: the number of variables looked up, and the bytes of their values.
  private var made = 0

  init(settings: BuildSettings) { self.settings = settings }

  mutating func expanding(_ text: String) -> String {
    var rest = Substring(text)
    var result = ""
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      guard let bracket = Self.opening(of: rest) else {
        result += "$"
        rest = rest.dropFirst()
        continue
      }
      guard let end = Self.end(of: rest, bracket) else {
        unresolved.append(UnresolvedVariable(name: String(rest.prefix(40)), reason: .open))
        break
      }
      let whole = rest[..<rest.index(after: end)]
      let inside = whole.dropFirst(2).dropLast()
      result += value(String(inside)) ?? String(whole)
      rest = rest[whole.endIndex...]
    }
    return result + rest
  }

  private static func opening(of text: Substring) -> (open: Character, close: Character)? {
    switch text.dropFirst().first {
    case "(": ("(", ")")
    case "{": ("{", "}")
    default:  // open: any other character, or none
      nil
    }
  }

  /// Returns the index of the bracket that closes a variable; nil if there is none. `text` begins with the dollar sign.
  private static func end(
    of text: Substring, _ bracket: (open: Character, close: Character)
  ) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      StepCounter.add(1)
      if text[index] == bracket.open { depth += 1 }
      if text[index] == bracket.close {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// Returns the value of a variable with its modifiers applied; nil if the variable has no value and therefore stays
  /// in the text.
  ///
  /// - Parameter reference: The text inside the brackets: `NAME`, or `NAME:modifier:modifier`.
  private mutating func value(_ reference: String) -> String? {
    made += 1
    guard made <= Self.limit, pending.count < Self.maximumDepth else {
      let reason: UnresolvedVariable.Reason = made > Self.limit ? .tooLong : .tooDeep
      return fail(reference, pending.contains(reference) ? .circular : reason)
    }
    guard let inner = name(reference) else { return nil }
    let colon = inner.firstIndex(of: ":")
    let name = String(inner[..<(colon ?? inner.endIndex)])
    let modifiers = colon.map { inner[inner.index(after: $0)...] } ?? ""
    if name.isEmpty, modifiers.isEmpty { return "" }
    let other = modifiers.firstRange(of: "default=").map { String(modifiers[$0.upperBound...]) }
    guard let definition = settings.definition(of: name) ?? other else {
      let isOwn = settings.isOfOtherTarget && name == "PRODUCT_BUNDLE_IDENTIFIER"
      return fail(name, isOwn ? .noValueOfExtension : .noValue)
    }
    guard !pending.contains(name) else { return fail(name, .circular) }
    pending.append(name)
    let failures = unresolved.count
    let plain = expanding(definition)
    pending.removeLast()
    // A derived value is used only if all of its variables are resolved.
    if unresolved.count > failures, settings[name] == nil {
      for failure in unresolved[failures...] { reported.remove(failure) }
      unresolved.removeSubrange(failures...)
      return fail(name, .noValue)
    }
    made += plain.utf8.count
    return applying(modifiers, to: plain, name: name)
  }

  /// Returns `reference` with the variables inside it expanded, as in `$(NAME_$(CONFIGURATION))`. Returns nil if one of
  /// them has no value.
  private mutating func name(_ reference: String) -> String? {
    guard reference.contains("$") else { return reference }
    guard nesting < Self.maximumDepth else { return fail("\(reference.prefix(40))…", .tooDeep) }
    nesting += 1
    defer { nesting -= 1 }
    let failures = unresolved.count
    let name = expanding(reference)
    return unresolved.count == failures ? name : nil
  }

  private mutating func applying(
    _ modifiers: Substring, to plain: String, name: String
  ) -> String? {
    var text = plain
    for modifier in modifiers.split(separator: ":") {
      if modifier.hasPrefix("default=") { break }
      guard let changed = Self.applying(modifier, to: text) else {
        return fail(name, .unknownModifier(String(modifier)))
      }
      text = changed
    }
    return text
  }

  private static func applying(_ modifier: Substring, to text: String) -> String? {
    switch modifier {
    case "rfc1034identifier":
      return String(
        text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." ? $0 : "-" })
    case "c99extidentifier", "identifier":
      let name = String(text.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
      return name.first?.isNumber == true ? "_" + name.dropFirst() : name
    case "lower": return text.lowercased()
    case "upper": return text.uppercased()
    default:  // open: any other modifier
      return nil
    }
  }

  private mutating func fail(_ name: String, _ reason: UnresolvedVariable.Reason) -> String? {
    let failure = UnresolvedVariable(name: name, reason: reason)
    if reported.insert(failure).inserted { unresolved.append(failure) }
    return nil
  }
}

// MARK: - Files

/// A reader of `.xcconfig` files.
///
/// Source: Xcode, "Adding a build configuration file to your project".
package struct BuildConfigurationFile {
  /// The settings after reading the file and all included files.
  package private(set) var settings: BuildSettings
  /// A warning for each ignored line, in the form `file:line: warning: …`.
  package private(set) var warnings: [String] = []
  private let load: (String) throws(BundleError) -> [UInt8]?
  private var including: [String] = []
  /// The number of files read, the bytes in them, and the bytes in all values. A file counts each time it is included.
  private var (fileCount, textSize, size) = (0, 0, 0)

  private static let maximumFiles = 1000
  private static let maximumTextSize = 64 << 20
  private static let maximumSize = 4 << 20

  /// Reads a file and the files that it includes.
  ///
  /// - Parameters:
  ///   - settings: The earlier settings, to which `$(inherited)` refers.
  ///   - load: Returns the content of a file; nil if the file does not exist.
  /// - Throws: ``BundleError`` if a file cannot be read, includes itself or is included too deeply, if a line is
  ///   invalid, or if the files or values exceed a limit.
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
        file: file, message: "the files together exceed \(Self.maximumTextSize >> 20) MiB")
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
    guard !including.contains(target) else {
      throw BundleError(file: file, line: line, message: "`\(target)` includes itself")
    }
    guard including.count < 32 else {
      throw BundleError(
        file: file, line: line, message: "files are included more than 32 levels deep")
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
        let message =
          "`\(left[..<bracket])` applies only to \(left[bracket...]), so Sluice ignores this value"
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
    // Each reference may double the value, so the size is checked before the value is built.
    size += value.utf8.count
    for reference in references where !before.isEmpty {
      size += before.utf8.count * value.ranges(of: reference).count
    }
    guard size <= Self.maximumSize else {
      throw BundleError(
        file: file, line: line,
        message:
          "with the value of `\(name)`, the values together exceed \(Self.maximumSize) bytes"
      )
    }
    settings[name] = references.reduce(String(value)) { $0.replacing($1, with: before) }
  }

  /// Returns the index of the equals sign that separates name and value; nil if there is none. An equals sign in
  /// brackets belongs to a condition.
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
