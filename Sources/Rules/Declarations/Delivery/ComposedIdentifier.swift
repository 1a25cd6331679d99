/// The identity of a recipient: a bundle identifier and the team that signed the bundle.
package struct ComposedIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var bundle: String
  package var team: String

  /// Creates the identifier of a bundle that `team` signed.
  package init(bundle: String, team: String) {
    self.bundle = bundle
    self.team = team
  }

  /// Reads `com.contoso.mail.share (ABCDE12345)`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "(", parts[1].last == ")" else {
      return nil
    }
    let team = parts[1].dropFirst().dropLast()
    guard parts[0].allSatisfy({ Self.isPlain($0) || "-._".contains($0) }), !team.isEmpty,
      team.allSatisfy(Self.isPlain)
    else { return nil }
    self.init(bundle: String(parts[0]), team: String(team))
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  package var description: String { "\(bundle) (\(team))" }

  package static func < (left: ComposedIdentifier, right: ComposedIdentifier) -> Bool {
    (left.bundle, left.team) < (right.bundle, right.team)
  }
}
