/// A system view controller that acts after it has appeared and the app's own code has run.
@MainActor package protocol AppearanceObserver {
  func hasAppeared()
}
