internal import Model
internal import SluiceKit

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
