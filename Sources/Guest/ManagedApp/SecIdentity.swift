public import FoundationEssentials
public import Model
internal import SluiceKit

/// A certificate with a private key that stays on the device: this process can have the key sign, but cannot read it.
///
/// On iOS `SecKeyCreateSignature` makes a signature and waits; here another process signs.
public final class SecIdentity: Sendable {
  private let identifier: String
  /// The key's own certificate first, then those of its issuers.
  public let certificates: [SecCertificate]

  init(_ identifier: String, _ certificates: [SecCertificate]) {
    self.identifier = identifier
    self.certificates = certificates
  }

  /// The device's signature over `data`.
  ///
  /// - Throws: ``ManagedAppError/invalidIdentifier`` where the administrator provides the identity no longer,
  ///   ``ManagedAppError/internalError`` where its key does not sign with `algorithm`.
  public func signature(
    for data: Data, algorithm: SignatureAlgorithm = .ecdsaSignatureMessageX962SHA256
  ) async throws(ManagedAppError) -> Data {
    let identifier = identifier
    let bytes = Array(data)
    return try await ManagedAppSession.ask(
      orWhenGone: Result<[UInt8], ManagedAppError>.failure(.internalError)
    ) { client, answer in
      client.sign(bytes, withIdentity: identifier, algorithm, completion: answer)
    }.map { Data($0) }.get()
  }
}
