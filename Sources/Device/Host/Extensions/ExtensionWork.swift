internal import Model
internal import Wire

/// What an extension was started for.
struct ExtensionWork {
  var pending: PendingRequest
  var ruling: Ruling
  /// What it may load.
  let items: [OfferedItem]
  /// How much of it the device holds.
  let bytes: Int
  /// What the extension waits for.
  var load: PendingLoad?

  init(pending: PendingRequest, ruling: Ruling, items: [OfferedItem]) {
    self.pending = pending
    self.ruling = ruling
    self.items = items
    bytes = items.flatMap(\.attachments).flatMap(\.representations).reduce(0) { $0 + $1.count }
  }
}

/// A representation that the app has to make first, and an extension waits for.
struct PendingLoad {
  var pending: PendingRequest
  var provider: Guest
  /// The number of the question to the provider.
  var ask: UInt64
  var reference: RepresentationReference
}
