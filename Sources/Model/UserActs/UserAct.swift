public import Model

/// What the user does with what an app shows.
public enum UserAct: Sendable, Equatable {
  /// Taps a button of the alert in front.
  ///
  /// - `title`: the alert's title; nil: whatever it is.
  case tap(button: String, title: String?)
  /// Chooses an app or extension, by its bundle id, in the share sheet in front.
  case choose(ShareDestination)
  /// Chooses in the document picker in front.
  case pick(PickedDocument)
  /// Closes the share sheet or document picker in front without a choice.
  case cancel
  /// Leaves the app, or comes back to it.
  case scene(ScenePhase)
  /// Launches the app, to open what has come before.
  case launch
}

/// What the user chooses in a share sheet, by its bundle id.
public enum ShareDestination: Sendable, Equatable {
  /// An app, which gets a copy of each item.
  case app(String)
  /// An extension, which gets all items at once.
  case appExtension(String)

  public var bundleID: String {
    switch self {
    case .app(let bundleID), .appExtension(let bundleID): bundleID
    }
  }
}

/// A document that the user chooses in a document picker, or the place for one that the app exports.
public struct PickedDocument: Sendable, Equatable {
  /// The document; nil: what is at the location.
  public var item: Item?
  /// The storage location; nil: the files of the phone.
  public var location: StorageLocation?
  /// The UPN or object id of the location's account, `""` for one that is unknown; nil: it has none.
  public var account: String?

  /// A document, or a place for one.
  public init(_ item: Item? = nil, location: StorageLocation? = nil, account: String? = nil) {
    self.item = item
    self.location = location
    self.account = account
  }
}

/// Whether an app is in front. Raw values are the wire's.
public enum ScenePhase: UInt32, Sendable, CaseIterable {
  case background = 0
  case foreground = 1
}
