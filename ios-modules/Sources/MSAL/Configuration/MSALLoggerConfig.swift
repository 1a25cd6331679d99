public import Foundation
internal import Synchronization

/// The log of MSAL. Its lines name calls and errors, and never people.
open class MSALLoggerConfig: NSObject, @unchecked Sendable {
  private let settings = Mutex(Settings())

  private struct Settings {
    var level = MSALLogLevel.error
    var maskingLevel = MSALLogMaskingLevel.settingsMaskAllPII
    var callback: (@Sendable (MSALLogLevel, String?, Bool) -> Void)?
  }

  override init() {}

  /// The least urgent lines that the callback gets.
  open var logLevel: MSALLogLevel {
    get { settings.withLock(\.level) }
    set { settings.withLock { $0.level = newValue } }
  }

  /// Without effect: there is nothing to mask.
  open var logMaskingLevel: MSALLogMaskingLevel {
    get { settings.withLock(\.maskingLevel) }
    set { settings.withLock { $0.maskingLevel = newValue } }
  }

  /// Sets what takes the lines, on any thread. Only the first callback of a process counts, as in MSAL.
  @preconcurrency
  open func setLogCallback(
    _ callback: @escaping @Sendable (MSALLogLevel, String?, Bool) -> Void
  ) {
    let isFirst = settings.withLock { settings in
      guard settings.callback == nil else { return false }
      settings.callback = callback
      return true
    }
    if !isFirst { AppDevice().logOnce("MSAL: a second log callback is set, and never called") }
  }

  /// What takes the lines.
  open func callback() -> MSALLogCallback { settings.withLock(\.callback) ?? { _, _, _ in } }

  /// Hands a line to the callback, where the level lets it.
  func log(_ level: MSALLogLevel, _ line: String) {
    let (limit, callback) = settings.withLock { ($0.level, $0.callback) }
    if level.rawValue <= limit.rawValue { callback?(level, line, false) }
  }
}
