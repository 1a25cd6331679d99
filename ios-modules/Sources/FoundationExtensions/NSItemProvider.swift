public import Foundation
package import SluiceKit
internal import Synchronization

/// One thing that is shared, in one representation or several.
///
/// An extension gets one for each attachment: what it loads, it asks of the device, which decides by the policies of
/// that moment. Load and completion handlers are called on background threads.
open class NSItemProvider: NSObject, @unchecked Sendable {
  /// Takes what was loaded, or why it was not.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void
  /// Makes a representation when it is loaded.
  public typealias LoadHandler =
    @Sendable (CompletionHandler?, AnyClass?, [AnyHashable: Any]?) -> Void

  let state: Mutex<State>

  struct State {
    var suggestedName: String?
    var types: [String] = []
    /// The representations by type, in lower case.
    var sources: [String: ItemSource] = [:]

    mutating func add(_ source: ItemSource, for type: String) {
      if sources.updateValue(source, forKey: type.lowercased()) == nil { types.append(type) }
    }
  }

  /// A thing without representation yet.
  public override init() {
    state = Mutex(State())
    super.init()
  }

  /// An attachment that another app has shared.
  init(_ device: DeviceProvider) {
    var state = State(suggestedName: device.suggestedName)
    for type in device.types { state.add(.device(device), for: type) }
    self.state = Mutex(state)
    super.init()
  }

  /// A thing with a single representation.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item, let typeIdentifier else { return }
    add(.object(UncheckedBox(item)), for: typeIdentifier)
  }

  /// A thing with the representations of an object.
  public convenience init(object: any NSItemProviderWriting) {
    self.init()
    registerObject(object, visibility: .all)
  }

  /// A file; nil where there is none.
  public convenience init?(contentsOf fileURL: URL!) {
    guard let fileURL, FileManager.default.fileExists(atPath: fileURL.path) else { return nil }
    self.init()
    suggestedName = fileURL.lastPathComponent
    add(.file(fileURL), for: Self.type(ofFile: fileURL))
  }

  /// The thing's own name; nil where it has none.
  open var suggestedName: String? {
    get { state.withLock(\.suggestedName) }
    set { state.withLock { $0.suggestedName = newValue } }
  }

  /// The types, the most faithful first.
  open var registeredTypeIdentifiers: [String] { state.withLock(\.types) }

  /// Whether a representation is of that type, or of one that conforms to it.
  open func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    registeredTypeIdentifiers.contains { TypeMatching.conforms($0, to: typeIdentifier) }
  }

  /// Whether a representation is of that type, or of one that conforms to it; the options change nothing.
  open func hasRepresentationConforming(
    toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
  ) -> Bool {
    hasItemConformingToTypeIdentifier(typeIdentifier)
  }

  /// The item that was loaded last of what another app has shared; nil before anything was, and for a thing of this app.
  package var receivedItem: ReceivedItem? {
    state.withLock(\.sources).values.lazy.compactMap {
      if case .device(let device) = $0 { device.loaded } else { nil }
    }.first
  }

  func add(_ source: ItemSource, for type: String) { state.withLock { $0.add(source, for: type) } }
}
