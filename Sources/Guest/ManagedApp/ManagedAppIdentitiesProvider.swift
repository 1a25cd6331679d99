internal import Model
internal import SluiceKit

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
