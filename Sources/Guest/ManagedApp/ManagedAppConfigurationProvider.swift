public import FoundationEssentials
internal import Model
internal import SluiceKit

/// Provides the administrator's configurations for this app or extension.
///
/// ```swift
/// for await configuration in await ManagedAppConfigurationProvider().configurations(Settings.self) {
///   apply(configuration ?? .standard)
/// }
/// ```
public final class ManagedAppConfigurationProvider: Sendable {
  public init() {}

  /// Returns a sequence of the current configuration and each later configuration.
  ///
  /// An element is nil if the app is unmanaged or has stopped, if no configuration is set, or if decoding to `type`
  /// fails.
  ///
  /// Decoding errors are reported to the administrator. A ``ManagedAppConfigurationDecodingError`` is reported with its
  /// code and message. Other errors are reported with the framework's description, which contains no value. Unknown
  /// keys are ignored.
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
      let failure = DecodingErrorReport(error)
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

/// The legacy managed configuration. iOS stores it in the user defaults, under `com.apple.configuration.managed`.
///
/// An app that also supports ``ManagedAppConfigurationProvider`` should prefer the provider.
public enum LegacyManagedConfiguration {
  /// Returns the legacy configuration as a property list; nil if there is none, or the app has stopped.
  public static func propertyList() async -> Data? {
    await ManagedAppSession.ask(orWhenGone: [UInt8]?.none) { client, answer in
      client.legacyConfiguration(completion: answer)
    }.map { Data($0) }
  }
}

/// An error that a configuration type throws to report an invalid configuration to the administrator.
///
/// The message appears in the device's event log, so it must not contain secrets.
public protocol ManagedAppConfigurationDecodingError: Codable, Error {
  /// The app's own code. It must be below
  /// ``ManagedAppConfigurationDecodingErrorCode/firstReserved``; a reserved code is reported as
  /// `generic`.
  var code: ManagedAppConfigurationDecodingErrorCode { get set }
  var message: String { get set }
}

/// The code of a decoding error.
public struct ManagedAppConfigurationDecodingErrorCode: RawRepresentable, Codable, Hashable,
  Sendable
{
  public let rawValue: Int

  /// Creates an app-defined code. Returns nil if `rawValue` is ``firstReserved`` or greater.
  public init?(rawValue: Int) {
    guard rawValue < Self.firstReserved else { return nil }
    self.rawValue = rawValue
  }

  /// The first code that is reserved for the framework.
  public static let firstReserved = 0x7000_0000
  /// The code for an error without its own code.
  public static let generic = firstReserved
  public static let dataCorrupted = firstReserved + 1
  public static let keyNotFound = firstReserved + 2
  public static let typeMismatch = firstReserved + 3
  public static let valueNotFound = firstReserved + 4
  /// The code for a timeout. Sluice never reports it, because decoding has no time limit.
  public static let timeout = firstReserved + 5
}

/// A decoding error in the form reported to the administrator.
private struct DecodingErrorReport {
  let code: Int
  /// The message. It contains no configuration value, unless the app's own error contains one.
  let message: String

  init(_ error: any Error) {
    typealias Code = ManagedAppConfigurationDecodingErrorCode
    switch error {
    case let error as any ManagedAppConfigurationDecodingError
    where error.code.rawValue < Code.firstReserved:
      self.init(error.code.rawValue, error.message)
    case DecodingError.typeMismatch(let type, let context):
      self.init(Code.typeMismatch, "the value\(Self.place(context)) is not of type \(type)")
    case DecodingError.keyNotFound(let key, let context):
      self.init(
        Code.keyNotFound, "the key `\(key.stringValue)`\(Self.place(context)) is missing")
    case DecodingError.valueNotFound(let type, let context):
      self.init(Code.valueNotFound, "there is no \(type)\(Self.place(context))")
    case DecodingError.dataCorrupted(let context):
      self.init(Code.dataCorrupted, "the value\(Self.place(context)) is not valid")
    default:  // open: any other error of the app
      self.init(Code.generic, "the app rejects the configuration")
    }
  }

  private init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Returns the location of a decoding error for messages, such as `` at `collection.name` ``. Returns `""` at the top
  /// level.
  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at `\(path.joined(separator: "."))`"
  }
}
