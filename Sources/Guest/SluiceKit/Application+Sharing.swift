public import Transfer
public import Wire

/// Items with several representations, which an extension loads as it wants.
extension Application {
  /// Offers items to an extension, named by its bundle id.
  ///
  /// What is promised must stay at hand until `completion` is called: the extension may ask for it until then.
  public func share(
    _ items: [ExtensionItem], with destination: String, via path: SharingPath = .sdk,
    completion: @escaping (RequestOutcome) -> Void = { _ in }
  ) {
    let offer = ShareItems(destination: destination, items: items.map(\.offered), via: path)
    var number: UInt64 = 0
    number = request(.shareItems(offer)) { [self] outcome in
      promises[number] = nil
      completion(outcome)
    }
    promises[number] = items
  }

  func load(
    _ reference: RepresentationReference, _ progress: LoadProgress,
    _ completion: @escaping (RequestOutcome) -> Void
  ) {
    var number: UInt64 = 0
    number = request(.loadItem(reference)) { [self] outcome in
      loads[number] = nil
      progress.cancellationHandler = nil
      if outcome.end == .delivered { progress.fractionCompleted = 1 }
      completion(outcome)
    }
    loads[number] = progress
    progress.cancellationHandler = { [connection] in connection.send(.cancelLoad(number)) }
  }

  func provide(_ reference: RepresentationReference, of share: UInt64, ask: UInt64) {
    guard let items = promises[share], items.indices.contains(reference.item),
      items[reference.item].attachments.indices.contains(reference.attachment)
    else { return connection.send(.provided(ask: ask, nil)) }
    let attachment = items[reference.item].attachments[reference.attachment]
    let progress = LoadProgress()
    progress.onChange = { [connection] fraction in
      guard fraction >= 0, fraction < 1 else { return }
      connection.send(.provideProgress(ask: ask, fraction: fraction))
    }
    provisions[ask] = progress
    attachment.provide(reference.type, progress) { [self] bytes in
      guard provisions.removeValue(forKey: ask) != nil else { return }
      progress.onChange = nil
      connection.send(
        .provided(
          ask: ask,
          bytes.map { Item(type: reference.type, payload: .inline($0)) }))
    }
  }

  /// Nobody wants it any longer; who makes it need not say so.
  func cancelProvision(_ ask: UInt64) {
    guard let progress = provisions.removeValue(forKey: ask) else { return }
    progress.onChange = nil
    connection.send(.provided(ask: ask, nil))
    progress.cancel()
  }
}
