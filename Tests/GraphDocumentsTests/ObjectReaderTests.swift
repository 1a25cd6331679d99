import Encodings
import Testing

@testable import GraphDocuments

struct ObjectReaderTests {
  @Test(arguments: [
    ("true", [PropertyType.boolean, .any]), ("7", [.integer, .any]), ("7.0", [.integer, .any]),
    ("7.5", [.any]), ("\"a\"", [.text, .duration, .any]),
    ("[]", [.list, .texts, .objects, .any]), ("[\"a\"]", [.list, .texts, .any]),
    ("[{}]", [.list, .objects, .any]), ("[{}, \"a\"]", [.list, .any]), ("{}", [.any]),
  ])
  func `a property type accepts exactly the JSON values that are compatible with it`(
    text: String, types: [PropertyType]
  ) throws {
    let value = try JSONReader.read(text)
    let all: [PropertyType] = [
      .boolean, .integer, .text, .duration, .list, .texts, .objects, .any,
    ]
    #expect(all.filter { $0.admits(value) } == types)
  }

  @Test func `null counts as absent for every property type`() throws {
    let reader = try Recipe.reader(#"{"title": null}"#)
    #expect(try reader.member("title", .integer) == nil)
    #expect(try reader.member("portions", .integer) == nil)
  }

  @Test func `a property of the wrong type is an error at its value`() throws {
    let reader = try Recipe.reader("{\"portions\":\n \"two\"}")
    let error = #expect(throws: Recipe.Failure.self) { try reader.member("portions", .integer) }
    #expect(
      error?.description
        == "r.json:2:2: error: `portions` must be an integer, found a string [wrongType]")
  }

  @Test func `an unknown enumeration value is an error with the known values and a suggestion`()
    throws
  {
    let reader = try Recipe.reader(#"{"course": "desert"}"#)
    let error = #expect(throws: Recipe.Failure.self) {
      let course: Recipe.Course? = try reader.member("course", .text).map(reader.choice)
      #expect(course == nil)
    }
    #expect(
      error?.description
        == "r.json:1:12: error: `desert` is not a value of `course`; expected starter/main/dessert; "
        + "did you mean `dessert`? [unknownValue]")
  }

  @Test
  func `unknown properties other than exporters' are kept, and non-empty ones cause a warning`()
    throws
  {
    var reader = try Recipe.reader(
      """
      {"titel": "a", "@odata.type": "x", "apps@odata.context": "y", "#microsoft.graph.assign": {},
       "colour": 1, "spice": null, "$description": "x", "ENV": "P"}
      """)
    reader.noteUnknown(among: Recipe.properties)
    #expect(reader.unknown.map(\.name) == ["titel", "colour", "spice"])
    #expect(
      reader.warnings.map(\.description) == [
        "r.json:1:2: warning: `titel` is not a property of a recipe and has no effect; did you mean `title`? "
          + "[unknownProperty]",
        "r.json:2:2: warning: `colour` is not a property of a recipe and has no effect [unknownProperty]",
      ])
  }

  @Test func `white space around a document's title is ignored with a warning`() throws {
    var reader = try Recipe.reader(#"{"title": "\t Pea soup\u00a0"}"#)
    let title = try #require(try reader.member("title", .text))
    #expect(reader.trimmed(title.value, "title") == "Pea soup")
    #expect(
      reader.warnings.map(\.message) == ["white space around the title `Pea soup` is ignored"])
  }

  @Test func `warnings are sorted stably by position`() throws {
    var reader = try Recipe.reader("{}")
    for (line, message) in [(2, "b"), (1, "a"), (2, "c")] {
      reader.warn(.noApps, Position(line: line, column: 1), message)
    }
    #expect(reader.sortedWarnings.map(\.message) == ["a", "b", "c"])
  }
}

struct TargetingReadingTests {
  private static func read(
    _ text: String
  ) throws -> (targeting: Targeting, warnings: [Recipe.WarningCode]) {
    var reader = try Recipe.reader(text)
    let targeting = reader.targeting()
    reader.warn(ofNoAppIn: targeting)
    reader.warnOfEmptyAssignments()
    return (targeting, reader.sortedWarnings.map(\.code))
  }

  @Test(
    arguments: [
      ("", nil), (#", "targetedAppManagementLevels": null"#, nil),
      (#", "targetedAppManagementLevels": " , ""#, nil),
      (#", "targetedAppManagementLevels": "mdm, unmanaged""#, [.mdm, .unmanaged]),
      (#", "targetedAppManagementLevels": "mdm,unspecified""#, nil),
      (#", "targetedAppManagementLevels": "androidEnterprise""#, []),
    ] as [(String, Set<Targeting.Level>?)])
  func `app management levels other than mdm and unmanaged are ignored`(
    levels: String, expected: Set<Targeting.Level>?
  ) throws {
    let (targeting, warnings) = try Self.read("{\"appGroupType\": \"allApps\"\(levels)}")
    #expect(targeting.levels == expected)
    #expect(warnings.isEmpty)
  }

  @Test func `an app without a bundle id and empty lists of apps and assignments cause warnings`()
    throws
  {
    let text = """
      {"apps": [{"mobileAppIdentifier": {"bundleId": " "}}, {"mobileAppIdentifier": null}],
       "assignments": []}
      """
    let (targeting, warnings) = try Self.read(text)
    #expect(targeting.bundleIDs.isEmpty)
    #expect(warnings == [.noApps, .noBundleID, .whiteSpace, .noBundleID, .emptyAssignments])
  }

  @Test func `bundle ids are converted to lower case`() throws {
    let text = #"{"apps": [{"mobileAppIdentifier": {"bundleId": "com.Contoso.Mail"}}]}"#
    let (targeting, warnings) = try Self.read(text)
    #expect(targeting.bundleIDs == ["com.contoso.mail"])
    #expect(warnings.isEmpty)
  }
}

/// A kind of documents that is unknown to Graph, for apps.
enum Recipe: AppDocumentKind {
  enum ErrorCode: String, AppDocumentErrorCode {
    case jsonSyntax, wrongType, noDocument, duplicateProperty, unknownValue
  }

  enum WarningCode: String, AppDocumentWarningCode {
    case unknownProperty, whiteSpace, noApps, emptyAssignments, noBundleID

    var isNote: Bool { self == .emptyAssignments }
  }

  enum Course: String, CaseIterable {
    case starter, main, dessert
  }

  static let indefiniteName = "a recipe"
  static let definiteName = "the recipe"
  static let appWithoutBundleID: WarningCode? = .noBundleID

  static func list(_ words: [String]) -> String { words.joined(separator: "/") }

  static let properties = KnownProperties([
    .boolean: ["isVegan"], .integer: ["portions"], .text: ["course", "title"],
    .texts: ["steps"], .objects: ["apps", "assignments"], .any: ["extra"],
  ])

  static let file = DocumentFile<Recipe>("r.json")

  /// Returns a reader of the object in `text`.
  static func reader(_ text: String) throws -> ObjectReader<Recipe> {
    var errors = ErrorCollector()
    return ObjectReader(try file.root(of: Array(text.utf8), collecting: &errors), in: file)
  }
}
