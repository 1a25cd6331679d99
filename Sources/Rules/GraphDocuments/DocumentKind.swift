/// A kind of documents that Microsoft Graph exports.
package protocol DocumentKind: Sendable {
  associatedtype ErrorCode: DocumentErrorCode
  associatedtype WarningCode: DocumentWarningCode
}

extension DocumentKind {
  package typealias Failure = DocumentError<ErrorCode>
  package typealias Warning = DocumentWarning<WarningCode>
}

/// A kind of documents by which Intune manages apps: assigned to groups, and targeted at apps.
package protocol AppDocumentKind: DocumentKind
where ErrorCode: AppDocumentErrorCode, WarningCode: AppDocumentWarningCode {
  /// A document of the kind when first mentioned: `an app configuration`.
  static var indefiniteName: String { get }
  /// A document of the kind in a sentence about it: `the configuration`.
  static var definiteName: String { get }
  /// The warning about an entry of `apps` without a bundle id; nil where documents may be for several platforms' apps.
  static var appWithoutBundleID: WarningCode? { get }

  /// The known words, none of which was found, as a phrase: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String
}

/// The rules that documents for apps can break in addition to those of all kinds.
package protocol AppDocumentErrorCode: DocumentErrorCode {
  /// There is no such document.
  static var noDocument: Self { get }
  /// A value is not among those that Graph lists.
  static var unknownValue: Self { get }
}

/// The kinds of warnings about documents for apps, in addition to those of all kinds.
package protocol AppDocumentWarningCode: DocumentWarningCode {
  /// White space where it cannot be meant.
  static var whiteSpace: Self { get }
  /// A document that is targeted at no app.
  static var noApps: Self { get }
  /// A document that is assigned to nobody.
  static var emptyAssignments: Self { get }
}
