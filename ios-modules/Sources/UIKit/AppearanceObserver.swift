/// A system view controller that acts once it has appeared, after the app's own code.
@MainActor package protocol AppearanceObserver {
  func hasAppeared()
}
