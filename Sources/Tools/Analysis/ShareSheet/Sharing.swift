package import Activation
package import Model
package import Policy
package import UniformTypes

/// Items that a user shares from an app, and all facts, except the installed bundles, that decide where they may go.
package struct Sharing: Sendable {
  /// The user's name for the app.
  package var senderName: String
  /// The app that shares, and the identity that it acts for.
  package var sender: Party
  /// The owner of the data.
  package var owner: Owner
  /// The policy of the app's managed account, whichever identity the app acts for; nil where it has none.
  package var appPolicy: EffectivePolicy?
  package var via: SharingPath
  package var device: DeviceRestrictions
  /// The attachments of the one item that is shared, at least one.
  package var contents: [Content]
  /// The system's types, and those that installed apps declare.
  package var types: TypeLibrary

  /// One item that is shared.
  package struct Content: Sendable, Hashable {
    /// The uniform types that the item can be loaded as, the most faithful one first; at least one.
    package var types: [String]
    /// The name of the file; nil: the item is no file.
    package var fileName: String?

    /// Creates content of uniform types.
    package init(types: [String], fileName: String? = nil) {
      self.types = types
      self.fileName = fileName
    }

    /// Creates content of a file, of the type that its name's extension stands for, or else of `public.data`.
    package init(fileNamed name: String, in library: TypeLibrary) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let ending = parts.count > 1 ? parts.last.map(String.init) : nil
      let type = ending.flatMap { library.type(forFilenameExtension: $0) }
      self.init(types: [type ?? "public.data"], fileName: name)
    }
  }

  /// Creates a sharing.
  ///
  /// - Parameter owner: the owner of the data; nil: the account that the sender acts for.
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

  /// Whether a policy of the sending side lets org data into some apps only, or into none.
  private var isRestricted: Bool {
    [owner.policy, sender.policy].contains { policy in
      guard let policy else { return false }
      return policy.settings.allowedOutboundDataTransferDestinations != .allApps
    }
  }

  /// Whether the SDK offers the items under the twins of their types: it does so in the app's own sharing, which it
  /// filters, while a policy restricts sending.
  ///
  /// Source: Intune App SDK for iOS, stage 4, "Share data via UIActivityViewController".
  package var usesTwins: Bool { via == .sdk && isRestricted }

  /// The item under its own types.
  var plainItems: [SharedItem] { items { $0 } }

  /// The item under the types that extensions see.
  package var offeredItems: [SharedItem] { usesTwins ? items(IntuneTypeAlias.of) : plainItems }

  private func items(_ type: (String) -> String) -> [SharedItem] {
    let attachments = contents.map { content in
      SharedAttachment(registeredTypeIdentifiers: content.types.map(type))
    }
    return [SharedItem(attachments: attachments)]
  }

  /// Whether all shared items are files.
  var isOfFiles: Bool { contents.allSatisfy { $0.fileName != nil } }
}

// MARK: - Words

extension Sharing {
  /// The items, the sender, the account and the way of sharing, in one line.
  var headline: String {
    let what = contents.map(\.text).joined(separator: ", ")
    let way = via == .sdk ? "in the app's own sharing" : "through the system"
    return "\(senderName) shares \(what) for \(who), \(way)"
  }

  /// A sentence with the types that the SDK offers, where they are not the items' own; nil where they are.
  var offer: String? {
    guard usesTwins else { return nil }
    let types = contents.flatMap(\.types).map(IntuneTypeAlias.of)
    return "The policy restricts sending, so the SDK offers it as "
      + types.map { "`\($0)`" }.joined(separator: ", ")
  }

  private var who: String {
    switch sender.identity {
    case .unset: "nobody"
    case .unknown: "an unknown account"
    case .account(let account):
      "\(account.upn) (\(sender.isManaged ? "managed" : "unmanaged"))"
    }
  }
}

extension Sharing.Content {
  /// The content with its types, such as `` `figures.pdf` (com.adobe.pdf) ``.
  fileprivate var text: String {
    let types = types.joined(separator: ", ")
    return fileName.map { "`\($0)` (\(types))" } ?? types
  }
}
