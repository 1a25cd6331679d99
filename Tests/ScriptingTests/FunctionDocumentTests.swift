import TestSupport
import Testing

@testable import Scripting

/// What `docs/scripting.md` says of functions, it says as their declarations do.
struct FunctionDocumentTests {
  @Test func `the documented tables of functions match the declarations`() throws {
    try Document.check("docs/scripting.md") { text in
      try ScriptFunction.subjects.reduce(text) { text, subject in
        try Document.replacing(
          ["| call | what it does | result |", "| --- | --- | --- |"]
            + subject.value.map {
              Document.row(["`\($0.signature)`", $0.summary, $0.result])
            },
          madeOf: "ScriptFunction.swift: \(subject.key)", in: text)
      }
    }
  }

  @Test func `function names are unique`() {
    let names = ScriptFunction.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `no required argument follows an optional one`() {
    for function in ScriptFunction.all {
      let required = function.parameters.drop { !$0.isOptional }.filter { !$0.isOptional }
      #expect(required.isEmpty, "\(function.name)")
    }
  }
}

extension ScriptFunction {
  /// The call as a script writes it: a question mark follows what may be left out.
  fileprivate var signature: String {
    let arguments = parameters.map(\.text).joined(separator: ", ")
    // Lua needs no parentheses around a table that is the only argument.
    return parameters.count == 1 && parameters[0].fields != nil
      ? "\(name) \(arguments)" : "\(name)(\(arguments))"
  }
}

extension ScriptParameterForm {
  fileprivate var text: String {
    if let fields { return "{ \(fields.map(\.text).joined(separator: ", ")) }" }
    return name + (isOptional ? "?" : "") + (type == "string" ? "" : ": \(type)")
  }
}
