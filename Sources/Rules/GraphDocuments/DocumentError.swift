public import Diagnostics

/// The error of a file of documents that cannot be used, with its place.
public typealias DocumentError<Rule: DocumentErrorCode> = DocumentFinding<Rule>

/// The rules whose violation makes a file unusable. All kinds of documents share the rules stated here.
public protocol DocumentErrorCode: DocumentRule {
  /// The text is no JSON.
  static var jsonSyntax: Self { get }
  /// An object states one name twice.
  static var duplicateProperty: Self { get }
  /// A property has another JSON type than Graph gives it.
  static var wrongType: Self { get }
}

extension DocumentErrorCode {
  public var severity: Severity { .error }
}
