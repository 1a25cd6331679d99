internal import FoundationExtensions
internal import SluiceKit
internal import Wire

/// Handles the device's messages on the main thread.
@MainActor protocol MainEvents: Sendable {
  /// Opens a URL, or a received file in the container.
  func open(_ url: IncomingURL)
  func begin(_ request: DeviceRequest)
  /// Reports to the app that it enters the background or the foreground.
  func enter(_ phase: ScenePhase)
  func willTerminate()
}
