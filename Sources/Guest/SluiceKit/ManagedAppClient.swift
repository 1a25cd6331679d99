public import Model
internal import Wire

/// Requests the configuration, passwords, certificates and identities that the administrator
/// provides for a managed app.
///
/// Every value is requested from the device, and none is cached. For apps with Foundation, the
/// module `ManagedApp` wraps this class with Apple's names.
public final class ManagedAppClient {
  private let host: any HostPort
  private var observers: [(number: Int, body: (ManagedAspect) -> Void)] = []
  private var lastObserver = 0

  init(_ host: any HostPort) { self.host = host }

  /// Requests the configuration as a property list.
  ///
  /// - Parameter completion: Receives the configuration; nil if the app is unmanaged or has no
  ///   configuration.
  public func configuration(completion: @escaping ([UInt8]?) -> Void) {
    ask(.configuration) { completion($0.items.first?.bytes) }
  }

  /// Requests the legacy configuration, in the user defaults under
  /// `com.apple.configuration.managed`, as a property list.
  ///
  /// - Parameter completion: Receives the configuration; nil if the app is unmanaged or has no
  ///   configuration.
  public func legacyConfiguration(completion: @escaping ([UInt8]?) -> Void) {
    ask(.legacyConfiguration) { completion($0.items.first?.bytes) }
  }

  /// Requests the identifiers of all secrets of a kind, in the administrator's order.
  public func identifiers(
    of kind: ManagedSecret, completion: @escaping ([String]) -> Void
  ) {
    ask(.identifiers(kind)) { completion($0.items.compactMap(\.text)) }
  }

  /// Requests the password with this identifier.
  public func password(
    withIdentifier identifier: String,
    completion: @escaping (Result<String, ManagedAppError>) -> Void
  ) {
    fetch(.password, identifier, { $0.first?.text }, completion)
  }

  /// Requests the certificate with this identifier, in DER.
  public func certificate(
    withIdentifier identifier: String,
    completion: @escaping (Result<[UInt8], ManagedAppError>) -> Void
  ) {
    fetch(.certificate, identifier, { $0.first?.bytes }, completion)
  }

  /// Requests an identity's certificate chain in DER, beginning with the leaf certificate.
  ///
  /// The private key stays on the device. The device signs with it.
  public func identity(
    withIdentifier identifier: String,
    completion: @escaping (Result<[[UInt8]], ManagedAppError>) -> Void
  ) {
    fetch(.identity, identifier, { $0.isEmpty ? nil : $0.map(\.bytes) }, completion)
  }

  /// Signs `data` on the device with an identity's key.
  ///
  /// - Parameter completion: Receives the signature, or `internalError` if the key does not support
  ///   `algorithm`.
  public func sign(
    _ data: [UInt8], withIdentity identifier: String,
    _ algorithm: SignatureAlgorithm = .ecdsaSignatureMessageX962SHA256,
    completion: @escaping (Result<[UInt8], ManagedAppError>) -> Void
  ) {
    ask(.sign(identifier: identifier, algorithm, data)) { outcome in
      completion(Self.result(outcome) { $0.first?.bytes })
    }
  }

  /// Reports to the administrator that the app accepts its configuration.
  public func reportDecoded() { ask(.decoded) { _ in } }

  /// Reports to the administrator why the app rejects its configuration.
  ///
  /// - Parameters:
  ///   - code: The app's own error code.
  ///   - message: The reason. It is truncated to 8,192 bytes. It appears in the device's event log,
  ///     so it must not contain secrets.
  public func reportDecodingError(code: Int, message: String) {
    var text = message
    while text.utf8.count > 8192 { text = String(text.dropLast(max(1, text.count / 8))) }
    ask(.decodingFailed(code: code, message: text)) { _ in }
  }

  // MARK: Changes

  /// Adds an observer, which is called when the administrator changes the app's configuration or secrets.
  ///
  /// After a call for an aspect, the observer is not called for further changes of this aspect until the app has
  /// requested the aspect's new value.
  ///
  /// - Returns: The number to pass to ``removeObserver(_:)``.
  @discardableResult
  public func addObserver(_ body: @escaping (ManagedAspect) -> Void) -> Int {
    lastObserver += 1
    observers.append((lastObserver, body))
    return lastObserver
  }

  public func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

  func didChange(_ aspect: ManagedAspect) {
    for observer in observers { observer.body(aspect) }
  }

  // MARK: Requests

  private func ask(
    _ request: ManagedAppRequest, _ completion: @escaping (RequestOutcome) -> Void
  ) {
    host.request(.managedApp(request), completion)
  }

  private func fetch<Value>(
    _ kind: ManagedSecret, _ identifier: String, _ value: @escaping ([Item]) -> Value?,
    _ completion: @escaping (Result<Value, ManagedAppError>) -> Void
  ) {
    ask(.secret(kind, identifier: identifier)) { completion(Self.result($0, value)) }
  }

  private static func result<Value>(
    _ outcome: RequestOutcome, _ value: ([Item]) -> Value?
  ) -> Result<Value, ManagedAppError> {
    if outcome.end == .delivered, let value = value(outcome.items) { return .success(value) }
    // An unmanaged app has no secrets, so every identifier is invalid.
    guard outcome.end != .refused else { return .failure(.invalidIdentifier) }
    let error = ManagedAppError(rawValue: outcome.status)
    return .failure(error ?? .internalError)
  }
}
