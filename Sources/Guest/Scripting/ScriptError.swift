/// Why a script cannot go on.
package struct ScriptError: Error, Sendable, Hashable, CustomStringConvertible {
  package let code: Code
  /// `file:line: sentence [code]`.
  package let description: String

  /// Raw values are what the sentence ends with.
  package enum Code: String, Sendable, CaseIterable {
    /// It is no Lua.
    case syntax = "script-syntax"
    /// An error that nobody caught.
    case uncaught = "script-error"
    case instructions = "script-instructions"
    case memory = "script-memory"
    case time = "script-time"
    /// The file cannot be read, or is no text.
    case file = "script-file"
  }

  /// - Parameter sentence: with place and code.
  init(_ sentence: String) {
    description = sentence
    code = Code.allCases.first { sentence.hasSuffix("[\($0.rawValue)]") } ?? .uncaught
  }
}

/// What a script hands over that the call does not take: an error in the script, with its position.
struct ScriptMisuse: Error {
  let description: String

  init(_ description: String) { self.description = description }
}
