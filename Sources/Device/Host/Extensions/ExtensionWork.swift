internal import Model
internal import Wire

/// The request that an extension was started for.
struct ExtensionWork {
  var pending: PendingRequest
  var ruling: Ruling
  /// The items that the extension may load.
  let items: [OfferedItem]
  /// Bytes of the items that the device holds.
  let bytes: Int
  /// The load that the extension waits for; nil: none.
  var load: PendingLoad?

  init(pending: PendingRequest, ruling: Ruling, items: [OfferedItem]) {
    self.pending = pending
    self.ruling = ruling
    self.items = items
    bytes = items.flatMap(\.attachments).flatMap(\.representations).reduce(0) { $0 + $1.count }
  }
}

/// A load of a representation that the app has to make first.
struct PendingLoad {
  var pending: PendingRequest
  var provider: Guest
  /// Number of the question to the provider.
  var ask: UInt64
  var reference: RepresentationReference
}
