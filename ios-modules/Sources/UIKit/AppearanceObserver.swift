/// A controller of the system that does something when it has appeared, after the app's own code.
@MainActor package protocol AppearanceObserver {
  func hasAppeared()
}
