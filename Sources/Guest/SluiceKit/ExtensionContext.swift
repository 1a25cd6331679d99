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
