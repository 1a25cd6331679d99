internal import JSON

/// Why an asset cannot be used.
struct AssetFault: Error, Sendable, Equatable {
  /// As a status report tells it.
  enum Code: String, Sendable {
    case cannotBeDownloaded = "Error.AssetCannotBeDownloaded"
    case cannotBeVerified = "Error.AssetCannotBeVerified"
    case cannotBeDeserialized = "Error.AssetCannotBeDeserialized"
  }

  var code: Code
  /// Lower case, no full stop; quotes nothing of the asset's data.
  var message: String
  /// In the asset's data; nil where the declaration is at fault.
  var place: Position?

  init(_ code: Code, _ message: String, at place: Position? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}
