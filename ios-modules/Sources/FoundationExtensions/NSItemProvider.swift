public import Foundation
package import SluiceKit
internal import Synchronization

/// A shared item with one or more representations.
///
/// An extension receives one provider for each attachment. If the attachment is from another app, each load is a
/// request, which the device decides under the current policies. Load handlers are called on background threads. So are
/// completion handlers, unless the app's load handler answers on another thread.
open class NSItemProvider: NSObject, @unchecked Sendable {
  /// A closure that receives the loaded object, or an error.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void
  /// A closure that creates a representation each time it is loaded.
  public typealias LoadHandler =
    @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

  let state: Mutex<State>

  struct State {
    var suggestedName: String?
    var types: [String] = []
    /// The representations, keyed by lower-case type identifier.
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

  /// Creates a provider with a single representation. If an argument is nil, the provider has no representations.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item, let typeIdentifier else { return }
    add(.object(UncheckedBox(item)), for: typeIdentifier)
  }

  /// Creates a provider with an object's representations.
  public convenience init(object: any NSItemProviderWriting) {
    self.init()
    registerObject(object, visibility: .all)
  }

  /// Creates a provider for a file. Returns nil if the file does not exist.
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

  /// The registered types, with the most faithful type first.
  open var registeredTypeIdentifiers: [String] { state.withLock(\.types) }

  /// Returns whether a representation has this type or a type that conforms to it.
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    registeredTypeIdentifiers.contains { TypeMatching.conforms($0, to: typeIdentifier) }
  }

  /// Returns whether a representation has this type or a type that conforms to it. The options are
  /// ignored.
  open func hasRepresentationConforming(
    toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
  ) -> Bool {
    hasItemConformingToTypeIdentifier(typeIdentifier)
  }

  /// The item that was last loaded from another app's attachment. Nil before the first load, and if the attachment is
  /// from this app.
  package var receivedItem: ReceivedItem? {
    state.withLock(\.sources).values.lazy.compactMap {
      if case .device(let device) = $0 { device.loaded } else { nil }
    }.first
  }

  func add(_ source: ItemSource, for type: String) { state.withLock { $0.add(source, for: type) } }
}
