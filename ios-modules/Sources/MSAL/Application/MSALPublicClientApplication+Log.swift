extension MSALPublicClientApplication {
  /// Logs the result of a call. Returns the result with its error in the form that apps receive.
  static func told(
    _ result: Result<MSALResult, Failure>, of call: String
  ) -> Result<MSALResult, any Error> {
    let log = MSALGlobalConfig.loggerConfig
    switch result {
    case .success(let token):
      log.log(.info, "\(call): a token with the scopes \(token.scopes)")
    case .failure(let failure):
      log.log(.error, "\(call): \(failure.code.rawValue), \(failure.description)")
    }
    return result.mapError(\.nsError)
  }
}
