/// The limits on one request: a guest that sends more has broken the protocol.
package enum RequestLimits {
  /// Bytes of all names in a message, such as accounts, types and paths; the limit applies again to each tag in it.
  package static let names = 8192
  /// Fields of a message with all its parts.
  static let fields = 65_536
  /// Bytes of a `Log` that are traced.
  package static let log = 64 * 1024
  /// Bytes of a sentence that the journal keeps.
  package static let sentence = 2_000
  /// Items that a guest names as sources of what it moves.
  static let sources = 64
  /// Items that an extension hands back at once.
  package static let returnedItems = 64
}
