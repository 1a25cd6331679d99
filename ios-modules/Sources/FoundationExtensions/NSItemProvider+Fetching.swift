internal import AppProcess
internal import Foundation
package import SluiceKit

extension NSItemProvider {
  /// Loads a representation without converting it: the representation of the wanted type or, if there is none, the
  /// first one whose type conforms to the wanted type.
  ///
  /// - Parameter done: Called with the type of the representation, on a background thread or on the thread on which the
  ///   app's load handler answers.
  func fetch(
    _ wanted: String,
    _ done: @escaping @Sendable (Result<ItemContent, any Error>, _ type: String) -> Void
  ) -> Progress {
    let progress = Progress(totalUnitCount: 100)
    let types = registeredTypeIdentifiers
    guard let type = TypeMatching.first(of: types, conformingTo: wanted),
      let source = state.withLock({ $0.sources[type.lowercased()] })
    else {
      let offered = types.map { "`\($0)`" }.joined(separator: ", ")
      let error = Self.error(
        .itemUnavailableError, "`\(wanted)` is not offered; the offered types are \(offered)")
      background { done(.failure(error), wanted) }
      return progress
    }
    let finish: @Sendable (Result<ItemContent, any Error>) -> Void = { result in
      progress.completedUnitCount = 100
      done(result, type)
    }
    fetch(type, from: source, progress, finish)
    return progress
  }

  private func fetch(
    _ type: String, from source: ItemSource, _ progress: Progress,
    _ done: @escaping @Sendable (Result<ItemContent, any Error>) -> Void
  ) {
    switch source {
    case .object(let box): background { done(.success(.object(box.value))) }
    case .file(let url): background { done(.success(.file(url))) }
    case .item(let handler):
      background {
        handler({ object, error in done(Self.result(object.map { .object($0) }, error)) }, nil, nil)
      }
    case .data(let handler):
      background { [self] in
        let part = handler { [self] data, error in
          done(Self.result(data.map { content($0, type) }, error))
        }
        progress.passOn(to: part)
      }
    case .fileHandler(let handler):
      background {
        let part = handler { url, _, error in done(Self.result(url.map { .file($0) }, error)) }
        progress.passOn(to: part)
      }
    case .device(let device):
      device.load(type, progress) { [self] result in
        background { done(Self.result(result, type)) }
      }
    }
  }

  private func content(_ data: Data, _ type: String) -> ItemContent {
    .item(Item(type: type, name: suggestedName, payload: .inline(Array(data))))
  }

  private func background(_ body: @escaping @Sendable () -> Void) {
    Callback.inBackground("NSItemProvider's handler", body)
  }

  private static func result(
    _ content: ItemContent?, _ error: (any Error)?
  ) -> Result<ItemContent, any Error> {
    if let content { return .success(content) }
    return .failure(error ?? Self.error(.itemUnavailableError, "the provider gives nothing"))
  }

  private static func result(
    _ loaded: Result<ReceivedItem, ItemProviderError>, _ type: String
  ) -> Result<ItemContent, any Error> {
    switch loaded {
    case .failure(let error):
      return .failure(Self.error(.itemUnavailableError, "\(error)"))
    case .success(let item) where item.isEncrypted:
      return .failure(
        Self.error(.itemUnavailableError, "`\(type)` is encrypted, and this app cannot read it"))
    case .success(let item): return .success(.item(item.item))
    }
  }

  /// Loads the most faithful representation as an item for the device.
  ///
  /// - Parameter done: Called with the item, or with nil if there is none. The thread is chosen as for ``fetch(_:_:)``.
  package func fetchItem(_ done: @escaping @Sendable (Item?) -> Void) {
    _ = fetch(registeredTypeIdentifiers.first ?? "public.item") { [self] result, type in
      done((try? result.get())?.item(type, name: suggestedName))
    }
  }
}

extension Progress {
  /// Cancels `part` when this progress is cancelled.
  fileprivate func passOn(to part: Progress?) {
    guard let part else { return }
    cancellationHandler = { part.cancel() }
  }
}
