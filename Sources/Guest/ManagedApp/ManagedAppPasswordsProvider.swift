internal import Model
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
