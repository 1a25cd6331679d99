package import JSON
package import Output

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

/// A file with documents of one kind.
package struct DocumentFile<Kind: DocumentKind>: Sendable {
  /// The name by which messages cite the file.
  package let name: String

  /// Creates a file with the name that messages cite.
  package init(_ name: String) { self.name = name }

  /// The JSON value that `bytes` hold, in UTF-8 or UTF-16, in which no object states a name twice.
  ///
  /// - Throws: ``DocumentError`` where `bytes` are no JSON, and where an object states a name twice.
  package func value(of bytes: [UInt8]) throws(Kind.Failure) -> JSONValue {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw failure(
        .jsonSyntax, error.position,
        ForeignText(bytes, file: name)?.message ?? error.message)
    }
    try refuseDuplicates(in: value)
    return value
  }

  private func refuseDuplicates(in value: JSONValue) throws(Kind.Failure) {
    for element in value.array ?? [] { try refuseDuplicates(in: element) }
    var lines: [String: Int] = [:]
    for member in value.members ?? [] {
      if let line = lines.updateValue(member.position.line, forKey: member.name) {
        throw failure(
          .duplicateProperty, member.position,
          "`\(member.name)` is stated twice, first on line \(line)")
      }
      try refuseDuplicates(in: member.value)
    }
  }

  /// The error of breaking a rule at a place in the file.
  package func failure(
    _ code: Kind.ErrorCode, _ position: Position, _ message: String
  ) -> Kind.Failure {
    Kind.Failure(code, file: name, at: position, message)
  }

  /// The error that `expectation` is not met: `` `name` must be a string, found a number ``.
  package func mismatch(_ expectation: String, _ value: JSONValue) -> Kind.Failure {
    failure(.wrongType, value.position, "\(expectation), found \(value.kindName)")
  }

  /// The error about a value that should be a string; for a number, with the string to write.
  func unquoted(_ name: String, _ value: JSONValue) -> Kind.Failure {
    let hint =
      switch value.kind {
      case .number(let spelling): "; write `\"\(spelling)\"`"
      case .null, .bool, .string, .array, .object: ""
      }
    return failure(
      .wrongType, value.position,
      "`\(name)` must be a string, found \(value.kindName)\(hint)")
  }
}

extension DocumentFile where Kind: AppDocumentKind {
  /// The JSON value of the whole file, in which no object states a name twice.
  ///
  /// - Throws: ``DocumentError`` where the file is empty or no JSON, and where an object states a name twice.
  package func root(of bytes: [UInt8]) throws(Kind.Failure) -> JSONValue {
    guard !bytes.isEmpty else {
      throw Kind.Failure(.noDocument, file: name, "the file is empty")
    }
    return try value(of: bytes)
  }
}

// MARK: - Findings

/// A mistake in a file of documents, with its place: an error or a warning, as its rule says.
package struct DocumentFinding<Rule: DocumentRule>: Sendable, Hashable, CustomStringConvertible {
  /// The rules that a file can break.
  package typealias Code = Rule

  package var code: Code
  /// The path of the file as the user named it.
  package var file: String
  package var position: Position
  /// The message, in lower case, without full stop, with user input in backticks.
  package var message: String

  /// Creates a finding.
  ///
  /// - Parameter position: The place at fault; the beginning of the file where all of it is meant.
  package init(
    _ code: Code, file: String, at position: Position = Position(line: 1, column: 1),
    _ message: String
  ) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  package var diagnostic: Diagnostic {
    Diagnostic(.file(file, position), message, rule: code.rawValue, severity: code.severity)
  }

  /// The finding as a line: `file:line:column: error: message [code]`, or `warning` or `note` in place of `error`.
  package var description: String { diagnostic.description }
}

extension Sequence {
  /// The findings as lines, in the order of their files and places.
  package func inOrder<Rule>() -> [String] where Element == DocumentFinding<Rule> {
    sorted { $0.diagnostic.precedes($1.diagnostic) }.map(\.description)
  }
}

extension DocumentFinding: Error where Rule: DocumentErrorCode {}

/// A rule that files with one kind of document can break.
package protocol DocumentRule: RawRepresentable<String>, Hashable, Sendable {
  var severity: Severity { get }
}

/// The error of a file of documents that cannot be used, with its place.
package typealias DocumentError<Rule: DocumentErrorCode> = DocumentFinding<Rule>

/// The rules whose violation makes a file unusable. All kinds of documents share the rules stated here.
package protocol DocumentErrorCode: DocumentRule {
  /// The text is no JSON.
  static var jsonSyntax: Self { get }
  /// An object states one name twice.
  static var duplicateProperty: Self { get }
  /// A property has another JSON type than Graph gives it.
  static var wrongType: Self { get }
}

extension DocumentErrorCode {
  package var severity: Severity { .error }
}

/// A probable mistake in a document that can be used all the same.
package typealias DocumentWarning<Rule: DocumentWarningCode> = DocumentFinding<Rule>

/// The kinds of warnings about one kind of document.
package protocol DocumentWarningCode: DocumentRule {
  /// A name that no property of such a document has.
  static var unknownProperty: Self { get }

  /// Whether the warning is only a note: most documents of the kind give it, mistake or not.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  package var isNote: Bool { false }

  package var severity: Severity { isNote ? .note : .warning }
}
