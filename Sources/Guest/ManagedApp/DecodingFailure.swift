/// An error that a configuration's type has thrown, in the form that the administrator reads.
struct DecodingFailure {
  let code: Int
  /// The message, which quotes no value unless the app's own error does.
  let message: String

  init(_ error: any Error) {
    typealias Code = ManagedAppConfigurationDecodingErrorCode
    switch error {
    case let error as any ManagedAppConfigurationDecodingError
    where error.code.rawValue < Code.firstReserved:
      self.init(error.code.rawValue, error.message)
    case DecodingError.typeMismatch(let type, let context):
      self.init(Code.typeMismatch, "the value\(Self.place(context)) is no \(type)")
    case DecodingError.keyNotFound(let key, let context):
      self.init(
        Code.keyNotFound, "the key `\(key.stringValue)`\(Self.place(context)) is missing")
    case DecodingError.valueNotFound(let type, let context):
      self.init(Code.valueNotFound, "there is no \(type)\(Self.place(context))")
    case DecodingError.dataCorrupted(let context):
      self.init(Code.dataCorrupted, "the value\(Self.place(context)) is not one that is taken")
    default:  // open: any other error of the app
      self.init(Code.generic, "the app does not take the configuration")
    }
  }

  private init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  /// `` at `collection.name` ``, or nothing at the top.
  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at `\(path.joined(separator: "."))`"
  }
}
