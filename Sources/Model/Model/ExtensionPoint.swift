/// The place at which an extension plugs into the system. Raw values are those of `NSExtensionPointIdentifier`.
public enum ExtensionPoint: String, Sendable, CaseIterable {
  /// Offered in the share sheet.
  case share = "com.apple.share-services"
  /// Offered in the share sheet, with a user interface of its own.
  case action = "com.apple.ui-services"
  /// Offered in the share sheet, without user interface.
  case service = "com.apple.services"
  /// Changes notifications of its app before they are shown.
  case notificationService = "com.apple.usernotifications.service"
  /// A keyboard, which any app may have in front.
  case keyboard = "com.apple.keyboard-service"
  case safariWebExtension = "com.apple.Safari.web-extension"
  /// A storage of the document picker.
  case fileProvider = "com.apple.fileprovider-nonui"
  /// A VPN. No app hands data to it.
  case packetTunnel = "com.apple.networkextension.packet-tunnel"
  /// Signs its user in. No app hands data to it.
  case singleSignOn = "com.apple.AppSSO.idp-extension"

  /// The channel by which apps hand data to the extension; nil where none do.
  public var channel: Channel? {
    switch self {
    case .share, .action, .service: .share
    case .notificationService: .notification
    case .keyboard: .keyboard
    case .safariWebExtension: .safariExtension
    case .fileProvider: .documentPickerExport
    case .packetTunnel, .singleSignOn: nil
    }
  }

  /// Whether the share sheet offers the extension, by its activation rule.
  public var isInShareSheet: Bool { channel == .share }

  /// The limit on the memory of one process of the extension, in bytes.
  ///
  /// Apple documents no numbers; these are observations of developers (`docs/ASSUMPTIONS.md`).
  public var memoryLimit: Int {
    let mebibyte = 1 << 20
    return switch self {
    case .share, .action, .service: 120 * mebibyte
    case .notificationService: 24 * mebibyte
    case .keyboard: 60 * mebibyte
    case .safariWebExtension: 80 * mebibyte
    case .fileProvider: 20 * mebibyte
    case .packetTunnel: 50 * mebibyte
    case .singleSignOn: 24 * mebibyte
    }
  }
}
