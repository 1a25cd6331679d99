/// A kind of documents that Microsoft Graph exports.
package protocol DocumentKind: Sendable {
  associatedtype ErrorCode: DocumentErrorCode
  associatedtype WarningCode: DocumentWarningCode
}

extension DocumentKind {
  package typealias Failure = DocumentError<ErrorCode>
  package typealias Warning = DocumentWarning<WarningCode>
}

/// A kind of documents that Intune manages apps with: assigned to groups, and targeted at apps.
package protocol AppDocumentKind: DocumentKind
where ErrorCode: AppDocumentErrorCode, WarningCode: AppDocumentWarningCode {
  /// One of them, of which nothing is known yet: `an app configuration`.
  static var indefiniteName: String { get }
  /// One of them, in a sentence about it: `the configuration`.
  static var definiteName: String { get }
  /// What an entry of `apps` without a bundle id is; nil where documents may be for apps of several platforms.
  static var appWithoutBundleID: WarningCode? { get }

  /// The words that are known, none of which was found: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String
}

/// The rules that documents for apps can break beside those of all kinds.
package protocol AppDocumentErrorCode: DocumentErrorCode {
  /// There is no such document.
  static var noDocument: Self { get }
  /// An object states one name twice.
  static var duplicateProperty: Self { get }
  /// A value is none of those that Graph lists.
  static var unknownValue: Self { get }
}

/// What there is to warn about in documents for apps beside what there is in all kinds.
package protocol AppDocumentWarningCode: DocumentWarningCode {
  /// White space where it cannot be meant.
  static var whiteSpace: Self { get }
  /// A document that is targeted at no app.
  static var noApps: Self { get }
  /// A document that is assigned to nobody.
  static var emptyAssignments: Self { get }
}
