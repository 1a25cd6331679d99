internal import Foundation
internal import FoundationExtensions

/// What the device says, on the main thread.
@MainActor protocol MainEvents: Sendable {
  /// A URL was opened, or a file has come, which lies in the container.
  func open(_ url: URL, from sender: String)
  func begin(_ request: DeviceRequest)
  func willTerminate()
}
