package import JSON

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
  package func unquoted(_ name: String, _ value: JSONValue) -> Kind.Failure {
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
