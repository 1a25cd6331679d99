/// Why the server does not come up.
struct ServerError: Error, CustomStringConvertible {
  /// Lower case, no full stop.
  let description: String

  init(_ description: String) { self.description = description }
}
