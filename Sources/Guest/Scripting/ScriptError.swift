/// The reason why a script cannot go on.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Code
  /// `file:line: sentence [code]`.
  package let description: String

  /// The kind of failure. Raw values are the codes at the end of the sentence.
  package enum Code: String, Sendable, CaseIterable {
    /// The text is not Lua.
    case syntax = "script-syntax"
    /// An error that the script did not catch.
    case uncaught = "script-error"
    case instructions = "script-instructions"
    case memory = "script-memory"
    case time = "script-time"
    /// The file cannot be read, or is no text.
    case file = "script-file"
  }

  /// - Parameter sentence: the sentence with place and code.
  init(_ sentence: String) {
    description = sentence
    code = Code.allCases.first { sentence.hasSuffix("[\($0.rawValue)]") } ?? .uncaught
  }
}

/// An argument that a call does not take: an error in the script, with its position.
struct ScriptMisuse: Error {
  let description: String

  init(_ description: String) { self.description = description }
}
