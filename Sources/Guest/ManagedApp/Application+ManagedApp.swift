public import SluiceKit

extension Application {
  /// Makes this app the one that the providers of this module ask for. To be called once, on the app's own thread, before
  /// any provider is used and before ``SluiceKit/Application/run()``; an app on iOS needs nothing like it.
  public func startManagedApp() { ManagedAppSession.begin(in: self) }
}
