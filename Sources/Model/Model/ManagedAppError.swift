/// The reason why there is no secret, as in Apple's framework. The raw values are the statuses of requests.
public enum ManagedAppError: Int, Error, Sendable {
  /// No secret has that identifier, or not any longer.
  case invalidIdentifier = 1
  /// The device cannot use the secret.
  case internalError
  /// The device cannot get the secret from its server.
  case serverError
}
