/// The apps that a device shows and launches.
///
/// An app must be allowed by every declaration: the intersection of their allowed apps counts, and the union of
/// their denied apps.
package struct AppAccess: Sendable, Equatable {
  /// The settings of each declaration, in the order of identifiers.
  private var settings: [(declaration: String, settings: AppSettings)] = []

  init() {}

  mutating func add(_ settings: AppSettings, by declaration: String) {
    self.settings.append((declaration, settings))
  }

  /// The reason why an app is not available to any user.
  package enum Ban: Sendable, Equatable, CustomStringConvertible {
    /// The declaration of that identifier denies the app.
    case denied(by: String)
    /// The declaration of that identifier allows other apps only.
    case notAllowed(by: String)

    /// The reason as a clause about the app.
    package var description: String {
      switch self {
      case .denied(let declaration): "the declaration `\(declaration)` denies it (`DeniedApps`)"
      case .notAllowed(let declaration):
        "the declaration `\(declaration)` does not allow it (`AllowedApps`)"
      }
    }
  }

  /// The reason why the app is banned; nil where it is allowed.
  package func ban(on bundle: String) -> Ban? {
    for (declaration, settings) in settings {
      if settings.denied.contains(bundle) { return .denied(by: declaration) }
      if settings.allowed?.contains(bundle) == false { return .notAllowed(by: declaration) }
    }
    return nil
  }

  package static func == (left: AppAccess, right: AppAccess) -> Bool {
    left.settings.elementsEqual(right.settings) { $0 == $1 }
  }
}
