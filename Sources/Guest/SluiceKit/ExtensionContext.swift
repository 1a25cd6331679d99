public import Model
internal import Wire

/// One request to an extension (`NSExtensionContext`), with its items; to be ended once.
public final class ExtensionContext {
  public let inputItems: [ExtensionItem]
  /// The bundle id of the app that shares.
  public let sender: String
  public let application: Application
  private var isEnded = false

  init(_ request: ExtensionRequest, _ application: Application) {
    sender = request.sender
    self.application = application
    inputItems = request.items.enumerated().map { index, item in
      ExtensionItem(
        attributedTitle: item.title, attributedContentText: item.contentText,
        attachments: item.attachments.enumerated().map { place, attachment in
          ItemProvider(attachment, at: (index, place), from: request.sender, application.exchange)
        })
    }
  }

  /// All attachments of all items.
  public var attachments: [ItemProvider] { inputItems.flatMap(\.attachments) }

  /// Loads the first attachment in its first representation; most requests have no other.
  public func loadFirstItem(
    completion: @escaping (Result<ReceivedItem, ItemProviderError>) -> Void
  ) {
    guard let attachment = attachments.first, let type = attachment.registeredTypeIdentifiers.first
    else { return completion(.failure(.unavailable("public.item"))) }
    attachment.loadItem(forTypeIdentifier: type, completion: completion)
  }

  /// Ends the request; `returningItems` go back to the app that called, if its policy lets them in.
  public func completeRequest(returningItems items: [Item] = []) {
    end(.completeExtension(items))
  }

  /// Ends the request without a result.
  public func cancelRequest(withError why: String) {
    end(.cancelExtension(why: why))
  }

  private func end(_ body: GuestMessage.Body) {
    guard !isEnded else { return }
    isEnded = true
    application.request(body) { _ in }
  }
}

/// An item that an app shares with an extension, with all its attachments (`NSExtensionItem`).
public struct ExtensionItem {
  /// The title without its attributes; nil where there is none.
  public var attributedTitle: String?
  /// The content text without its attributes; nil where there is none.
  public var attributedContentText: String?
  public var attachments: [ItemProvider]

  /// An item with the given attachments.
  public init(
    attributedTitle: String? = nil, attributedContentText: String? = nil,
    attachments: [ItemProvider] = []
  ) {
    self.attributedTitle = attributedTitle
    self.attributedContentText = attributedContentText
    self.attachments = attachments
  }

  var offered: OfferedItem {
    OfferedItem(
      title: attributedTitle, contentText: attributedContentText,
      attachments: attachments.map(\.offered))
  }
}

// MARK: - Loads and promises

/// Items between an app and an extension that loads representations of them: the items that this process has promised,
/// those that it is making, and those that it waits for.
final class ItemExchange {
  private let host: any HostPort
  /// The items that this app has promised to extensions, by the number of the share.
  private var promises: [UInt64: [ExtensionItem]] = [:]
  /// The representations that this app is making for an extension, by the device's question.
  private var provisions: [UInt64: LoadProgress] = [:]
  /// The loads that this extension waits for, by the number of the request.
  private var loads: [UInt64: LoadProgress] = [:]

  init(_ host: any HostPort) { self.host = host }

  /// Offers items; promised content stays available until `completion` is called.
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
      progress.end()
      if outcome.end == .delivered { progress.fractionCompleted = 1 }
      completion(outcome)
    }
    loads[number] = progress
    progress.cancellationHandler = { [host] in host.send(.cancelLoad(number)) }
  }

  /// Takes in the progress of a load, 0 to 1.
  func didProgress(_ load: UInt64, to fraction: Double) {
    loads[load]?.fractionCompleted = fraction
  }

  // MARK: providing

  /// Makes a representation that was promised in a share, and answers the device's question with it.
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
      progress.end()
      host.send(
        .provided(
          ask: ask,
          bytes.map { Item(type: reference.type, payload: .inline($0)) }))
    }
  }

  /// The attachment; nil where it was not promised, or the share has ended.
  private func attachment(_ reference: RepresentationReference, of share: UInt64) -> ItemProvider? {
    guard let items = promises[share], items.indices.contains(reference.item),
      items[reference.item].attachments.indices.contains(reference.attachment)
    else { return nil }
    return items[reference.item].attachments[reference.attachment]
  }

  /// Cancels a provision that is not wanted any longer; its provider need not answer.
  func cancelProvision(_ ask: UInt64) {
    guard let progress = provisions.removeValue(forKey: ask) else { return }
    progress.onChange = nil
    host.send(.provided(ask: ask, nil))
    progress.cancel()
  }
}
