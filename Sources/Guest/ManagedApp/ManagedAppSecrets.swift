public import FoundationEssentials
public import Model
internal import SluiceKit

/// Provides the passwords that an administrator provides for this app or extension.
public final class ManagedAppPasswordsProvider: Sendable {
  /// Makes a provider.
  public init() {}

  /// The identifiers of all passwords at once, and again whenever one is added, removed or gets another value.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .passwords) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .password, completion: answer)
        }
      }
    }
  }

  /// The password with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` where the administrator provides none, or the device cannot get or use it.
  public func password(
    withIdentifier identifier: String
  ) async throws(ManagedAppError) -> String {
    try await ManagedAppSession.ask(orWhenGone: .failure(.internalError)) { client, answer in
      client.password(withIdentifier: identifier, completion: answer)
    }.get()
  }
}

/// Provides the certificates that an administrator provides for this app or extension.
public final class ManagedAppCertificatesProvider: Sendable {
  /// Makes a provider.
  public init() {}

  /// The identifiers of all certificates at once, and again whenever one is added, removed or gets another value.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .certificates) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .certificate, completion: answer)
        }
      }
    }
  }

  /// The certificate with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` where the administrator provides none, or the device cannot get or use it.
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

/// Provides the identities that an administrator provides for this app or extension.
public final class ManagedAppIdentitiesProvider: Sendable {
  /// Makes a provider.
  public init() {}

  /// The identifiers of all identities at once, and again whenever one is added, removed or gets another value.
  public var identifiers: some AsyncSequence<[String], Never> {
    get async {
      ManagedAppSequence<[String]>(aspect: .identities) {
        await ManagedAppSession.ask(orWhenGone: []) { client, answer in
          client.identifiers(of: .identity, completion: answer)
        }
      }
    }
  }

  /// The identity with this identifier.
  ///
  /// - Throws: ``ManagedAppError`` where the administrator provides none, or the device cannot get or use it.
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
  /// The certificate in DER.
  fileprivate let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data {
  Data(certificate.bytes)
}

/// A certificate with a private key that stays on the device: this process can have the key sign, but cannot read it.
///
/// On iOS `SecKeyCreateSignature` makes a signature and waits; here another process signs.
public final class SecIdentity: Sendable {
  private let identifier: String
  /// The key's own certificate first, then those of its issuers.
  public let certificates: [SecCertificate]

  fileprivate init(_ identifier: String, _ certificates: [SecCertificate]) {
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

extension ManagedAppError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .invalidIdentifier: "The administrator provides no secret with this identifier."
    case .internalError: "The device cannot use the secret."
    case .serverError: "The device cannot get the secret from its server."
    }
  }
}
