public import FoundationEssentials
public import Model
internal import SluiceKit

/// Provides the administrator's passwords for this app or extension.
public final class ManagedAppPasswordsProvider: Sendable {
  public init() {}

  /// Lists with the identifiers of all passwords. The first element is the current list; another list follows after
  /// passwords are added, removed or changed.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .passwords) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .password, completion: answer)
        }
      }
    }
  }

  /// Returns the password with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` if there is no such password, or the device cannot get or use
  ///   it.
  public func password(
    withIdentifier identifier: String
  ) async throws(ManagedAppError) -> String {
    try await ManagedAppSession.ask(orWhenGone: .failure(.internalError)) { client, answer in
      client.password(withIdentifier: identifier, completion: answer)
    }.get()
  }
}

/// Provides the administrator's certificates for this app or extension.
public final class ManagedAppCertificatesProvider: Sendable {
  public init() {}

  /// Lists with the identifiers of all certificates. The first element is the current list; another list follows after
  /// certificates are added, removed or changed.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .certificates) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .certificate, completion: answer)
        }
      }
    }
  }

  /// Returns the certificate with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` if there is no such certificate, or the device cannot get or use
  ///   it.
  public func certificate(
    withIdentifier identifier: String
  ) async throws(ManagedAppError) -> SecCertificate {
    let der = try await ManagedAppSession.ask(orWhenGone: .failure(.internalError)) {
      client, answer in
      client.certificate(withIdentifier: identifier, completion: answer)
    }.get()
    return SecCertificate(der)
  }
}

/// Provides the administrator's identities for this app or extension.
public final class ManagedAppIdentitiesProvider: Sendable {
  public init() {}

  /// Lists with the identifiers of all identities. The first element is the current list; another list follows after
  /// identities are added, removed or changed.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .identities) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .identity, completion: answer)
        }
      }
    }
  }

  /// Returns the identity with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` if there is no such identity, or the device cannot get or use
  ///   it.
  public func identity(
    withIdentifier identifier: String
  ) async throws(ManagedAppError) -> SecIdentity {
    let chain = try await ManagedAppSession.ask(orWhenGone: .failure(.internalError)) {
      client, answer in
      client.identity(withIdentifier: identifier, completion: answer)
    }.get()
    return SecIdentity(identifier, chain.map(SecCertificate.init))
  }
}

// MARK: - Certificates and identities

/// An X.509 certificate, with the interface of Apple's Security framework.
public final class SecCertificate: Sendable {
  /// The certificate's DER encoding.
  fileprivate let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Returns the DER encoding of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.bytes)
}

/// A certificate chain with a private key that stays on the device: this process can sign
/// with the key but not read it.
///
/// Signing is asynchronous because another process signs. On iOS, `SecKeyCreateSignature` is synchronous.
public final class SecIdentity: Sendable {
  private let identifier: String
  /// The certificate chain, beginning with the leaf certificate.
  public let certificates: [SecCertificate]

  fileprivate init(_ identifier: String, _ certificates: [SecCertificate]) {
    self.identifier = identifier
    self.certificates = certificates
  }

  /// Signs `data` on the device with the identity's key.
  ///
  /// - Throws: ``ManagedAppError``, such as `invalidIdentifier` if the administrator no longer provides the identity,
  ///   or `internalError` if its key does not support `algorithm`.
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

extension ManagedAppError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .invalidIdentifier: "The administrator provides no secret with this identifier."
    case .internalError: "The device cannot use the secret."
    case .serverError: "The device cannot get the secret from its server."
    }
  }
}
