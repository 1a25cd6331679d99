public import Model
internal import UniformTypes
public import Wire

/// A shared item with one or more representations (`NSItemProvider`).
///
/// An app creates one for each item that it shares. An extension receives one for each
/// attachment and loads from it.
public final class ItemProvider {
  /// The suggested name of the item; nil if it has none.
  public var suggestedName: String?
  /// The registered type identifiers, with the most faithful representation first.
  ///
  /// A type identifier with the Intune App SDK's prefix names the same representation as the identifier without it.
  public private(set) var registeredTypeIdentifiers: [String]
  private var content: Content
  /// The item that was last loaded from another app; nil before the first load.
  private(set) var loaded: ReceivedItem?

  /// Creates a representation on demand, and passes its bytes to `completion`. Passes nil if there
  /// are none.
  public typealias LoadHandler = (
    _ progress: LoadProgress, _ completion: @escaping ([UInt8]?) -> Void
  )
    -> Void

  private enum Content {
    /// The app's own representations, keyed by type in lower case.
    case own([String: Own])
    case offered(ItemExchange, item: Int, attachment: Int, sender: String)
  }

  private enum Own {
    case data([UInt8], OwnershipTag?)
    case handler(LoadHandler)
  }

  /// Creates a provider without representations.
  public init(suggestedName: String? = nil) {
    self.suggestedName = suggestedName
    registeredTypeIdentifiers = []
    content = .own([:])
  }

  /// Creates a provider with an item as its only representation. An item from another app keeps its owner.
  public convenience init(item: Item) {
    self.init(suggestedName: item.name)
    register(item.type, .data(item.bytes, item.tag))
  }

  init(
    _ attachment: OfferedAttachment, at place: (item: Int, attachment: Int), from sender: String,
    _ exchange: ItemExchange
  ) {
    suggestedName = attachment.suggestedName
    registeredTypeIdentifiers = attachment.registeredTypeIdentifiers
    content = .offered(
      exchange, item: place.item, attachment: place.attachment, sender: sender)
  }

  // MARK: Sharing

  /// Adds a representation whose bytes are known.
  public func registerData(_ bytes: [UInt8], forTypeIdentifier type: String) {
    register(type, .data(bytes, nil))
  }

  /// Adds a representation that is created only if it is requested.
  public func registerDataRepresentation(
    forTypeIdentifier type: String, loadHandler: @escaping LoadHandler
  ) {
    register(type, .handler(loadHandler))
  }

  private func register(_ type: String, _ own: Own) {
    guard case .own(var all) = content else { return }
    if all[type.lowercased()] == nil { registeredTypeIdentifiers.append(type) }
    all[type.lowercased()] = own
    content = .own(all)
  }

  var offered: OfferedAttachment {
    OfferedAttachment(
      suggestedName: suggestedName,
      representations: registeredTypeIdentifiers.map { type in
        guard case .own(let all) = content, case .data(let bytes, let tag)? = all[type.lowercased()]
        else { return OfferedRepresentation(type: type, content: .promised) }
        return OfferedRepresentation(type: type, content: .data(bytes, tag))
      })
  }

  /// Passes the bytes of the app's own representation of `type` to `completion`; nil if there is none, or if its
  /// handler provides none.
  func provide(
    _ type: String, _ progress: LoadProgress, _ completion: @escaping ([UInt8]?) -> Void
  ) {
    guard case .own(let all) = content else { return completion(nil) }
    switch all[type.lowercased()] {
    case .data(let bytes, _)?: completion(bytes)
    case .handler(let handler)?: handler(progress, completion)
    case nil: completion(nil)
    }
  }

  // MARK: Loading

  /// Loads a representation as the device delivers it, with its owner.
  ///
  /// If the policies let this app have the item but not read it, the payload is ciphertext.
  @discardableResult
  public func loadItem(
    forTypeIdentifier type: String,
    completion: @escaping (Result<ReceivedItem, ItemProviderError>) -> Void
  ) -> LoadProgress {
    let progress = LoadProgress()
    let type = registered(type)
    switch content {
    case .own:
      provide(type, progress) { bytes in
        progress.end()
        guard let bytes else { return completion(.failure(self.failure(for: type))) }
        let item = Item(type: type, name: self.suggestedName, payload: .inline(bytes))
        completion(.success(ReceivedItem(item, from: "")))
      }
    case .offered(let exchange, let item, let attachment, let sender):
      let reference = RepresentationReference(item: item, attachment: attachment, type: type)
      exchange.load(reference, progress) { [self] outcome in
        let result = Self.result(of: outcome, type, from: sender, progress)
        if case .success(let item) = result { loaded = item }
        completion(
          result.mapError { registeredTypeIdentifiers.contains(type) ? $0 : failure(for: type) })
      }
    }
    return progress
  }

  private func failure(for type: String) -> ItemProviderError {
    let types = registeredTypeIdentifiers
    return types.contains(type) ? .unavailable(type) : .notOffered(type, offered: types)
  }

  /// Returns the registered type that `type` matches, regardless of the Intune App SDK's prefix;
  /// `type` itself if none matches.
  private func registered(_ type: String) -> String {
    let types = registeredTypeIdentifiers
    return types.first { $0.lowercased() == type.lowercased() }
      ?? types.first { Self.plain($0) == Self.plain(type) } ?? type
  }

  /// Returns the type without the SDK's prefix, in lower case.
  private static func plain(_ type: String) -> String {
    (IntuneTypeAlias.original(of: type) ?? type).lowercased()
  }

  private static func result(
    of outcome: RequestOutcome, _ type: String, from sender: String, _ progress: LoadProgress
  ) -> Result<ReceivedItem, ItemProviderError> {
    switch outcome.end {
    case .delivered, .deliveredEncrypted:
      guard let item = outcome.items.first else { return .failure(.unavailable(type)) }
      return .success(
        ReceivedItem(item, from: sender, isEncrypted: outcome.end == .deliveredEncrypted))
    case .refused: return .failure(.refused(type, outcome.reasons))
    case .failed where progress.isCancelled: return .failure(.cancelled)
    case .failed, .undeliverable: return .failure(.unavailable(type))
    }
  }

  /// Loads the bytes of a representation. If they are ciphertext, the load fails with
  /// ``ItemProviderError/unavailable(_:)``.
  @discardableResult
  public func loadDataRepresentation(
    forTypeIdentifier type: String,
    completion: @escaping (Result<[UInt8], ItemProviderError>) -> Void
  ) -> LoadProgress {
    loadItem(forTypeIdentifier: type) { result in
      completion(result.flatMap { $0.readableBytes(type) })
    }
  }

  /// Loads the first representation whose type conforms to `public.text`, as UTF-8.
  @discardableResult
  public func loadText(
    completion: @escaping (Result<String, ItemProviderError>) -> Void
  ) -> LoadProgress {
    load(conformingTo: "public.text", completion)
  }

  /// Loads the first representation whose type conforms to `public.url`, as UTF-8.
  @discardableResult
  public func loadURL(
    completion: @escaping (Result<String, ItemProviderError>) -> Void
  ) -> LoadProgress {
    load(conformingTo: "public.url", completion)
  }

  private func load(
    conformingTo type: String, _ completion: @escaping (Result<String, ItemProviderError>) -> Void
  ) -> LoadProgress {
    guard let found = registeredTypeIdentifiers.first(where: { Self.conforms($0, to: type) })
    else {
      let progress = LoadProgress()
      progress.end()
      completion(.failure(failure(for: type)))
      return progress
    }
    return loadDataRepresentation(forTypeIdentifier: found) { result in
      completion(
        result.flatMap { bytes in
          String(validating: bytes, as: UTF8.self).map(Result.success)
            ?? .failure(.unavailable(found))
        })
    }
  }

  /// Returns whether a representation has this type or a type that conforms to it.
  public func hasItemConformingToTypeIdentifier(_ type: String) -> Bool {
    registeredTypeIdentifiers.contains { Self.conforms($0, to: type) }
  }

  private static func conforms(_ type: String, to other: String) -> Bool {
    plain(type) == plain(other) || TypeLibrary.system.conforms(plain(type), to: plain(other))
  }
}

/// The reason why a representation cannot be loaded.
public enum ItemProviderError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The type is not offered. `offered` lists the offered types.
  case notOffered(String, offered: [String])
  /// The sender does not provide the promised representation, or provides only ciphertext or malformed text.
  case unavailable(String)
  /// The policies block the representation in this app.
  case refused(String, [OutcomeReason])
  case cancelled
  /// The query requires a representation, but none has been loaded.
  case notLoaded

  public var description: String {
    switch self {
    case .notOffered(let type, []): "`\(type)` is not offered; no types are offered"
    case .notOffered(let type, let offered):
      "`\(type)` is not offered; offered are \(offered.map { "`\($0)`" }.joined(separator: ", "))"
    case .unavailable(let type): "no `\(type)` is available"
    case .refused(let type, let reasons):
      "`\(type)` is refused: \(reasons.map(\.rule).joined(separator: ", "))"
    case .cancelled: "the load was cancelled"
    case .notLoaded: "the item has not been loaded"
    }
  }
}

// MARK: - Files

extension ItemProvider {
  /// Loads a representation into a temporary file in the app's own container.
  ///
  /// The item's owner owns the file. The file is removed after `completion` returns.
  ///
  /// - Parameter completion: Receives the file, open for reading. Requests that it sends to move the file are served
  ///   before the file is removed.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier type: String, in application: Application,
    completion: @escaping (Result<LoadedFile, ItemProviderError>) -> Void
  ) -> LoadProgress {
    loadItem(forTypeIdentifier: type) { result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(let item):
        switch item.readableBytes(type) {
        case .failure(let error): completion(.failure(error))
        case .success(let bytes):
          application.files.withTemporaryFile(
            bytes, named: item.fileName, owner: item.item.tag?.ownerUPN ?? ""
          ) { file in
            completion(file.map { .success($0) } ?? .failure(.unavailable(type)))
          }
        }
      }
    }
  }
}

/// A representation that was loaded into a file.
public struct LoadedFile {
  /// The file's path, relative to the container.
  public let path: String
  /// The file, open for reading.
  public let file: ProtectedFile
}

extension ReceivedItem {
  fileprivate func readableBytes(_ type: String) -> Result<[UInt8], ItemProviderError> {
    isEncrypted ? .failure(.unavailable(type)) : .success(item.bytes)
  }

  fileprivate var fileName: String {
    let name = (item.name ?? "item").split(separator: "/").last.map(String.init) ?? "item"
    return name == "." || name == ".." ? "item" : name
  }
}

// MARK: - Progress

/// The progress of a load, with a method that cancels the load. It corresponds to `Progress` in Foundation.
public final class LoadProgress {
  /// The completed fraction, from 0 to 1. The provider of a representation sets it, and the loading
  /// extension reads it.
  public var fractionCompleted: Double = 0 {
    didSet { onChange?(fractionCompleted) }
  }
  public private(set) var isCancelled = false
  /// Called at most once, when the load is cancelled.
  public var cancellationHandler: (() -> Void)?
  /// Called whenever the progress changes.
  public var onChange: ((Double) -> Void)?

  /// Creates a progress with a fraction of 0.
  public init() {}

  private var hasEnded = false

  /// Cancels the load. Has no effect on a load that has ended.
  public func cancel() {
    guard !isCancelled, !hasEnded else { return }
    isCancelled = true
    cancellationHandler?()
    cancellationHandler = nil
  }

  func end() {
    hasEnded = true
    cancellationHandler = nil
  }
}

/// An item that was delivered, or loaded from a provider.
public struct ReceivedItem: Sendable {
  public let item: Item
  /// The bundle id of the sender; `""` for an item from this app's own provider.
  public let sender: String
  /// Whether the payload is ciphertext that this app cannot read.
  public let isEncrypted: Bool
  /// Whether the app switched to the unknown, unmanaged account in order to receive the item.
  public let isForUnmanagedAccount: Bool

  init(_ item: Item, from sender: String, isEncrypted: Bool = false) {
    self.item = item
    self.sender = sender
    self.isEncrypted = isEncrypted
    isForUnmanagedAccount = false
  }

  init(_ delivery: Delivery) {
    item = delivery.item
    sender = delivery.sender
    isEncrypted = delivery.isEncrypted
    isForUnmanagedAccount = delivery.isForUnmanaged
  }
}
