import GraphDocuments
import JSON
import Testing

struct WrappedDocumentTests {
  /// Recipes have a title, and menus have courses.
  private static func find(_ text: String) throws -> WrappedDocument? {
    WrappedDocument(in: try JSONReader.read(text)) { value in
      if value["title"] != nil { return .match }
      return value["courses"] == nil ? .unknown : .otherDocument
    }
  }

  @Test(arguments: [
    (
      "{\"a\":\n{\"b\": {\"title\": 1}}}",
      "one is in `a.b` (line 1): save that object as a file of its own"
    ),
    (
      #"{"raw": "{\"title\": 1}"}"#,
      "one is in the text of `raw` (line 1): save it as a file of its own, without the quotes and "
        + "backslashes around it"
    ),
    (
      #"" [{\"title\": 1}]""#,
      "one is in the text: save it as a file of its own, without the quotes and backslashes around it"
    ),
  ])
  func `a document is found in an object and in a text`(text: String, hint: String) throws {
    #expect(try Self.find(text)?.hint == hint)
  }

  @Test(arguments: [
    #"{"title": 1}"#, #"[{"title": 1}]"#, #"{"courses": [], "a": {"title": 1}}"#,
    #"{"a": {"b": {"c": {"d": {"e": {"f": {"title": 1}}}}}}}"#, #"{"a": "title"}"#,
  ])
  func `none is where it is not wrapped, in another document, or deeper than tools put it`(
    text: String
  ) throws {
    #expect(try Self.find(text) == nil)
  }
}
