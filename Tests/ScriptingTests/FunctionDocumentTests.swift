import Foundation
import TestSupport
import Testing

@testable import Scripting

/// The documents describe functions as their declarations do.
struct FunctionDocumentTests {
  @Test func `docs/schema/sluice.lua matches the declarations`() throws {
    try Document.check("docs/schema/sluice.lua") { _ in
      let tables = Set(ScriptFunction.all.map { $0.name.prefix { $0 != "." } }).sorted()
      let head = [
        "---@meta", "-- The functions of scripts that ask the device: docs/scripting.md.", "",
        "---@class item: table", "",
      ]
      let functions = ScriptFunction.subjects.flatMap { subject in
        ["", "-- \(subject.key)"]
          + subject.value.flatMap { ["", $0.comment] + $0.tags + [$0.stub] }
      }
      return (head + tables.map { "\($0) = {}" } + functions).joined(separator: "\n") + "\n"
    }
  }

  @Test func `docs/scripting.md lists every script function`() throws {
    try Document.check("docs/scripting.md") { text in
      try ScriptFunction.subjects.reduce(text) { text, subject in
        let names = subject.value.map { "`\($0.name)`" }.joined(separator: ", ")
        return try Document.replacing(
          Document.item(names), madeOf: "ScriptFunction.swift: \(subject.key)", in: text)
      }
    }
  }

  @Test func `names of script functions are unique`() {
    let names = ScriptFunction.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `in script functions, required arguments precede optional arguments`() {
    for function in ScriptFunction.all {
      let required = function.parameters.drop { !$0.isOptional }.filter { !$0.isOptional }
      #expect(required.isEmpty, "\(function.name)")
    }
  }
}

extension ScriptFunction {
  /// The effect and the result as a comment.
  fileprivate var comment: String {
    let sentence = summary.prefix(1).uppercased() + summary.dropFirst()
    return "--- \(sentence)." + (result == "nothing" ? "" : " Result: \(result).")
  }

  /// The annotations for editors.
  fileprivate var tags: [String] {
    parameters.map { "---@param \($0.variable)\($0.isOptional ? "?" : "") \($0.annotation)" }
      + (result == "nothing" ? [] : ["---@return any"])
  }

  fileprivate var stub: String {
    "function \(name)(\(parameters.map(\.variable).joined(separator: ", "))) end"
  }
}

extension ScriptParameterForm {
  /// The argument's name. A table of named arguments has none.
  fileprivate var variable: String { fields == nil ? name : "options" }

  /// The type in the notation of lua-language-server.
  fileprivate var annotation: String {
    guard let fields else {
      return type.replacing("list of strings", with: "string[]").replacing(" or ", with: "|")
    }
    let members = fields.map { "\($0.name)\($0.isOptional ? "?" : ""): \($0.annotation)" }
    return "{ \(members.joined(separator: ", ")) }"
  }
}
