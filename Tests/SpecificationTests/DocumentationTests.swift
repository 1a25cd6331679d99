import Output
@testable import Specification
import Testing

@Suite struct DocumentationTests {
  @Test func `the example in a specification's documentation conforms to the specification`() throws
  {
    let specification = try AppSpecification(
      Samples.bytes(Samples.landmarks), file: Samples.landmarks)
    let list = try #require(specification.exampleList)
    #expect(Samples.lint(Array(list.utf8), against: specification) == [])
    #expect(list.contains("<date>2026-07-31T16:00:00Z</date>"))
  }

  @Test(
    arguments: [
      #""a": { "type": "integer", "minimum": 3 }"#,
      #""a": { "exclusiveMaximum": 0, "type": "number" }"#,
      #""a": { "type": "integer", "multipleOf": 7, "minimum": 8 }"#,
      #""a": { "type": "string", "minLength": 20 }"#, #""a": { "type": "string", "maxLength": 2 }"#,
      #""a": { "type": "string", "format": "ipv6" }"#,
      #""a": { "type": "string", "contentEncoding": "base64" }"#,
      #""a": { "type": "string", "format": "date-time" }"#, #""a": { "const": "<&>" }"#,
      #""a": { "type": "array", "items": { "enum": [1, 2, 3] }, "minItems": 3, "uniqueItems": true }"#,
      #""a": { "oneOf": [ { "type": "string", "pattern": "^z" }, { "type": "integer" } ] }"#,
      #""a": { "allOf": [ { "type": "object", "required": ["b"], "properties": { "b": { "type": "boolean" } } } ] }"#,
      #""a": { "type": "object", "additionalProperties": { "type": "integer" } }"#,
      #""a": { "type": "string", "pattern": "^z" }"#, #""a": { "type": ["null", "string"] }"#,
      #""a": { "default": "\u0001" }"#, #""a": { "default": "&\u0301" }"#,
      #""a": {}"#, #""a": { "properties": { "b": {} } }"#, "",
    ])
  func `an example can be generated for any schema and conforms to it`(properties: String) throws {
    let specification = try Samples.specification(properties)
    let list = try #require(specification.exampleList)
    #expect(Samples.lint(Array(list.utf8), against: specification) == [])
  }

  @Test func `a schema that no example can satisfy is reported`() throws {
    let specification = try Samples.specification(
      #""a": { "title": "A", "type": "string", "pattern": "^z" }"#, top: #""required": ["a"],"#)
    #expect(specification.exampleList == nil)
    #expect(specification.findings.map(\.rule) == [.wrongExample])
    #expect(!specification.markdown.contains("## Example"))
  }

  @Test func `the specification's text is escaped in Markdown, even in code within tables`() throws
  {
    let specification = try Samples.specification(
      ##""a|b": { "description": "*not* <b>bold</b> | `x|y` # and `one", "type": "string" }"##)
    let line = try #require(
      specification.markdown.split(separator: "\n").first { $0.contains("a\\|b") })
    #expect(
      line.hasSuffix(
        #"| \*not\* \<b>bold\</b> \| `x\|y` # and \`one |"#))
  }

  @Test func `the specification's text is escaped in HTML documentation`() throws {
    let specification = try Samples.specification(
      #""a": { "description": "<script>alert('&')</script>", "type": "string" }"#)
    #expect(!specification.html.contains("<script"))
    #expect(specification.html.contains("&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"))
  }

  @Test func `nested dictionaries of a specification are documented under their own headings`()
    throws
  {
    let specification = try Samples.specification(
      #""a": { "type": "array", "items": { "type": "object", "properties": { "b": { "type": "object", "properties": { "c": {} } } } } }"#
    )
    let headings = specification.markdown.split(separator: "\n").filter { $0.hasPrefix("###") }
    #expect(headings == ["### `a > each element`", "### `a > each element > b`"])
    #expect(specification.markdown.contains("array of dictionaries, see `a > each element`"))
  }
}
