/// The way by which data asks to move, or to be shown to others than its owner.
public enum Channel: String, Sendable, CaseIterable {
  // Between two apps
  /// An item offered to another app or to an extension.
  case share
  /// A document opened in another app.
  case openIn
  /// An item that the receiving app asks another app for.
  case `import`
  /// An item that an extension hands back to the app that called it.
  case extensionResult
  /// Content dragged from one app and dropped in another.
  case dragAndDrop
  /// Content pasted from the device's pasteboard.
  case clipboard
  /// Contacts that the sender's accounts hold, read by another app.
  case contactRead

  // By a URL
  /// A URL handed to the app that registered its scheme; also `tel`, `sms` and web links.
  case openURL
  /// A web link that an installed app claims as a universal link.
  case universalLink
  /// A web link that invokes an App Clip.
  case appClip

  // To and from storage
  /// A copy saved to a storage location.
  case saveTo
  /// A document opened from a storage location.
  case openFrom
  /// A copy handed to the system's document picker: its modes export and move.
  case documentPickerExport
  /// A document taken from the system's document picker: its modes import and open.
  case documentPickerImport

  // To the system
  case mailComposer
  case messageComposer
  case print
  /// Org data shown in a notification.
  case notification
  /// Contacts written to the device's own contacts.
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
  /// The app's data in the device's backup.
  case backup
  case screenCapture
  case writingTools
  case genmoji
  /// Input through a keyboard of a third party.
  case keyboard
  /// Content uploaded to, or pasted into, a page in a web view.
  case webView
  /// Content handed to the app's own Safari web extension.
  case safariExtension
  /// A managed file written to the app's container.
  case fileEncryption

  /// The kind of thing at the other end of a channel.
  public enum Counterpart: Sendable {
    /// Another app, or an extension.
    case app
    /// The opener of the URL.
    case url
    case location
    /// The system, which is no app and has no account.
    case system
  }
}
