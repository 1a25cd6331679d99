/// A view controller of the system that acts once it is visible and the app's appearance callbacks
/// have run.
@MainActor package protocol AppearanceObserver {
  func hasAppeared()
}
