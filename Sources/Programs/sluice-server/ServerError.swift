/// The reason why the server does not come up.
struct ServerError: Error, CustomStringConvertible {
  /// The reason: lower case, no full stop.
  let description: String

  init(_ description: String) { self.description = description }
}
