public import Model

/// All that a device holds, except secrets: no value of the keychain, no PIN, no key and no content of a file.
///
/// Where the device is up, files may have changed since its database was read.
public struct DeviceInventory: Sendable {
  /// Name of the device; nil: the device has never been up.
  public var name: String?
  public var state: State
  /// Seconds since 1970-01-01T00:00:00Z; nil: the clock has not moved since the device first came up.
  public var clock: Int?
  public var journal: Journal
  /// Size of the database in bytes, without its log.
  public var databaseSize: Int
  public var apps: [App]
  public var accounts: [KnownAccount]
  /// Containers, then app groups, then the data that apps handed to the system; each in the order of their names.
  public var folders: [Folder]
  public var keychain: [KeychainGroup]
  public var pins: [PINState]
  /// Moves of files that were begun, and neither finished nor cancelled yet.
  public var pendingMoves: [Move]

  /// The state of a device.
  public enum State: String, Sendable {
    case down
    /// A process has the device.
    case inUse
    /// Erasing the device was interrupted.
    case halfErased
  }

  /// The size of a journal.
  public struct Journal: Sendable {
    public var eventCount: Int
    /// Size in bytes.
    public var size: Int
  }

  /// An app that the device knows.
  public struct App: Sendable {
    /// The app's name on the device.
    public var name: String
    /// Bundle id; nil: only the name is known.
    public var bundleID: String?
    /// Team identifier of the publisher; nil: not known.
    public var team: String?
    /// Sign-ins, the earliest first.
    public var signIns: [SignIn]
  }

  /// An account that is signed in to an app.
  public struct SignIn: Sendable {
    public var account: Account
    public var isEnrolled: Bool
    /// Names of the policies that target the account in the app.
    public var policies: [String]
  }

  /// An account that the device knows.
  public struct KnownAccount: Sendable {
    public var account: Account
    /// Whether there is a key for the account's encrypted files.
    public var hasKey: Bool
  }

  /// A folder of files.
  public struct Folder: Sendable {
    /// Path relative to the device's folder, such as `Containers/mail` or `Groups/group.com.contoso`.
    public var path: String
    /// Files in the order of their paths.
    public var files: [File]
    /// Reasons why the folder, or parts of it, could not be looked into.
    public var problems: [String]
  }

  /// A file in a folder.
  public struct File: Sendable {
    /// Path relative to the folder. Bytes that are not UTF-8, and control characters, are written `\xNN`.
    public var path: String
    /// Size on the disk in bytes: an encrypted file takes more than it holds.
    public var size: Int
    /// Owner of the file; nil: nobody that the device knows.
    public var owner: Account?
    public var content: Content

    /// The form of a file's content.
    public enum Content: String, Sendable {
      case plain
      case encrypted
      /// The file cannot be opened, or its header is damaged.
      case unreadable
    }
  }

  /// An access group of the keychain.
  public struct KeychainGroup: Sendable {
    public var name: String
    /// Items, the earliest first.
    public var items: [KeychainItem]
  }

  /// A keychain item, without its value.
  public struct KeychainItem: Sendable {
    public var service: String
    public var account: String
    /// The account for which the app acted when it added the item; nil: none.
    public var owner: Account?
    /// Size of the value in bytes.
    public var size: Int
  }

  /// The PIN that the apps of one publisher share.
  public struct PINState: Sendable {
    public var team: String
    public var isSet: Bool
    /// Number of wrong PINs since the last right one.
    public var failedAttempts: Int
    /// Whether the PIN was entered wrongly too often, so that only a new one helps.
    public var isResetRequired: Bool
  }

  /// A move of a file that was begun.
  public struct Move: Sendable {
    /// Path relative to the device's folder.
    public var from: String
    public var to: String
  }
}
