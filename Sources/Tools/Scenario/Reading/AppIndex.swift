/// The apps of a file, by the names of their guests.
struct AppIndex {
  private let apps: [AppSpecification]
  private let places: [String: Int]

  init(_ apps: [AppSpecification]) {
    self.apps = apps
    places = Dictionary(
      zip(apps.map(\.name), apps.indices), uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> AppSpecification? { places[name].map { apps[$0] } }

  /// The app that a guest of that name runs.
  func app(ofGuest guest: String) -> AppSpecification? {
    if let app = self[guest], app.hasGuest(guest) { return app }
    return crowd(withGuest: guest)
  }

  /// The app that a guest of that name runs as one of several.
  func crowd(withGuest guest: String) -> AppSpecification? {
    guard let end = guest.lastIndex(of: "-"), let app = self[String(guest[..<end])] else {
      return nil
    }
    return app.hasGuest(guest) ? app : nil
  }
}
