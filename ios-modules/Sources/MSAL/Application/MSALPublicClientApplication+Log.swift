extension MSALPublicClientApplication {
  /// Logs a result, and converts it for the app.
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
