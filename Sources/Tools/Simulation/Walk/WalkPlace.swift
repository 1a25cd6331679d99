internal import Wire

/// A file of a walk.
struct WalkPlace: Hashable {
  /// The app that the file is of; nil: the file is in the container of the app group.
  var app: WalkApp?
  var name: String

  static let names = ["a", "b", "c"]

  var reference: FileReference { FileReference(name, group: app == nil ? WalkApp.group : "") }

  /// The path of the file, relative to the device's folder.
  var path: String {
    app.map { "Containers/\($0.name)/\(name)" } ?? "Groups/\(WalkApp.group)/\(name)"
  }

  var text: String { app == nil ? "the group's \(name)" : name }
}

/// A keychain item of a walk.
struct WalkSecret: Hashable {
  /// The app that the item is of; nil: the item is in the group that the apps of one team share.
  var app: WalkApp?
  var name: String

  static let names = ["token", "seed"]

  var key: KeychainKey {
    KeychainKey(group: app?.ownKeychain ?? WalkApp.sharedKeychain, service: name, account: "")
  }

  var text: String { app == nil ? "the shared \(name)" : "its own \(name)" }
}
