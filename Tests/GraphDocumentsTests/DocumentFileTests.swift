import Encodings
import Output
import Testing

@testable import GraphDocuments

struct DocumentFileTests {
  @Test(arguments: [
    ("", "r.json:1:1: error: the file is empty [noDocument]"),
    ("{\"a\": ", "r.json:1:7: error: expected a value, found the end of the file [jsonSyntax]"),
    (
      "[{\"a\": {\"b\": 1,\n  \"b\": 2}}]",
      "r.json:2:3: error: `b` appears twice, first on line 1 [duplicateProperty]"
    ),
  ])
  func `an unreadable JSON document is rejected with its position`(
    text: String, message: String
  ) {
    let errors = #expect(throws: DocumentErrors<Recipe.ErrorCode>.self) {
      try DocumentErrors.collecting { errors throws(Recipe.Failure) in
        try Recipe.file.root(of: Array(text.utf8), collecting: &errors)
      }
    }
    #expect(errors?.description == message)
  }

  @Test func `equal member names in different objects are not duplicates`() throws {
    let text = #"[{"a": {"a": 1}}, {"a": 2}]"#
    var errors = Recipe.ErrorCollector()
    #expect(
      try Recipe.file.root(of: Array(text.utf8), collecting: &errors).array?.count == 2)
    #expect(errors.isEmpty)
  }

  @Test(arguments: [
    ("7", 1), ("{}", 1), (#"{"value": {}}"#, 1), ("[1, 2]", 2), (#"{"value": [1, 2, 3]}"#, 3),
    (#"{"value": []}"#, 0),
  ])
  func `a Graph response, an array and a single value are each read as elements`(
    text: String, count: Int
  ) throws {
    #expect(try JSONReader.read(text).elementsOrSelf.count == count)
  }

  @Test func `a document's error, warning or note is printed on one line with its position`() {
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

struct ExportFolderTests {
  @Test(arguments: [("a/b//", "a/b"), ("/", ""), ("a", "a")])
  func `trailing slashes of an export folder's name are dropped`(given: String, name: String) {
    #expect(ExportFolder(name: given).name == name)
  }

  @Test func `an export folder's documents are JSON files that are not hidden`() {
    let folder = ExportFolder(name: "backup")
    let paths = ["b.json", "a.JSON", ".c.json", ".git/d.json", "Assignments/e.json", "f.txt"]
    #expect(folder.documents(among: paths) == ["b.json", "a.JSON", "Assignments/e.json"])
    #expect(folder.withoutAssignments(folder.documents(among: paths)) == ["a.JSON", "b.json"])
  }

  @Test func `the kind of a truncated file is recognised by the words in its text`() {
    let file = ExportFolder.File(path: "a.json", bytes: Array(#"{"type": "recipe"#.utf8))
    #expect(file.mentions(["menu", "recipe"]))
    #expect(!file.mentions(["menu"]))
    #expect(ExportFolder(name: "backup/").path(of: file) == "backup/a.json")
  }
}

struct WrappedDocumentTests {
  /// Finds a document in the text. Recipes have a title, and menus have courses.
  private static func find(_ text: String) throws -> WrappedDocument? {
    WrappedDocument(in: try JSONReader.read(text)) { value in
      if value["title"] != nil { return .match }
      return value["courses"] == nil ? .unknown : .otherDocument
    }
  }

  @Test(arguments: [
    (
      "{\"a\":\n{\"b\": {\"title\": 1}}}",
      "one is in `a.b` (line 1): save that object as a separate file"
    ),
    (
      #"{"raw": "{\"title\": 1}"}"#,
      "one is in the text of `raw` (line 1): save it as a separate file, without the "
        + "enclosing quotes and the escaping backslashes"
    ),
    (
      #"" [{\"title\": 1}]""#,
      "one is in the text: save it as a separate file, without the enclosing quotes and the escaping "
        + "backslashes"
    ),
  ])
  func `a hint locates a document that is wrapped in another object or string`(
    text: String, hint: String
  )
    throws
  {
    #expect(try Self.find(text)?.hint == hint)
  }

  @Test(arguments: [
    #"{"title": 1}"#, #"[{"title": 1}]"#, #"{"courses": [], "a": {"title": 1}}"#,
    #"{"a": {"b": {"c": {"d": {"e": {"f": {"title": 1}}}}}}}"#, #"{"a": "title"}"#,
  ])
  func `the search for a wrapped document skips unwrapped, unrelated and deeply nested JSON`(
    text: String
  ) throws {
    #expect(try Self.find(text) == nil)
  }
}

struct TypeAnnotationTests {
  @Test(arguments: [
    (##""#microsoft.graph.recipe""##, "recipe", "a dish (`#microsoft.graph.recipe`)"),
    (#""recipe""#, "recipe", "a dish (`recipe`)"), (#"".""#, "", "a dish (`.`)"),
    ("7", "", "a number"),
  ])
  func `the name and description of an @odata.type annotation are read`(
    json: String, name: String, words: String
  )
    throws
  {
    let object = try JSONReader.read("{\"@odata.type\": \(json)}")
    let annotation = try #require(TypeAnnotation(of: object))
    #expect(annotation.name == name)
    #expect(annotation.words("a dish") == words)
    #expect(annotation.position == Position(line: 1, column: 17))
  }

  @Test func `an object without @odata.type has no type annotation`() throws {
    #expect(TypeAnnotation(of: try JSONReader.read("{}")) == nil)
    #expect(TypeAnnotation(of: try JSONReader.read("[]")) == nil)
  }
}
