internal import JSON

/// The reason why an asset cannot be used.
struct AssetFault: Error, Sendable, Equatable {
  /// The code of the fault in a status report.
  enum Code: String, Sendable {
    case cannotBeDownloaded = "Error.AssetCannotBeDownloaded"
    case cannotBeVerified = "Error.AssetCannotBeVerified"
    case cannotBeDeserialized = "Error.AssetCannotBeDeserialized"
  }

  var code: Code
  /// The message, in lower case, without full stop; it quotes nothing of the asset's data.
  var message: String
  /// The place in the asset's data; nil where the declaration is at fault.
  var place: Position?

  init(_ code: Code, _ message: String, at place: Position? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}
