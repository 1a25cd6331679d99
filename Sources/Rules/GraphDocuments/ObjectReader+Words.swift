internal import Diagnostics
package import JSON

/// Values that are one of several words, and names with white space around them.
extension ObjectReader where Kind: AppDocumentKind {
  /// The value of an enumeration in `member`, whose JSON type has been checked.
  ///
  /// - Throws: ``DocumentError`` where the value is unknown.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    try choice(member.value, of: member)
  }

  /// One value, or one element of the list, of an enumeration.
  ///
  /// - Throws: ``DocumentError`` where the value is unknown.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, of member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    let text = value.string ?? ""
    if let choice = Choice(rawValue: text) { return choice }
    throw unknownValue(text, of: member.name, at: value.position, among: Choice.self)
  }

  /// The error of a value that is none of the enumeration's.
  package func unknownValue<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of name: String, at position: Position, among choices: Choice.Type
  ) -> Kind.Failure {
    let known = choices.allCases.map(\.rawValue)
    return failure(
      .unknownValue, position,
      "`\(text)` is no value of `\(name)`; expected \(Kind.list(known))"
        + Suggestion.nearest(to: text, among: known))
  }

  /// A string without the white space around it, of which it warns; `noun` names the value.
  package mutating func trimmed(_ value: JSONValue, _ noun: String) -> String {
    let text = value.string ?? ""
    let trimmed = text.trimmed
    if trimmed.utf8.count != text.utf8.count {
      warn(.whiteSpace, value.position, "white space around the \(noun) `\(trimmed)` is ignored")
    }
    return trimmed
  }
}
