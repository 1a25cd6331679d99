@testable import GraphDocuments
import JSON
import Testing

struct TypeAnnotationTests {
  @Test(arguments: [
    (##""#microsoft.graph.recipe""##, "recipe", "a dish (`#microsoft.graph.recipe`)"),
    (#""recipe""#, "recipe", "a dish (`recipe`)"), (#"".""#, "", "a dish (`.`)"),
    ("7", "", "a number"),
  ])
  func `an annotation has a name and words`(json: String, name: String, words: String) throws {
    let object = try JSONReader.read("{\"@odata.type\": \(json)}")
    let annotation = try #require(TypeAnnotation(of: object))
    #expect(annotation.name == name)
    #expect(annotation.words("a dish") == words)
    #expect(annotation.position == Position(line: 1, column: 17))
  }

  @Test func `an object without it has none`() throws {
    #expect(TypeAnnotation(of: try JSONReader.read("{}")) == nil)
    #expect(TypeAnnotation(of: try JSONReader.read("[]")) == nil)
  }
}
