internal import AppProcess
internal import Foundation
internal import SluiceKit
internal import Synchronization

/// An attachment from another app. Its content stays on the device until it is loaded.
final class DeviceProvider: @unchecked Sendable {
  /// The attachment's provider in SluiceKit. Use it only on the connection's thread.
  private let provider: ItemProvider
  let types: [String]
  let suggestedName: String?
  private let last = Mutex<ReceivedItem?>(nil)
  /// The item that was loaded last; nil before the first load.
  var loaded: ReceivedItem? { last.withLock { $0 } }

  /// Creates a provider. Must be called on the connection's thread.
  init(_ provider: ItemProvider) {
    self.provider = provider
    types = provider.registeredTypeIdentifiers
    suggestedName = provider.suggestedName
  }

  /// Loads a representation. Any thread may call this method.
  ///
  /// - Parameter done: Called on the connection's thread.
  func load(
    _ type: String, _ progress: Progress,
    done: @escaping @Sendable (Result<ReceivedItem, ItemProviderError>) -> Void
  ) {
    let load = Load()
    progress.cancellationHandler = {
      AppProcess.current.tell { _ in load.progress?.cancel() }
    }
    let shown = UncheckedBox(progress)
    AppProcess.current.tell { [self] _ in
      load.progress = provider.loadItem(forTypeIdentifier: type) { [self] result in
        if case .success(let item) = result { last.withLock { $0 = item } }
        done(result)
      }
      load.progress?.onChange = { shown.value.completedUnitCount = Int64($0 * 100) }
    }
  }

  /// A load in progress, confined to the connection's thread.
  private final class Load: @unchecked Sendable {
    var progress: LoadProgress?
  }
}
