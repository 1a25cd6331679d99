import GraphDocuments
import JSON
import Output
import Testing

struct DocumentFileTests {
  @Test(arguments: [
    ("", "r.json:1:1: error: the file is empty [noDocument]"),
    ("{\"a\": ", "r.json:1:7: error: expected a value, found the end of the file [jsonSyntax]"),
    (
      "[{\"a\": {\"b\": 1,\n  \"b\": 2}}]",
      "r.json:2:3: error: `b` is stated twice, first on line 1 [duplicateProperty]"
    ),
  ])
  func `what no document can be read from is refused with its place`(
    text: String, message: String
  ) {
    let error = #expect(throws: Recipe.Failure.self) {
      try Recipe.file.root(of: Array(text.utf8))
    }
    #expect(error?.description == message)
  }

  @Test func `one name in several objects is no mistake`() throws {
    let text = #"[{"a": {"a": 1}}, {"a": 2}]"#
    #expect(try Recipe.file.root(of: Array(text.utf8)).array?.count == 2)
  }

  @Test(arguments: [
    ("7", 1), ("{}", 1), (#"{"value": {}}"#, 1), ("[1, 2]", 2), (#"{"value": [1, 2, 3]}"#, 3),
    (#"{"value": []}"#, 0),
  ])
  func `Graph's answers are lists, and so are arrays`(text: String, count: Int) throws {
    #expect(try JSONReader.read(text).elementsOrSelf.count == count)
  }

  @Test func `an error and a warning are lines of their parts`() {
    let position = Position(line: 2, column: 3)
    let error = DocumentError<Recipe.ErrorCode>(.wrongType, file: "f", at: position, "no")
    #expect(error.diagnostic.message == "no")
    #expect(error.description == "f:2:3: error: no [wrongType]")
    let warning = DocumentWarning<Recipe.WarningCode>(.noApps, file: "f", at: position, "hm")
    #expect(warning.description == "f:2:3: warning: hm [noApps]")
    let note = DocumentWarning<Recipe.WarningCode>(.emptyAssignments, file: "f", "so")
    #expect(note.description == "f:1:1: note: so [emptyAssignments]")
  }
}
