package import Activation
package import Policy
package import Model
package import UniformTypes

/// What somebody shares from an app, and everything beside the installed bundles that decides where it
/// may go.
package struct Sharing: Sendable {
  /// What the user calls the app.
  package var senderName: String
  /// The app that shares, and whom it acts for.
  package var sender: Party
  /// Whose the data is.
  package var owner: Owner
  /// The policy of the app's managed account, whoever it acts for; nil where it has none.
  package var appPolicy: EffectivePolicy?
  package var via: SharingPath
  package var device: DeviceRestrictions
  /// The attachments of the one item that is shared, at least one.
  package var contents: [Content]
  /// The system's types, and those that installed apps declare.
  package var types: TypeLibrary

  /// One thing that is shared.
  package struct Content: Sendable, Hashable {
    /// The uniform types that it can be loaded as, the most faithful one first; at least one.
    package var types: [String]
    /// nil: it is no file.
    package var fileName: String?

    package init(types: [String], fileName: String? = nil) {
      self.types = types
      self.fileName = fileName
    }

    /// A file, of the type that its name's extension stands for, or else of `public.data`.
    package init(fileNamed name: String, in library: TypeLibrary) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      let ending = parts.count > 1 ? parts.last.map(String.init) : nil
      let type = ending.flatMap { library.type(forFilenameExtension: $0) }
      self.init(types: [type ?? "public.data"], fileName: name)
    }
  }

  /// - Parameter owner: nil: the account that the sender acts for.
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
}

extension Sharing {
  /// Whether a policy of the sending side lets org data into some apps only, or into none.
  package var isRestricted: Bool {
    [owner.policy, sender.policy].contains { policy in
      guard let policy else { return false }
      return policy.settings.allowedOutboundDataTransferDestinations != .allApps
    }
  }

  /// Whether the SDK offers the items under the twins of their types: it does in the app's own sharing, which
  /// it filters, while a policy restricts sending.
  ///
  /// Source: Intune App SDK for iOS, stage 4, "Share data via UIActivityViewController".
  package var usesTwins: Bool { via == .sdk && isRestricted }

  /// The item as its types are.
  package var plainItems: [SharedItem] { items { $0 } }

  /// The item as extensions find it registered.
  package var offeredItems: [SharedItem] { usesTwins ? items(IntuneTypeAlias.of) : plainItems }

  private func items(_ type: (String) -> String) -> [SharedItem] {
    let attachments = contents.map { content in
      SharedAttachment(registeredTypeIdentifiers: content.types.map(type))
    }
    return [SharedItem(attachments: attachments)]
  }

  /// Whether all that is shared are files.
  package var isOfFiles: Bool { contents.allSatisfy { $0.fileName != nil } }
}
