/// Writes messages to the app's output. The scenario step `log` searches this output.
///
/// Levels, subsystems and categories are not written. Private values are written too.
public struct Logger: Sendable {
  public init() {}
  public init(subsystem: String, category: String) {}
  public init(_ log: OSLog) {}

  public func log(_ message: OSLogMessage) { print(message.text) }
  public func log(level: OSLogType, _ message: OSLogMessage) { print(message.text) }
  public func trace(_ message: OSLogMessage) { print(message.text) }
  public func debug(_ message: OSLogMessage) { print(message.text) }
  public func info(_ message: OSLogMessage) { print(message.text) }
  public func notice(_ message: OSLogMessage) { print(message.text) }
  public func warning(_ message: OSLogMessage) { print(message.text) }
  public func error(_ message: OSLogMessage) { print(message.text) }
  public func critical(_ message: OSLogMessage) { print(message.text) }
  public func fault(_ message: OSLogMessage) { print(message.text) }
}

/// A subsystem and category for ``os_log(_:log:type:_:)`` and ``Logger``.
public final class OSLog: Sendable {
  public static let `default` = OSLog(subsystem: "", category: "")
  public static let disabled = OSLog(isEnabled: false)
  let isEnabled: Bool

  public init(subsystem: String, category: String) { isEnabled = true }
  private init(isEnabled: Bool) { self.isEnabled = isEnabled }
}

/// The level of a message, which has no effect.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }
  public static let `default` = OSLogType(0x00)
  public static let info = OSLogType(0x01)
  public static let debug = OSLogType(0x02)
  public static let error = OSLogType(0x10)
  public static let fault = OSLogType(0x11)
}

/// Writes a message to the app's output. Does nothing if `log` is ``OSLog/disabled``.
///
/// - Parameter arguments: The values for the format's directives. Annotations such as `%{public}@`
///   are accepted and have no effect.
public func os_log(
  _ message: StaticString, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any...
) {
  guard log.isEnabled else { return }
  print(OSLogFormat(message.description).text(arguments))
}

/// Writes a message to the app's output. Does nothing if `log` is ``OSLog/disabled``.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
  guard log.isEnabled else { return }
  print(message.text)
}
