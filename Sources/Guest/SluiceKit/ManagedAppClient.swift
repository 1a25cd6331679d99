public import Model
internal import Wire

/// The configuration, passwords, certificates and identities that the administrator of a managed app provides for it.
///
/// Everything comes from the device whenever it is asked for; nothing is kept here. Apps with Foundation have the
/// framework `ManagedApp` on top of this class, with Apple's names.
public final class ManagedAppClient {
  private let host: any HostPort
  private var observers: [(number: Int, body: (ManagedAspect) -> Void)] = []
  private var lastObserver = 0

  init(_ host: any HostPort) { self.host = host }

  /// The configuration as a property list.
  ///
  /// - Parameter completion: gets the configuration; nil where the app is unmanaged, or none is set.
  public func configuration(completion: @escaping ([UInt8]?) -> Void) {
    ask(.configuration) { completion($0.items.first?.bytes) }
  }

  /// The property list in the user defaults, `com.apple.configuration.managed`.
  ///
  /// - Parameter completion: gets nil where the app is unmanaged, or none is set.
  public func legacyConfiguration(completion: @escaping ([UInt8]?) -> Void) {
    ask(.legacyConfiguration) { completion($0.items.first?.bytes) }
  }

  /// The identifiers of all secrets of a kind, in the administrator's order.
  public func identifiers(
    of kind: ManagedSecret, completion: @escaping ([String]) -> Void
  ) {
    ask(.identifiers(kind)) { completion($0.items.compactMap(\.text)) }
  }

  /// The password with this identifier.
  public func password(
    withIdentifier identifier: String,
    completion: @escaping (Result<String, ManagedAppError>) -> Void
  ) {
    fetch(.password, identifier, { $0.first?.text }, completion)
  }

  /// A certificate in DER.
  public func certificate(
    withIdentifier identifier: String,
    completion: @escaping (Result<[UInt8], ManagedAppError>) -> Void
  ) {
    fetch(.certificate, identifier, { $0.first?.bytes }, completion)
  }

  /// The certificates of an identity in DER, its own first. Its key stays on the device, which signs with it.
  public func identity(
    withIdentifier identifier: String,
    completion: @escaping (Result<[[UInt8]], ManagedAppError>) -> Void
  ) {
    fetch(.identity, identifier, { $0.isEmpty ? nil : $0.map(\.bytes) }, completion)
  }

  /// Has the device sign `data` with the key of an identity.
  ///
  /// - Parameter completion: gets the signature; `internalError` where the key does not sign with `algorithm`.
  public func sign(
    _ data: [UInt8], withIdentity identifier: String,
    _ algorithm: SignatureAlgorithm = .ecdsaSignatureMessageX962SHA256,
    completion: @escaping (Result<[UInt8], ManagedAppError>) -> Void
  ) {
    ask(.sign(identifier: identifier, algorithm, data)) { outcome in
      completion(Self.result(outcome) { $0.first?.bytes })
    }
  }

  /// Tells the administrator that the app accepts its configuration.
  public func reportDecoded() { ask(.decoded) { _ in } }

  /// Tells the administrator why the app does not accept its configuration.
  ///
  /// - Parameter message: the reason, which ends up in the device's event log and must hold no secret; at most
  ///   8,192 bytes.
  public func reportDecodingError(code: Int, message: String) {
    var text = message
    while text.utf8.count > 8192 { text = String(text.dropLast(max(1, text.count / 8))) }
    ask(.decodingFailed(code: code, message: text)) { _ in }
  }

  // MARK: changes

  /// Has `body` called whenever the administrator provides something else. It is not called again for the same aspect
  /// before the app has asked for it.
  ///
  /// - Returns: the number that ``removeObserver(_:)`` takes.
  @discardableResult
  public func addObserver(_ body: @escaping (ManagedAspect) -> Void) -> Int {
    lastObserver += 1
    observers.append((lastObserver, body))
    return lastObserver
  }

  /// Removes the observer of that number.
  public func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

  func didChange(_ aspect: ManagedAspect) {
    for observer in observers { observer.body(aspect) }
  }

  // MARK: requests

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
    // An unmanaged app knows no identifier.
    guard outcome.end != .refused else { return .failure(.invalidIdentifier) }
    let error = ManagedAppError(rawValue: outcome.status)
    return .failure(error ?? .internalError)
  }
}
