import GraphDocuments
import JSON

/// A kind of documents that Graph does not have, for apps.
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

  /// A reader of the object that `text` is.
  static func reader(_ text: String) throws -> ObjectReader<Recipe> {
    ObjectReader(try file.root(of: Array(text.utf8)), in: file)
  }
}
