/// What the host takes in one request: whoever sends more has broken the protocol.
package enum RequestLimits {
  /// Bytes of everything that a message names, such as accounts, types and paths; and the same for each tag in it.
  package static let names = 8192
  /// Fields of a message and everything in it.
  static let fields = 65_536
  /// Bytes of a `Log` that are traced.
  package static let log = 64 * 1024
  /// Bytes of a sentence that the journal keeps.
  package static let sentence = 2_000
  /// Items that an extension hands back at once.
  package static let returnedItems = 64
}
