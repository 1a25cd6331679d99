internal import AppProcess
public import Foundation
public import FoundationExtensions
internal import SluiceKit
internal import Synchronization

/// The device's pasteboard. Every read is a paste, and the device decides whether to allow it.
open class UIPasteboard: NSObject, @unchecked Sendable {
  public static let general = UIPasteboard()

  /// A notification about a change of the pasteboard. It is posted only after changes by this app.
  public static let changedNotification = Notification.Name("UIPasteboardChangedNotification")

  private let changes = Mutex(0)

  /// The number of changes by this app.
  open var changeCount: Int { changes.withLock { $0 } }

  // MARK: Single values

  open var string: String? {
    get { item.flatMap { PasteboardMapping.string($0) } }
    set { set(newValue.map { ["public.utf8-plain-text": $0] }) }
  }

  open var url: URL? {
    get { item.flatMap { PasteboardMapping.url($0) } }
    set { set(newValue.map { ["public.url": $0] }) }
  }

  open var image: UIImage? {
    get { item.flatMap { PasteboardMapping.image($0) } }
    set { set(newValue.map { ["public.png": $0] }) }
  }

  open var strings: [String]? {
    get { string.map { [$0] } }
    set { setItems((newValue ?? []).map { ["public.utf8-plain-text": $0] }) }
  }

  open var urls: [URL]? {
    get { url.map { [$0] } }
    set { setItems((newValue ?? []).map { ["public.url": $0] }) }
  }

  open var images: [UIImage]? {
    get { image.map { [$0] } }
    set { setItems((newValue ?? []).map { ["public.png": $0] }) }
  }

  // MARK: Items

  /// The pasteboard's single item, which has a single representation. Empty if a paste gives no item.
  open var items: [[String: Any]] {
    get { item.map { [PasteboardMapping.representations($0)] } ?? [] }
    set { setItems(newValue) }
  }

  open var itemProviders: [NSItemProvider] {
    get {
      items.flatMap { $0 }.map { type, value in
        NSItemProvider(item: value as? any NSSecureCoding, typeIdentifier: type)
      }
    }
    set { setItemProviders(newValue, localOnly: false, expirationDate: nil) }
  }

  open var numberOfItems: Int { items.count }
  open var types: [String] { item.map { [$0.type] } ?? [] }

  open func contains(pasteboardTypes: [String]) -> Bool {
    item.map { item in pasteboardTypes.contains { TypeMatching.conforms(item.type, to: $0) } }
      ?? false
  }

  open func data(forPasteboardType pasteboardType: String) -> Data? {
    item.flatMap { TypeMatching.conforms($0.type, to: pasteboardType) ? $0.data : nil }
  }

  open func value(forPasteboardType pasteboardType: String) -> Any? {
    item.flatMap {
      TypeMatching.conforms($0.type, to: pasteboardType)
        ? PasteboardMapping.representations($0).values.first : nil
    }
  }

  open func setData(_ data: Data, forPasteboardType pasteboardType: String) {
    setItems([[pasteboardType: data]])
  }

  open func setValue(_ value: Any, forPasteboardType pasteboardType: String) {
    setItems([[pasteboardType: value]])
  }

  open func setItems(_ items: [[String: Any]], options: [OptionsKey: Any] = [:]) {
    if options[.expirationDate] != nil {
      AppProcess.current.logOnce("`UIPasteboard` ignores `expirationDate`")
    }
    put(PasteboardMapping.choose(items), options[.localOnly] as? Bool ?? false)
  }

  open func setItemProviders(
    _ itemProviders: [NSItemProvider], localOnly: Bool, expirationDate: Date?
  ) {
    OutgoingItem.items(itemProviders) { [self] items in
      put(
        items.first.map { PasteboardMapping.Choice(item: $0, leftOut: items.count - 1) }, localOnly)
    }
  }

  // MARK: Available types

  /// Whether the pasteboard contains text. Every read is a paste, and the device decides whether to allow it. On iOS, a
  /// read of this property is no paste.
  open var hasStrings: Bool { contains(pasteboardTypes: ["public.text"]) }
  open var hasURLs: Bool { contains(pasteboardTypes: ["public.url"]) }
  open var hasImages: Bool { contains(pasteboardTypes: ["public.image"]) }

  // MARK: The device

  private func set(_ item: [String: Any]?) { setItems(item.map { [$0] } ?? []) }

  /// The pasted item; nil if the pasteboard is empty or the policies refuse the paste.
  private var item: Item? {
    let item: Item? = AppProcess.current.ask { app, answer in
      app.pasteboard.paste { answer($0.items.first) }
    }
    return item.flatMap { $0.data.isEmpty ? nil : $0 }
  }

  /// Copies an item to the pasteboard. If `choice` is nil, an empty text replaces the previous item.
  private func put(_ choice: PasteboardMapping.Choice?, _ isLocal: Bool) {
    if let choice, choice.leftOut > 0 {
      AppProcess.current.log(
        "the pasteboard keeps only `\(choice.item.type)`; representations left out: \(choice.leftOut)"
      )
    }
    let item = choice?.item ?? Item(text: "")
    let isCopied: Bool = AppProcess.current.ask { app, answer in
      app.pasteboard.copy(item, scope: isLocal ? .local : .everywhere) {
        answer($0.end == .delivered)
      }
    }
    guard isCopied else { return }
    changes.withLock { $0 += 1 }
    NotificationCenter.default.post(name: Self.changedNotification, object: self)
  }

  /// A key in the options of ``setItems(_:options:)``.
  public struct OptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let localOnly = OptionsKey(rawValue: "UIPasteboardOptionLocalOnly")
    /// This option has no effect.
    public static let expirationDate = OptionsKey(rawValue: "UIPasteboardOptionExpirationDate")
  }
}
