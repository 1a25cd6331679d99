package import Encodings
package import Output

/// A kind of document that Microsoft Graph exports.
package protocol DocumentKind: Sendable {
  associatedtype ErrorCode: DocumentErrorCode
  associatedtype WarningCode: DocumentWarningCode
}

extension DocumentKind {
  package typealias Failure = DocumentError<ErrorCode>
  package typealias ErrorCollector = DocumentErrorCollector<ErrorCode>
  package typealias Warning = DocumentWarning<WarningCode>
}

/// A kind of document with which Intune manages apps. Such documents are assigned to groups and target apps.
package protocol AppDocumentKind: DocumentKind
where ErrorCode: AppDocumentErrorCode, WarningCode: AppDocumentWarningCode {
  /// The name with an indefinite article: `an app configuration`.
  static var indefiniteName: String { get }
  /// The name with a definite article: `the configuration`.
  static var definiteName: String { get }
  /// The warning about an entry of `apps` without a bundle id; nil if several platforms are allowed.
  static var appWithoutBundleID: WarningCode? { get }

  /// Joins the known words for an error message: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String
}

package protocol AppDocumentErrorCode: DocumentErrorCode {
  static var noDocument: Self { get }
  /// A property's value is not in Graph's list.
  static var unknownValue: Self { get }
}

package protocol AppDocumentWarningCode: DocumentWarningCode {
  static var whiteSpace: Self { get }
  static var noApps: Self { get }
  static var emptyAssignments: Self { get }
}

/// A file with documents of one kind.
package struct DocumentFile<Kind: DocumentKind>: Sendable {
  /// The file's name in messages.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The file's name without its folder, for documents that state no name.
  package var shortName: String { name.split(separator: "/").last.map(String.init) ?? name }

  /// Returns the JSON value of `bytes`, in UTF-8 or UTF-16. Collects an error for each name that an object
  /// contains twice.
  ///
  /// - Throws: ``DocumentError`` if `bytes` are not JSON.
  package func value(
    of bytes: [UInt8], collecting errors: inout Kind.ErrorCollector
  ) throws(Kind.Failure) -> JSONValue {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(bytes)
    } catch {
      throw failure(
        .jsonSyntax, error.position,
        ForeignText(bytes, file: name)?.message ?? error.message)
    }
    refuseDuplicates(in: value, &errors)
    return value
  }

  private func refuseDuplicates(in value: JSONValue, _ errors: inout Kind.ErrorCollector) {
    for element in value.array ?? [] { refuseDuplicates(in: element, &errors) }
    var lines: [String: Int] = [:]
    for member in value.members ?? [] {
      if let line = lines[member.name] {
        errors.add(
          failure(
            .duplicateProperty, member.position,
            "`\(member.name)` appears twice, first on line \(line)"))
      } else {
        lines[member.name] = member.position.line
      }
      refuseDuplicates(in: member.value, &errors)
    }
  }

  package func failure(
    _ code: Kind.ErrorCode, _ position: Position, _ message: String
  ) -> Kind.Failure {
    Kind.Failure(code, file: name, at: position, message)
  }

  /// Creates the error for an unmet expectation: `` `name` must be a string, found a number ``.
  package func mismatch(_ expectation: String, _ value: JSONValue) -> Kind.Failure {
    failure(.wrongType, value.position, "\(expectation), found \(value.kindName)")
  }

  /// Creates the error for a value that should be a string. For a number, it suggests the string to write.
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
  /// Returns the JSON value of the whole file. Collects an error for each name that an object contains twice.
  ///
  /// - Throws: ``DocumentError`` if the file is empty or not JSON.
  package func root(
    of bytes: [UInt8], collecting errors: inout Kind.ErrorCollector
  ) throws(Kind.Failure) -> JSONValue {
    guard !bytes.isEmpty else {
      throw Kind.Failure(.noDocument, file: name, "the file is empty")
    }
    return try value(of: bytes, collecting: &errors)
  }
}

// MARK: - Diagnostics

/// A mistake in a document file, with its source location; an error or a warning, depending on its rule.
package struct DocumentFinding<Rule: DocumentRule>: Sendable, Hashable, CustomStringConvertible {
  package typealias Code = Rule

  package var code: Code
  /// The path of the file as the user gave it.
  package var file: String
  package var position: Position
  /// Whether the finding is about a folder, which has no positions.
  private var isAboutFolder = false
  /// The message, in lower case, without a full stop, with user input in backticks.
  package var message: String

  /// - Parameter position: The position of the mistake; the start of the file if it concerns the whole file.
  package init(
    _ code: Code, file: String, at position: Position = Position(line: 1, column: 1),
    _ message: String
  ) {
    self.code = code
    self.file = file
    self.position = position
    self.message = message
  }

  package init(_ code: Code, folder: String, _ message: String) {
    self.init(code, file: folder, message)
    isAboutFolder = true
  }

  /// The position in the file; nil if the finding is about a folder.
  package var positionInFile: Position? { isAboutFolder ? nil : position }

  package var diagnostic: Diagnostic {
    Diagnostic(
      positionInFile.map { .file(file, $0) } ?? .path(file), message, rule: code.rawValue,
      severity: code.severity)
  }

  /// The finding as `file:line:column: error: message [code]`; `warning` or `note` may replace `error`.
  package var description: String { diagnostic.description }
}

extension Sequence {
  /// Returns the findings as lines, ordered by file and position.
  package func inOrder<Rule>() -> [String] where Element == DocumentFinding<Rule> {
    sorted { $0.diagnostic.precedes($1.diagnostic) }.map(\.description)
  }
}

extension DocumentFinding: Error where Rule: DocumentErrorCode {}

/// A rule for files with one kind of document.
package protocol DocumentRule: RawRepresentable<String>, Hashable, Sendable {
  var severity: Severity { get }
}

/// An error that makes a document file unusable.
package typealias DocumentError<Rule: DocumentErrorCode> = DocumentFinding<Rule>

/// All errors of a file, ordered by position, or all errors of a folder's files, in the order of the files.
package struct DocumentErrors<Rule: DocumentErrorCode>: Error, CustomStringConvertible {
  /// The errors; at least one.
  package let errors: [DocumentError<Rule>]

  package init(_ errors: [DocumentError<Rule>]) { self.errors = errors }

  /// Reads a file with `body`. After an error, `body` either collects it and continues, or throws it.
  ///
  /// - Throws: The errors, if there are any.
  package static func collecting<Value>(
    _ body: (inout DocumentErrorCollector<Rule>) throws(DocumentError<Rule>) -> Value
  ) throws(Self) -> Value {
    var collector = DocumentErrorCollector<Rule>()
    do throws(DocumentError<Rule>) {
      let value = try body(&collector)
      if collector.isEmpty { return value }
    } catch {
      collector.add(error)
    }
    throw Self(collector.inOrder)
  }

  package var diagnostics: [Diagnostic] { errors.map(\.diagnostic) }

  /// The errors, one per line.
  package var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Collects the errors of a file's parts that are read independently of each other.
package struct DocumentErrorCollector<Rule: DocumentErrorCode> {
  private var errors: [DocumentError<Rule>] = []

  package init() {}

  package var isEmpty: Bool { errors.isEmpty }

  /// The errors without duplicates, ordered by position.
  package var inOrder: [DocumentError<Rule>] {
    var known: Set<DocumentError<Rule>> = []
    return errors.filter { known.insert($0).inserted }
      .sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
  }

  package mutating func add(_ error: DocumentError<Rule>) { errors.append(error) }

  package mutating func add(_ others: Self) { errors += others.errors }

  /// Reads a part; nil if it has an error, which is collected.
  @discardableResult
  package mutating func read<Value>(
    _ part: () throws(DocumentError<Rule>) -> Value
  ) -> Value? {
    do throws(DocumentError<Rule>) {
      return try part()
    } catch {
      add(error)
      return nil
    }
  }
}

/// The errors that make a file unusable. The following errors apply to all kinds of documents.
package protocol DocumentErrorCode: DocumentRule {
  static var jsonSyntax: Self { get }
  /// An object contains the same name twice.
  static var duplicateProperty: Self { get }
  /// A property's JSON type differs from Graph's.
  static var wrongType: Self { get }
}

extension DocumentErrorCode {
  package var severity: Severity { .error }
}

/// A probable mistake in a document that remains usable.
package typealias DocumentWarning<Rule: DocumentWarningCode> = DocumentFinding<Rule>

/// The warning codes for one kind of document.
package protocol DocumentWarningCode: DocumentRule {
  /// A name that is not a property of such a document.
  static var unknownProperty: Self { get }

  /// Whether the warning is only a note, because most documents of the kind cause it.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  package var isNote: Bool { false }

  package var severity: Severity { isNote ? .note : .warning }
}
