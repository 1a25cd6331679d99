/// The way by which data asks to move.
public enum Channel: String, Sendable, CaseIterable {
  /// An item offered to another app or to an extension.
  case share
  /// A document opened in another app.
  case openIn
  /// An item that the receiving app asks another app for.
  case `import`
  /// Content pasted from the device's pasteboard.
  case clipboard
  /// A URL handed to the app that registered its scheme.
  case openURL
  /// An item that an extension hands back to the app that called it.
  case extensionResult
}
