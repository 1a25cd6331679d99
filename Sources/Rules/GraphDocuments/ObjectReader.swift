package import Diagnostics
package import JSON

/// Reads the properties of one object, and collects warnings.
package struct ObjectReader<Kind: DocumentKind> {
  package let object: JSONValue
  package let file: DocumentFile<Kind>
  package private(set) var warnings: [Kind.Warning] = []
  /// The properties that Graph does not document, in their order; see ``noteUnknown(among:)``.
  package private(set) var unknown: [JSONValue.Member] = []
  /// The number of letters that were compared for suggestions.
  private var comparisons = 0

  /// Creates a reader of `object`.
  package init(_ object: JSONValue, in file: DocumentFile<Kind>) {
    self.object = object
    self.file = file
  }

  /// The property of that name, whose value has the type; nil where it is absent.
  ///
  /// - Throws: ``DocumentError`` where the value has another JSON type.
  package func member(
    _ name: String, _ type: PropertyType
  ) throws(Kind.Failure) -> JSONValue.Member? {
    guard let member = object.property(name) else { return nil }
    try check(member, is: type)
    return member
  }

  /// Checks the JSON type of a property's value.
  ///
  /// - Parameter member: The property; its value is not null.
  /// - Throws: ``DocumentError`` where the value has another JSON type.
  package func check(
    _ member: JSONValue.Member, is type: PropertyType
  ) throws(Kind.Failure) {
    guard !type.admits(member.value) else { return }
    // YAML takes a version without quotes for a number.
    throw type == .text && member.name.lowercased().hasSuffix("version")
      ? file.unquoted(member.name, member.value)
      : file.mismatch("`\(member.name)` must be \(type.words)", member.value)
  }

  /// The error of breaking a rule at a place in the object's file.
  package func failure(
    _ code: Kind.ErrorCode, _ position: Position, _ message: String
  ) -> Kind.Failure {
    file.failure(code, position, message)
  }

  /// Adds a warning at a place in the object's file.
  package mutating func warn(
    _ code: Kind.WarningCode, _ position: Position, _ message: String
  ) {
    warnings.append(Kind.Warning(code, file: file.name, at: position, message))
  }

  /// Warns of an unknown property.
  ///
  /// - Parameters:
  ///   - noun: The thing that has no such property, with its article or in backticks.
  ///   - known: The known name that was probably meant; nil where none comes near.
  package mutating func warnUnknown(
    _ member: JSONValue.Member, of noun: String, suggesting known: String?
  ) {
    warnUnknown(member, of: noun, remedy: Suggestion.text(known))
  }

  private mutating func warnUnknown(
    _ member: JSONValue.Member, of noun: String, remedy: String
  ) {
    warn(
      .unknownProperty, member.position,
      "`\(member.name)` is no property of \(noun) and has no effect" + remedy)
  }

  /// The known word that `word` nearly is; see ``Vocabulary``. The number of comparisons for one object is limited.
  package mutating func nearest(to word: String, among known: Vocabulary) -> String? {
    known.nearest(to: word, &comparisons)
  }

  /// The warnings in the order of their places.
  package var sortedWarnings: [Kind.Warning] {
    warnings.sorted {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
  }
}

extension ObjectReader where Kind: AppDocumentKind {
  /// Keeps unknown properties, and warns of those that have a value or resemble a known one. Annotations of Graph and
  /// keys of exporters are ignored.
  ///
  /// - Parameter remedy: The end of the warning for a name with a meaning of its own, such as a label of the admin
  ///   centre;
  ///   nil: the nearest known name is suggested.
  package mutating func noteUnknown(
    among known: KnownProperties, remedy: (JSONValue.Member) -> String? = { _ in nil }
  ) {
    for member in object.members ?? []
    where known.type(of: member.name) == nil && !member.isAnnotation && !member.isToolKey {
      unknown.append(member)
      if let remedy = remedy(member) {
        warnUnknown(member, of: Kind.indefiniteName, remedy: remedy)
        continue
      }
      let plain = member.name.filter { $0 != "_" && $0 != "-" }
      let meant = nearest(to: plain, among: known.names)
      guard meant != nil || member.statesAnything else { continue }
      warnUnknown(member, of: Kind.indefiniteName, remedy: Suggestion.text(meant))
    }
  }
}
