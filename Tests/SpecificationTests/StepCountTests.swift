import Bundle
import Testing

@testable import Specification

/// Tests that the number of steps of commands about specifications is proportional to their input.
struct StepCountTests {
  /// A construct that a specification can contain any number of times.
  struct Plenty: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Returns the keys of a specification with this number of constructs, and the further parts of its schema.
    var schema: @Sendable (Int) -> (properties: String, top: String)
  }

  private static func properties(_ count: Int) -> String {
    (0..<count).map { #""key\#($0)": { "title": "Key", "type": "string" }"# }
      .joined(separator: ",\n")
  }

  private static func required(_ count: Int) -> String {
    let keys = (0..<count).map { #""key\#($0)""# }.joined(separator: ", ")
    return #""required": [\#(keys)],"#
  }

  static let plenties = [
    Plenty(testDescription: "keys") { (properties($0), "") },
    Plenty(testDescription: "required keys") { (properties($0), required($0)) },
    Plenty(testDescription: "required keys of a part") { count in
      (
        #""other": { "type": "string" }"#,
        #""allOf": [ { "type": "object", \#(required(count)) "properties": { \#(properties(count)) } } ],"#
      )
    },
  ]

  @Test(arguments: plenties)
  func `the steps to read a specification and lint a configuration grow linearly`(plenty: Plenty)
    throws
  {
    let (few, many) = (try Self.steps(plenty, 50), try Self.steps(plenty, 200))
    #expect(few >= 50)
    #expect(many <= 5 * few, "\(few) steps for 50, \(many) for 200")
  }

  /// Returns the number of steps for documenting a specification, and for checking a configuration.
  private static func steps(_ plenty: Plenty, _ count: Int) throws -> Int {
    let (properties, top) = plenty.schema(count)
    let body = (0..<count).map { "<key>key\($0)</key><string>x</string>" }.joined(separator: "\n")
    let meter = StepCounter.Meter()
    try StepCounter.$meter.withValue(meter) {
      let specification = try Samples.specification(properties, top: top)
      #expect(specification.exampleList != nil)
      #expect(specification.markdown.contains("key\(count - 1)"))
      #expect(Samples.lint(Samples.list(body), against: specification) == [])
    }
    return meter.steps
  }
}
