public import Foundation
package import SluiceKit
internal import Synchronization

/// A shared item with one or more representations.
///
/// An extension receives one provider per attachment. Each load is a request to the device, which decides it by
/// the current policies. Load and completion handlers are called on background threads.
open class NSItemProvider: NSObject, @unchecked Sendable {
  /// Receives the loaded object, or an error.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void
  /// Creates a representation on loading.
  public typealias LoadHandler =
    @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

  let state: Mutex<State>

  struct State {
    var suggestedName: String?
    var types: [String] = []
    /// The representations by lowercase type identifier.
    var sources: [String: ItemSource] = [:]

    mutating func add(_ source: ItemSource, for type: String) {
      if sources.updateValue(source, forKey: type.lowercased()) == nil { types.append(type) }
    }
  }

  /// Creates a provider without representations.
  public override init() {
    state = Mutex(State())
    super.init()
  }

  /// Creates a provider for an attachment from another app.
  init(_ device: DeviceProvider) {
    var state = State(suggestedName: device.suggestedName)
    for type in device.types { state.add(.device(device), for: type) }
    self.state = Mutex(state)
    super.init()
  }

  /// Creates a provider with a single representation.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item, let typeIdentifier else { return }
    add(.object(UncheckedBox(item)), for: typeIdentifier)
  }

  /// Creates a provider with the representations of an object.
  public convenience init(object: any NSItemProviderWriting) {
    self.init()
    registerObject(object, visibility: .all)
  }

  /// Creates a provider for a file; returns nil if the file does not exist.
  public convenience init?(contentsOf fileURL: URL!) {
    guard let fileURL, FileManager.default.fileExists(atPath: fileURL.path) else { return nil }
    self.init()
    suggestedName = fileURL.lastPathComponent
    add(.file(fileURL), for: Self.type(ofFile: fileURL))
  }

  /// The suggested file name; nil if there is none.
  open var suggestedName: String? {
    get { state.withLock(\.suggestedName) }
    set { state.withLock { $0.suggestedName = newValue } }
  }

  /// The registered types, most faithful first.
  open var registeredTypeIdentifiers: [String] { state.withLock(\.types) }

  /// Whether a representation has this type or one that conforms to it.
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    registeredTypeIdentifiers.contains { TypeMatching.conforms($0, to: typeIdentifier) }
  }

  /// Whether a representation has this type or one that conforms to it. The options are ignored.
  open func hasRepresentationConforming(
    toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
  ) -> Bool {
    hasItemConformingToTypeIdentifier(typeIdentifier)
  }

  /// The item loaded last from another app's attachment; nil before the first load, and for this app's own
  /// items.
  package var receivedItem: ReceivedItem? {
    state.withLock(\.sources).values.lazy.compactMap {
      if case .device(let device) = $0 { device.loaded } else { nil }
    }.first
  }

  func add(_ source: ItemSource, for type: String) { state.withLock { $0.add(source, for: type) } }
}
