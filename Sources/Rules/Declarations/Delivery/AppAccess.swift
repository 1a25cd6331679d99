/// Which apps a device shows and launches.
///
/// An app must be allowed by every declaration: of their allowed apps the intersection counts, and of their denied apps
/// the union.
package struct AppAccess: Sendable, Equatable {
  /// By declaration, in the order of identifiers.
  private var settings: [(declaration: String, settings: AppSettings)] = []

  init() {}

  mutating func add(_ settings: AppSettings, by declaration: String) {
    self.settings.append((declaration, settings))
  }

  /// Why an app is not there for anybody.
  package enum Ban: Sendable, Equatable, CustomStringConvertible {
    /// The declaration of that identifier denies it.
    case denied(by: String)
    /// The declaration of that identifier lists others.
    case notAllowed(by: String)

    /// A clause: what is so of the app.
    package var description: String {
      switch self {
      case .denied(let declaration): "the declaration `\(declaration)` denies it (`DeniedApps`)"
      case .notAllowed(let declaration):
        "the declaration `\(declaration)` does not allow it (`AllowedApps`)"
      }
    }
  }

  /// - Returns: nil where the app is allowed.
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
