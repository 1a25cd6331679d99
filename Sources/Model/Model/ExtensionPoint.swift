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

/// The device's name for a run of an extension: `saveNote#1` is the first of `saveNote` since the device came up.
package struct InstanceName: CustomStringConvertible, Sendable {
  package var `extension`: String
  /// The number of the run, from 1.
  package var number: Int

  /// The name of the run `number` of `extension`.
  package init(of extension: String, _ number: Int) {
    self.extension = `extension`
    self.number = number
  }

  /// Reads the name of a guest; nil where `guest` is the name of an app.
  package init?(_ guest: String) {
    guard let mark = guest.lastIndex(of: "#"), let number = Int(guest[guest.index(after: mark)...])
    else { return nil }
    self.init(of: String(guest[..<mark]), number)
  }

  package var description: String { "\(`extension`)#\(number)" }
}

/// The file in which the ready-made guest keeps an item that it was given: `Inbox/1`, `Inbox/2`, … in its container;
/// for the third run of an extension, whose runs share one container and may overlap, `Inbox/3-1`, `Inbox/3-2`, ….
package struct InboxFile: CustomStringConvertible, Sendable {
  package var guest: String
  /// The number of the item, from 1.
  package var number: Int

  /// The file of the item `number` of `guest`.
  package init(of guest: String, _ number: Int) {
    self.guest = guest
    self.number = number
  }

  /// The folder of all such files, in the container.
  package static let folder = "Inbox"

  /// The path in the container.
  package var description: String {
    let file = InstanceName(guest).map { "\($0.number)-\(number)" } ?? "\(number)"
    return "\(Self.folder)/\(file)"
  }
}
