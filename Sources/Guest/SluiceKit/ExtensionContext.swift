public import Model
internal import Wire

/// A request to an extension, with its items (`NSExtensionContext`).
///
/// End the request once, with ``completeRequest(returningItems:)`` or ``cancelRequest(withError:)``. Later calls
/// have no effect.
public final class ExtensionContext {
  public let inputItems: [ExtensionItem]
  /// The bundle id of the sender.
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

  public var attachments: [ItemProvider] { inputItems.flatMap(\.attachments) }

  /// Loads the first representation of the first attachment. Most requests have only one
  /// attachment.
  public func loadFirstItem(
    completion: @escaping (Result<ReceivedItem, ItemProviderError>) -> Void
  ) {
    guard let attachment = attachments.first, let type = attachment.registeredTypeIdentifiers.first
    else { return completion(.failure(.unavailable("public.item"))) }
    attachment.loadItem(forTypeIdentifier: type, completion: completion)
  }

  /// Completes the request. The sender receives `items` if the policies permit it.
  public func completeRequest(returningItems items: [Item] = []) {
    end(.completeExtension(items))
  }

  /// Ends the request without a result. The journal records the reason, `why`.
  public func cancelRequest(withError why: String) {
    end(.cancelExtension(why: why))
  }

  private func end(_ body: GuestMessage.Body) {
    guard !isEnded else { return }
    isEnded = true
    application.request(body) { _ in }
  }
}

/// An item with its attachments, shared with an extension (`NSExtensionItem`).
public struct ExtensionItem {
  /// The title without attributes; nil if there is none.
  public var attributedTitle: String?
  /// The content text without attributes; nil if there is none.
  public var attributedContentText: String?
  public var attachments: [ItemProvider]

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

/// Exchanges items between an app and an extension that loads representations on demand.
final class ItemExchange {
  private let host: any HostPort
  /// The items that this app has promised to extensions, keyed by the request number of the share.
  private var promises: [UInt64: [ExtensionItem]] = [:]
  /// The progress of each representation that this app is creating for an extension, keyed by the number of the
  /// device's ask.
  private var provisions: [UInt64: LoadProgress] = [:]
  /// The pending loads of this extension, keyed by request number.
  private var loads: [UInt64: LoadProgress] = [:]

  init(_ host: any HostPort) { self.host = host }

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

  // MARK: Loading

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

  func didProgress(_ load: UInt64, to fraction: Double) {
    loads[load]?.fractionCompleted = fraction
  }

  // MARK: Providing

  /// Creates a representation that was promised in a share, and sends it to the device.
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

  /// Returns a promised attachment; nil if it was not promised or the share has ended.
  private func attachment(_ reference: RepresentationReference, of share: UInt64) -> ItemProvider? {
    guard let items = promises[share], items.indices.contains(reference.item),
      items[reference.item].attachments.indices.contains(reference.attachment)
    else { return nil }
    return items[reference.item].attachments[reference.attachment]
  }

  /// Cancels a provider's work for an ask whose answer the device no longer needs, and answers the ask with nil.
  func cancelProvision(_ ask: UInt64) {
    guard let progress = provisions.removeValue(forKey: ask) else { return }
    progress.onChange = nil
    host.send(.provided(ask: ask, nil))
    progress.cancel()
  }
}
