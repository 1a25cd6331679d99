/// A system extension point. Raw values match `NSExtensionPointIdentifier`.
public enum ExtensionPoint: String, Sendable, CaseIterable {
  /// Offered in the share sheet.
  case share = "com.apple.share-services"
  /// Offered in the share sheet, with its own user interface.
  case action = "com.apple.ui-services"
  /// Offered in the share sheet, without a user interface.
  case service = "com.apple.services"
  /// Modifies its app's notifications before they are shown.
  case notificationService = "com.apple.usernotifications.service"
  /// A keyboard, usable in any app.
  case keyboard = "com.apple.keyboard-service"
  case safariWebExtension = "com.apple.Safari.web-extension"
  /// A storage provider in the document picker.
  case fileProvider = "com.apple.fileprovider-nonui"
  /// A VPN. Apps cannot hand data to it.
  case packetTunnel = "com.apple.networkextension.packet-tunnel"
  /// Signs the user in. Apps cannot hand data to it.
  case singleSignOn = "com.apple.AppSSO.idp-extension"

  /// The name in scenarios.
  public var name: String { "\(self)" }

  /// The channel by which apps hand data to the extension; nil if they cannot.
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

  /// Whether the share sheet offers the extension, subject to its activation rule.
  public var isInShareSheet: Bool { channel == .share }

  /// The memory limit of one process of the extension, in bytes. Apple documents no limits; the values are developers'
  /// observations (`docs/ASSUMPTIONS.md`).
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

/// The name of a guest that runs an extension: `saveNote#1` is the first run of `saveNote` since the device started.
package struct InstanceName: CustomStringConvertible, Sendable {
  package var `extension`: String
  /// The number of the run, from 1.
  package var number: Int

  package init(of extension: String, _ number: Int) {
    self.extension = `extension`
    self.number = number
  }

  /// Parses a guest name; nil for the name of an app.
  package init?(_ guest: String) {
    guard let mark = guest.lastIndex(of: "#"), let number = Int(guest[guest.index(after: mark)...])
    else { return nil }
    self.init(of: String(guest[..<mark]), number)
  }

  /// Returns the name of the installed app or extension that a guest runs.
  package static func installedName(of guest: String) -> String {
    InstanceName(guest)?.extension ?? guest
  }

  package var description: String { "\(`extension`)#\(number)" }
}

/// The file of a received item in the container of the ready-made guest: `Inbox/1`, `Inbox/2`, ….
///
/// Runs of an extension share one container and may overlap. The file names therefore contain the run's number. The
/// files of the third run are `Inbox/3-1`, `Inbox/3-2`, ….
package struct InboxFile: CustomStringConvertible, Sendable {
  package var guest: String
  /// The number of the item, from 1.
  package var number: Int

  package init(of guest: String, _ number: Int) {
    self.guest = guest
    self.number = number
  }

  package static let folder = "Inbox"

  /// The path of the file in the container.
  package var description: String {
    let file = InstanceName(guest).map { "\($0.number)-\(number)" } ?? "\(number)"
    return "\(Self.folder)/\(file)"
  }
}
