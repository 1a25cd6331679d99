/// What the host takes in one request: whoever sends more has broken the protocol.
package enum RequestLimits {
  /// Bytes of everything that a request names, such as accounts, types and paths.
  package static let names = 8192
  /// Items that an extension hands back at once.
  package static let returnedItems = 64
}
