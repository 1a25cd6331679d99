public import FoundationEssentials
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

/// The older path of a managed configuration, which on iOS is in the user defaults under
/// `com.apple.configuration.managed`. An app that knows both paths lets
/// ``ManagedAppConfigurationProvider`` win.
public enum LegacyManagedConfiguration {
  /// The dictionary as a property list; nil where there is none.
  public static func propertyList() async -> Data? {
    await ManagedAppSession.ask(orWhenGone: [UInt8]?.none) { client, answer in
      client.legacyConfiguration(completion: answer)
    }.map { Data($0) }
  }
}

/// An error that a configuration's type throws to tell the administrator about a fault in a configuration. Its message
/// ends up in the device's event log, and must hold nothing secret.
public protocol ManagedAppConfigurationDecodingError: Codable, Error {
  /// The app's own code, below ``ManagedAppConfigurationDecodingErrorCode/firstReserved``; others are reported as
  /// `generic`.
  var code: ManagedAppConfigurationDecodingErrorCode { get set }
  var message: String { get set }
}

/// Tells one mistake in a configuration from another.
public struct ManagedAppConfigurationDecodingErrorCode: RawRepresentable, Codable, Hashable,
  Sendable
{
  public let rawValue: Int

  /// Makes a code of the app's own; nil from ``firstReserved`` on.
  public init?(rawValue: Int) {
    guard rawValue < Self.firstReserved else { return nil }
    self.rawValue = rawValue
  }

  /// The first of the framework's own codes.
  public static let firstReserved = 0x7000_0000
  /// An error that states no code of its own.
  public static let generic = firstReserved
  public static let dataCorrupted = firstReserved + 1
  public static let keyNotFound = firstReserved + 2
  public static let typeMismatch = firstReserved + 3
  public static let valueNotFound = firstReserved + 4
  /// Never reported here: no type is stopped while it decodes.
  public static let timeout = firstReserved + 5
}

/// An error that a configuration's type has thrown, in the form that the administrator reads.
private struct DecodingFailure {
  let code: Int
  /// The message, which quotes no value unless the app's own error does.
  let message: String

  init(_ error: any Error) {
    typealias Code = ManagedAppConfigurationDecodingErrorCode
    switch error {
    case let error as any ManagedAppConfigurationDecodingError
    where error.code.rawValue < Code.firstReserved:
      self.init(error.code.rawValue, error.message)
    case DecodingError.typeMismatch(let type, let context):
      self.init(Code.typeMismatch, "the value\(Self.place(context)) is no \(type)")
    case DecodingError.keyNotFound(let key, let context):
      self.init(
        Code.keyNotFound, "the key `\(key.stringValue)`\(Self.place(context)) is missing")
    case DecodingError.valueNotFound(let type, let context):
      self.init(Code.valueNotFound, "there is no \(type)\(Self.place(context))")
    case DecodingError.dataCorrupted(let context):
      self.init(Code.dataCorrupted, "the value\(Self.place(context)) is not one that is taken")
    default:  // open: any other error of the app
      self.init(Code.generic, "the app does not take the configuration")
    }
  }

  private init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  /// `` at `collection.name` ``, or nothing at the top.
  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at `\(path.joined(separator: "."))`"
  }
}
