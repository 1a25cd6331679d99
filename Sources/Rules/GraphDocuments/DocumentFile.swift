package import Encodings
package import Output

/// A kind of document that Microsoft Graph exports, with the codes of its errors and warnings.
package protocol DocumentKind: Sendable {
  associatedtype ErrorCode: DocumentErrorCode
  associatedtype WarningCode: DocumentWarningCode
}

extension DocumentKind {
  package typealias Failure = DocumentError<ErrorCode>
  package typealias ErrorCollector = DocumentErrorCollector<ErrorCode>
  package typealias Warning = DocumentWarning<WarningCode>
}

/// A kind of document for managing apps. Such documents target apps and are assigned to groups.
package protocol AppDocumentKind: DocumentKind
where ErrorCode: AppDocumentErrorCode, WarningCode: AppDocumentWarningCode {
  /// The kind's name with an indefinite article: `an app configuration`.
  static var indefiniteName: String { get }
  /// The kind's name with a definite article: `the configuration`.
  static var definiteName: String { get }
  /// The code of the warning about an entry of `apps` without a bundle id. Nil if such entries are allowed, because the
  /// document may be for several platforms.
  static var appWithoutBundleID: WarningCode? { get }

  /// Returns a list of words for an error message: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String
}

package protocol AppDocumentErrorCode: DocumentErrorCode {
  static var noDocument: Self { get }
  /// A property has a value that Graph does not document.
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

  /// The file's name without its folder. It is used as the name of documents that state no name.
  package var shortName: String { name.split(separator: "/").last.map(String.init) ?? name }

  /// Parses `bytes` as JSON in UTF-8 or UTF-16. If an object contains a name twice, collects an error and continues.
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

  /// Returns the error for a value of the wrong type: `` `name` must be a string, found a number ``.
  ///
  /// - Parameter expectation: The first clause of the message, such as `` `name` must be a string ``.
  package func mismatch(_ expectation: String, _ value: JSONValue) -> Kind.Failure {
    failure(.wrongType, value.position, "\(expectation), found \(value.kindName)")
  }

  /// Returns the error for a value that must be a string but is not. If the value is a number, the message suggests
  /// writing it in quotation marks.
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
  /// Parses the whole file as JSON. If an object contains a name twice, collects an error and continues.
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

/// A mistake in a document file, with its position. It is an error or a warning, depending on its code.
package struct DocumentFinding<Rule: DocumentRule>: Sendable, Hashable, CustomStringConvertible {
  package typealias Code = Rule

  package var code: Code
  /// The path of the file as the user gave it.
  package var file: String
  package var position: Position
  /// Whether the finding is about a folder. Such a finding has no position.
  private var isAboutFolder = false
  /// The message, in lower case, without a full stop, with user input in backticks.
  package var message: String

  /// Creates a finding about a file.
  ///
  /// - Parameter position: The position of the mistake. By default, the start of the file, for mistakes that concern
  ///   the whole file.
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

  /// The finding as one line: `file:line:column: error: message [code]`. The severity can also be `warning` or `note`.
  package var description: String { diagnostic.description }
}

extension Sequence {
  /// Returns the findings as lines of text, ordered by file and position.
  package func inOrder<Rule>() -> [String] where Element == DocumentFinding<Rule> {
    sorted { $0.diagnostic.precedes($1.diagnostic) }.map(\.description)
  }
}

extension DocumentFinding: Error where Rule: DocumentErrorCode {}

/// The codes of findings about files with one kind of document.
package protocol DocumentRule: RawRepresentable<String>, Hashable, Sendable {
  var severity: Severity { get }
}

/// An error that makes a document file unusable.
package typealias DocumentError<Rule: DocumentErrorCode> = DocumentFinding<Rule>

/// All errors of one file, ordered by position, or of several files in a folder, ordered by file.
package struct DocumentErrors<Rule: DocumentErrorCode>: Error, CustomStringConvertible {
  /// The errors; at least one.
  package let errors: [DocumentError<Rule>]

  package init(_ errors: [DocumentError<Rule>]) { self.errors = errors }

  /// Calls `body` to read a file. `body` can collect an error and continue, or throw it.
  ///
  /// - Throws: All collected and thrown errors, if there are any.
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

/// Collects the errors of a file. After an error in one part of the file, independent parts can still be read.
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

  /// Reads a part of the file by calling `part`. If that throws an error, collects the error and returns nil.
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

/// The codes of the errors that make a file of one kind unusable. Every kind has the codes that this protocol requires.
package protocol DocumentErrorCode: DocumentRule {
  static var jsonSyntax: Self { get }
  /// An object has two properties with the same name.
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
  /// A property that documents of this kind do not have.
  static var unknownProperty: Self { get }

  /// Whether a warning with this code has only the severity `note`, because it concerns most documents of the kind.
  var isNote: Bool { get }
}

extension DocumentWarningCode {
  package var isNote: Bool { false }

  package var severity: Severity { isNote ? .note : .warning }
}
