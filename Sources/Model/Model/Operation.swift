/// A request that a guest can make to the device.
public enum Operation: String, Sendable, CaseIterable {
  // By a channel of the same name
  case share
  case openIn
  case `import`
  case dragAndDrop
  case contactRead
  case openURL
  case universalLink
  case appClip
  case saveTo
  case openFrom
  case documentPickerExport
  case documentPickerImport
  case mailComposer
  case messageComposer
  case print
  case notification
  case contactSync
  case widget
  case spotlight
  case siriIntents
  case appIntents
  case backup
  case screenCapture
  case writingTools
  case genmoji
  case keyboard
  case webView
  case safariExtension
  case fileEncryption

  case copy
  case paste
  /// A question whether an item that came in may be shown to the account that the guest acts for.
  case canReceive
  case keychainAdd
  case keychainQuery
  case keychainDelete
  case signIn
  case signOut
  /// `registerAndEnroll` and `loginAndEnroll`.
  case enroll
  case unenroll
  /// A request to make an account compliant with conditional access.
  case remediate
  case acquireToken
  case switchIdentity
  /// Opens a file, or asks for its owner.
  case openFile
  case moveFile
  case removeFile
  case protectData
  case unprotectData
  /// The checks of an account's policy before the account opens: at launch, on resuming and at a switch.
  case conditionalLaunch
  /// An extension takes an item that was shared with it.
  case loadItem
  case completeExtension
  /// An app has the system ask something of a VPN or single sign-on extension.
  case extensionCall
  // Between devices
  case airDrop
  /// An app opens what has come from another device, by AirDrop, mail or message.
  case openReceived
  /// What an app has copied is offered to the other devices of the user's Apple Account.
  case universalClipboard
  /// The configuration that an administrator provides for a managed app.
  case managedConfiguration
  case legacyManagedConfiguration
  case managedIdentifiers
  case managedPassword
  case managedCertificate
  case managedIdentity
  case managedSignature
  /// An app's report on its configuration.
  case managedReport

  /// The operation by which data takes `channel`.
  public init(_ channel: Channel) { self = channel.row.operation }
}
