package import Activation
package import Model
package import Policy
package import UniformTypes

/// One item that a user shares from an app. The item, its sender and the installed bundles determine the destinations.
package struct Sharing: Sendable {
  /// The app's name, as the user sees it.
  package var senderName: String
  /// The sharing app and its acting identity.
  package var sender: Party
  package var owner: Owner
  /// The policy of the app's managed account, even if the app acts for another identity; nil if the app has no managed
  /// account.
  package var appPolicy: EffectivePolicy?
  package var via: SharingPath
  package var device: DeviceRestrictions
  /// The attachments of the single shared item. There is at least one.
  package var contents: [Content]
  /// The system's types and the types that installed apps declare.
  package var types: TypeLibrary

  /// An attachment of the shared item.
  package struct Content: Sendable, Hashable {
    /// The uniform types in which the attachment can be loaded, the most faithful type first. There is at least one.
    package var types: [String]
    /// The file name; nil if the attachment is not a file.
    package var fileName: String?

    package init(types: [String], fileName: String? = nil) {
      self.types = types
      self.fileName = fileName
    }

    /// Creates the content of a file. Its type follows from the file name extension; the default is `public.data`.
    package init(fileNamed name: String, in library: TypeLibrary) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let ending = parts.count > 1 ? parts.last.map(String.init) : nil
      let type = ending.flatMap { library.type(forFilenameExtension: $0) }
      self.init(types: [type ?? "public.data"], fileName: name)
    }

    /// The content with its types, such as `` `figures.pdf` (com.adobe.pdf) ``.
    fileprivate var text: String {
      let types = types.joined(separator: ", ")
      return fileName.map { "`\($0)` (\(types))" } ?? types
    }
  }

  /// Creates the description of a share.
  ///
  /// - Parameter owner: The owner of the data; nil for the sender's acting account.
  package init(
    senderName: String, sender: Party, owner: Owner? = nil, appPolicy: EffectivePolicy? = nil,
    via: SharingPath = .sdk, device: DeviceRestrictions = DeviceRestrictions(), contents: [Content],
    types: TypeLibrary = .system
  ) {
    self.senderName = senderName
    self.sender = sender
    self.owner = owner ?? Owner(account: sender.identity.account, policy: sender.policy)
    self.appPolicy = appPolicy
    self.via = via
    self.device = device
    self.contents = contents
    self.types = types
  }

  /// Whether the owner's or the sender's policy restricts the apps that may get org data.
  private var isRestricted: Bool {
    [owner.policy, sender.policy].contains { policy in
      guard let policy else { return false }
      return policy.settings.allowedOutboundDataTransferDestinations != .allApps
    }
  }

  /// Whether the SDK offers the items with aliases of their types. This is the case if a policy restricts sending, and
  /// the user shares on the path that the SDK filters.
  ///
  /// Source: Intune App SDK for iOS, stage 4, "Share data via UIActivityViewController".
  package var usesTwins: Bool { via == .sdk && isRestricted }

  var plainItems: [SharedItem] { items { $0 } }

  /// The items with the types that extensions see.
  package var offeredItems: [SharedItem] { usesTwins ? items(IntuneTypeAlias.of) : plainItems }

  private func items(_ type: (String) -> String) -> [SharedItem] {
    let attachments = contents.map { content in
      SharedAttachment(registeredTypeIdentifiers: content.types.map(type))
    }
    return [SharedItem(attachments: attachments)]
  }

  var isOfFiles: Bool { contents.allSatisfy { $0.fileName != nil } }

  // MARK: Text

  /// A line that contains the items, the sender, the account and the sharing path.
  var headline: String {
    let what = contents.map(\.text).joined(separator: ", ")
    let path = via == .sdk ? "in the app's own sharing" : "through the system"
    return "\(senderName) shares \(what) \(who), \(path)"
  }

  /// A sentence about the type aliases with which the SDK offers the items; nil if the SDK offers the items' own types.
  var offer: String? {
    guard usesTwins else { return nil }
    let types = contents.flatMap(\.types).map(IntuneTypeAlias.of)
    return "The policy restricts sending, so the SDK offers it as "
      + types.map { "`\($0)`" }.joined(separator: ", ")
  }

  private var who: String {
    switch sender.identity {
    case .unset: "without an identity"
    case .unknown: "for an unknown account"
    case .account(let account):
      "for \(account.upn) (\(sender.isManaged ? "managed" : "unmanaged"))"
    }
  }
}
