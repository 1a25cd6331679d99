internal import FoundationExtensions
internal import SluiceKit
internal import Wire

/// What the device says, on the main thread.
@MainActor protocol MainEvents: Sendable {
  /// A URL was opened, or a file has come, which lies in the container.
  func open(_ url: IncomingURL)
  func begin(_ request: DeviceRequest)
  /// The app has left the screen, or comes back to it.
  func enter(_ phase: ScenePhase)
  func willTerminate()
}
