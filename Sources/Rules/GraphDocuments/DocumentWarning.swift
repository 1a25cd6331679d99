public import Diagnostics

/// A probable mistake in a document that can be used all the same.
public typealias DocumentWarning<Rule: DocumentWarningCode> = DocumentFinding<Rule>

/// The kinds of warnings about one kind of document.
public protocol DocumentWarningCode: DocumentRule {
  /// A name that no property of such a document has.
  static var unknownProperty: Self { get }

  /// Whether the warning is only a note: most documents of the kind give it, mistake or not.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  public var isNote: Bool { false }

  public var severity: Severity { isNote ? .note : .warning }
}
