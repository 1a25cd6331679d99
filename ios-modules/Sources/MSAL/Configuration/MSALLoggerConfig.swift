public import Foundation
internal import Synchronization

/// The configuration of MSAL's log. Log lines describe calls and errors. They contain no personal
/// data.
open class MSALLoggerConfig: NSObject, @unchecked Sendable {
  private let settings = Mutex(Settings())

  private struct Settings {
    var level = MSALLogLevel.error
    var maskingLevel = MSALLogMaskingLevel.settingsMaskAllPII
    var callback: (@Sendable (MSALLogLevel, String?, Bool) -> Void)?
  }

  override init() {}

  /// The lowest severity of lines that the callback receives.
  open var logLevel: MSALLogLevel {
    get { settings.withLock(\.level) }
    set { settings.withLock { $0.level = newValue } }
  }

  /// This property has no effect, because log lines contain no personal data.
  open var logMaskingLevel: MSALLogMaskingLevel {
    get { settings.withLock(\.maskingLevel) }
    set { settings.withLock { $0.maskingLevel = newValue } }
  }

  /// Sets the log callback, which may be called on any thread. As in MSAL, only the first call in a
  /// process has an effect.
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

  /// Returns the log callback; a closure that does nothing if none is set.
  open func callback() -> MSALLogCallback { settings.withLock(\.callback) ?? { _, _, _ in } }

  /// Passes a line to the callback if the line is at least as severe as ``logLevel``.
  func log(_ level: MSALLogLevel, _ line: String) {
    let (limit, callback) = settings.withLock { ($0.level, $0.callback) }
    if level.rawValue <= limit.rawValue { callback?(level, line, false) }
  }
}
