public import Model

/// The text about a compliance status for the user, in our own words.
public struct ComplianceText: Sendable, Equatable {
  /// The language of the text.
  public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case french = "fr"
  }

  public var title: String
  public var message: String

  /// The text for `status`. Title and message are empty for `compliant`, of which nobody is told.
  public init(_ status: ComplianceStatus, in language: Language) {
    let entry = Self.table[status]?[language]
    title = entry?.title ?? ""
    message = entry?.message ?? ""
  }

  private static let table: [ComplianceStatus: [Language: (title: String, message: String)]] = [
    .notCompliant: [
      .english: (
        "Access denied",
        "Your organization does not let this account use this app. Ask its support for help."
      ),
      .french: (
        "Accès refusé",
        "Votre organisation n’autorise pas ce compte dans cette app. Adressez-vous à son assistance."
      ),
    ],
    .serviceFailure: [
      .english: (
        "Something went wrong",
        "Your organization’s protection policy could not be fetched. Try again later."
      ),
      .french: (
        "Un problème est survenu",
        "La stratégie de protection de votre organisation n’a pas pu être obtenue. Réessayez plus tard."
      ),
    ],
    .networkFailure: [
      .english: (
        "No connection", "Connect to the internet, then try again."
      ),
      .french: (
        "Pas de connexion", "Connectez-vous à Internet, puis réessayez."
      ),
    ],
    .interactionRequired: [
      .english: (
        "Sign in again", "Your organization asks you to sign in before you go on."
      ),
      .french: (
        "Reconnectez-vous", "Votre organisation vous demande de vous connecter avant de continuer."
      ),
    ],
    .userCancelled: [
      .english: (
        "Sign-in cancelled", "Without signing in, this account has no access to work data."
      ),
      .french: (
        "Connexion annulée", "Sans connexion, ce compte n’a pas accès aux données professionnelles."
      ),
    ],
  ]
}
