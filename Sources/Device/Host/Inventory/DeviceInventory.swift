public import Model

/// All that a device holds, but for secrets: no value of the keychain, no PIN, no key and no content of a file.
///
/// Of a device that is up, files may have changed since its database was read.
public struct DeviceInventory: Sendable {
  /// nil: the device has never been up.
  public var name: String?
  public var state: State
  /// Seconds since 1970-01-01T00:00:00Z; nil: it has not moved since the device came up first.
  public var clock: Int?
  public var journal: Journal
  /// Size of the database in bytes, without its log.
  public var databaseSize: Int
  public var apps: [App]
  public var accounts: [KnownAccount]
  /// Containers, then app groups, then what apps handed to the system; each in the order of their names.
  public var folders: [Folder]
  public var keychain: [KeychainGroup]
  public var pins: [PINState]
  /// Moves of files that were begun, and of which nobody knows yet how they ended.
  public var pendingMoves: [Move]

  public enum State: String, Sendable {
    case down
    /// A process has the device.
    case inUse
    /// Erasing the device was interrupted.
    case halfErased
  }

  public struct Journal: Sendable {
    public var eventCount: Int
    /// In bytes.
    public var size: Int
  }

  public struct App: Sendable {
    /// What the device calls it.
    public var name: String
    /// nil: only the name is known.
    public var bundleID: String?
    /// Team identifier of the publisher; nil: not known.
    public var team: String?
    /// First come first.
    public var signIns: [SignIn]
  }

  public struct SignIn: Sendable {
    public var account: Account
    public var isEnrolled: Bool
    /// Names of the policies that target the account in the app.
    public var policies: [String]
  }

  public struct KnownAccount: Sendable {
    public var account: Account
    /// Whether there is a key for the account's encrypted files.
    public var hasKey: Bool
  }

  public struct Folder: Sendable {
    /// From the device's folder, such as `Containers/mail` or `Groups/group.com.contoso`.
    public var path: String
    /// In the order of their paths.
    public var files: [File]
    /// Why parts of the folder could not be looked into.
    public var problems: [String]
  }

  public struct File: Sendable {
    /// From the folder that it is in. What is no UTF-8, and control characters, are written `\xNN`.
    public var path: String
    /// In bytes, as it is on the disk: an encrypted file takes more than it holds.
    public var size: Int
    /// nil: nobody that the device knows of.
    public var owner: Account?
    public var content: Content

    public enum Content: String, Sendable {
      case plain
      case encrypted
      /// The file cannot be opened, or its header is damaged.
      case unreadable
    }
  }

  public struct KeychainGroup: Sendable {
    public var name: String
    /// First come first.
    public var items: [KeychainItem]
  }

  public struct KeychainItem: Sendable {
    public var service: String
    public var account: String
    /// For whom the app acted that added it; nil: for nobody.
    public var owner: Account?
    /// Size of the value in bytes.
    public var size: Int
  }

  /// The PIN that the apps of one publisher share.
  public struct PINState: Sendable {
    public var team: String
    public var isSet: Bool
    /// Wrong PINs since the last right one.
    public var failedAttempts: Int
    /// Whether it was entered wrongly too often, so that only a new one helps.
    public var isResetRequired: Bool
  }

  public struct Move: Sendable {
    /// From the device's folder.
    public var from: String
    public var to: String
  }
}
