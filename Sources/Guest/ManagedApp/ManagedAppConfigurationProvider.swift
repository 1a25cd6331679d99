internal import FoundationEssentials
internal import Model
internal import SluiceKit

/// Provides the configurations that an administrator specifies for this app or extension.
///
/// ```swift
/// for await configuration in await ManagedAppConfigurationProvider().configurations(Settings.self) {
///   apply(configuration ?? .standard)
/// }
/// ```
public final class ManagedAppConfigurationProvider: Sendable {
  /// Makes a provider.
  public init() {}

  /// The present configuration at once, and every other one that the administrator provides later; nil where the app is
  /// not managed, no configuration is set, or `type` does not accept it.
  ///
  /// An error of the type reaches the administrator: the code and message of a
  /// ``ManagedAppConfigurationDecodingError``, or a description of another error in the framework's words, without any
  /// value. Keys that the type does not know are passed over.
  public func configurations<Configuration: Decodable>(
    _ type: Configuration.Type
  ) async -> some AsyncSequence<Configuration?, Never> {
    ManagedAppSequence<Configuration?>(aspect: .configuration) {
      let list = await ManagedAppSession.ask(orWhenGone: [UInt8]?.none) { client, answer in
        client.configuration(completion: answer)
      }
      guard let list else { return nil }
      return await Self.decode(list, type)
    }
  }

  private static func decode<Configuration: Decodable>(
    _ list: [UInt8], _ type: Configuration.Type
  ) async -> Configuration? {
    do {
      let configuration = try PropertyListDecoder().decode(type, from: Data(list))
      await report { $0.reportDecoded() }
      return configuration
    } catch {
      let failure = DecodingFailure(error)
      await report { $0.reportDecodingError(code: failure.code, message: failure.message) }
      return nil
    }
  }

  private static func report(_ body: @escaping @Sendable (ManagedAppClient) -> Void) async {
    await ManagedAppSession.ask(orWhenGone: ()) { client, answer in
      body(client)
      answer(())
    }
  }
}
