internal import Model
internal import Wire

/// Items between an app and an extension that loads of them what it wants: what this process has promised, what it is
/// making, and what it waits for.
final class ItemExchange {
  private let host: any HostPort
  /// What this app has promised to extensions, by the number of the share.
  private var promises: [UInt64: [ExtensionItem]] = [:]
  /// What this app is making for an extension, by the device's question.
  private var provisions: [UInt64: LoadProgress] = [:]
  /// What this extension waits for, by the number of the request.
  private var loads: [UInt64: LoadProgress] = [:]

  init(_ host: any HostPort) { self.host = host }

  /// Offers items; what is promised stays at hand until `completion` is called.
  func share(
    _ items: [ExtensionItem], with destination: String, via path: SharingPath,
    completion: @escaping (RequestOutcome) -> Void
  ) {
    let offer = ShareItems(destination: destination, items: items.map(\.offered), via: path)
    var number: UInt64 = 0
    number = host.request(.shareItems(offer)) { [self] outcome in
      promises[number] = nil
      completion(outcome)
    }
    promises[number] = items
  }

  // MARK: loading

  func load(
    _ reference: RepresentationReference, _ progress: LoadProgress,
    _ completion: @escaping (RequestOutcome) -> Void
  ) {
    var number: UInt64 = 0
    number = host.request(.loadItem(reference)) { [self] outcome in
      loads[number] = nil
      progress.cancellationHandler = nil
      if outcome.end == .delivered { progress.fractionCompleted = 1 }
      completion(outcome)
    }
    loads[number] = progress
    progress.cancellationHandler = { [host] in host.send(.cancelLoad(number)) }
  }

  /// A load has come so far, 0 to 1.
  func didProgress(_ load: UInt64, to fraction: Double) {
    loads[load]?.fractionCompleted = fraction
  }

  // MARK: providing

  /// Makes what was promised in a share, and answers the device's question with it.
  func provide(_ reference: RepresentationReference, of share: UInt64, ask: UInt64) {
    guard let attachment = attachment(reference, of: share) else {
      return host.send(.provided(ask: ask, nil))
    }
    let progress = LoadProgress()
    progress.onChange = { [host] fraction in
      guard fraction >= 0, fraction < 1 else { return }
      host.send(.provideProgress(ask: ask, fraction: fraction))
    }
    provisions[ask] = progress
    attachment.provide(reference.type, progress) { [self] bytes in
      guard provisions.removeValue(forKey: ask) != nil else { return }
      progress.onChange = nil
      host.send(
        .provided(
          ask: ask,
          bytes.map { Item(type: reference.type, payload: .inline($0)) }))
    }
  }

  /// nil where nothing like it was promised, or the share has ended.
  private func attachment(_ reference: RepresentationReference, of share: UInt64) -> ItemProvider? {
    guard let items = promises[share], items.indices.contains(reference.item),
      items[reference.item].attachments.indices.contains(reference.attachment)
    else { return nil }
    return items[reference.item].attachments[reference.attachment]
  }

  /// Nobody wants it any longer; who makes it need not say so.
  func cancelProvision(_ ask: UInt64) {
    guard let progress = provisions.removeValue(forKey: ask) else { return }
    progress.onChange = nil
    host.send(.provided(ask: ask, nil))
    progress.cancel()
  }
}
