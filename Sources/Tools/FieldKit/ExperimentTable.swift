internal import Analysis
internal import Model
internal import Policy

// MARK: - Policies

extension KitPolicy {
  /// The kit's policies, in the order in which they are imported.
  package static let all = [restricted, open, selected, savable]

  static let restricted = KitPolicy(
    "restricted",
    "Org data stays in policy managed apps. Some settings are left out on purpose.",
    stating: [.dialerRestrictionLevel]
  ) {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.allowedInboundDataTransferSources = .managedApps
    $0.allowedOutboundClipboardSharingLevel = .managedApps
    $0.saveAsBlocked = true
    $0.allowedDataStorageLocations = [.oneDriveForBusiness]
    $0.blockDataIngestionIntoOrganizationDocuments = true
    $0.managedBrowser = .microsoftEdge
    $0.managedBrowserToOpenLinksRequired = true
    $0.managedUniversalLinks = [LinkPattern("https://teams.microsoft.com/l/*")]
    $0.contactSyncBlocked = true
    $0.allowWidgetContentSync = true
    $0.appDataEncryptionType = .whenDeviceLocked
    $0.pinRequired = true
    $0.minimumPinLength = 4
    $0.simplePinBlocked = true
  }

  static let open = KitPolicy(
    "open", "Org data may go anywhere, and the app PIN has at least 6 digits.",
    stating: [
      .allowedOutboundDataTransferDestinations, .allowedInboundDataTransferSources,
      .allowedOutboundClipboardSharingLevel, .contactSyncBlocked,
    ]
  ) {
    $0.managedBrowser = .microsoftEdge
    $0.managedBrowserToOpenLinksRequired = true
    $0.dialerRestrictionLevel = .customApp
    $0.customDialerAppProtocol = "zoomphonecall"
    $0.appDataEncryptionType = .whenDeviceLocked
    $0.pinRequired = true
    $0.minimumPinLength = 6
  }

  static let selected = KitPolicy(
    "selected", "As `restricted`, but with other settings left out.",
    stating: [.contactSyncBlocked, .allowWidgetContentSync]
  ) {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.allowedInboundDataTransferSources = .managedApps
    $0.saveAsBlocked = true
    $0.blockDataIngestionIntoOrganizationDocuments = true
    $0.allowedDataIngestionLocations = [.camera]
  }

  static let savable = KitPolicy(
    "savable",
    "Copies may be saved anywhere, and apps check in after one hour without a connection.",
    stating: [.saveAsBlocked]
  ) {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.periodOfflineBeforeAccessCheck = 3_600
  }
}

// MARK: - Parts of questions

/// An app that acts for a user, or for no user.
private struct Actor {
  var app: PublicApp
  var user: KitUser?

  func party(under policy: KitPolicy) -> Party {
    let isManaged = app.isTargeted && user != nil && user != .home
    return Party(
      app: app.state, identity: user.map { .account($0.account) } ?? .unset,
      policy: isManaged ? policy.document.effective : nil)
  }

  static let outlook = Actor(app: .outlook, user: .anna)
  static let word = Actor(app: .word, user: .anna)
}

extension Experiment {
  fileprivate typealias Ask = (KitPolicy) -> Question

  fileprivate static func move(
    _ channel: Channel, via: SharingPath = .sdk, from sender: Actor? = .outlook,
    to receiver: Actor? = nil, _ content: Content = Content(),
    _ edit: @escaping (inout TransferRequest) -> Void = { _ in }
  ) -> Ask {
    { policy in
      let party = sender?.party(under: policy) ?? .system
      var request = TransferRequest(
        channel: channel, via: via, sender: party,
        owner: Owner(account: party.identity.account, policy: party.policy),
        receiver: receiver?.party(under: policy) ?? .system, appPolicy: party.policy,
        content: content)
      // One user has one policy.
      if sender?.user == receiver?.user, request.receiver.isManaged {
        request.receiver.policy = request.sender.policy
      }
      request.content.opensInManagedBrowser = receiver?.app == .edge
      edit(&request)
      return .transfer(request)
    }
  }

  fileprivate static func tap(_ url: String, _ channel: Channel, to app: PublicApp) -> Ask {
    let scheme = String(url.prefix { $0 != ":" })
    return move(
      channel, to: Actor(app: app), Content(scheme: scheme, url: url, link: WebLink(url)))
  }

  fileprivate static func save(_ location: StorageLocation, from app: Actor) -> Ask {
    move(.saveTo, from: app, to: app, Content(location: location)) {
      if !location.hasAccount { $0.receiver = Party(app: $0.receiver.app, identity: .unset) }
    }
  }

  fileprivate static func signIn(_ user: KitUser, beside other: KitUser, mdm: KitUser?) -> Ask {
    let request = SignInRequest(
      account: user.account, isManaged: true, managedAccounts: [other.account],
      enrolledUser: mdm.flatMap { EnrolledUser(upn: $0.account.upn, objectID: nil) })
    return { _ in .signIn(request) }
  }

  /// Returns a question: whether an app may open a file of Anna's managed account for a private account.
  fileprivate static func openFile(isOwnerSignedIn: Bool) -> Ask {
    { policy in
      .file(
        FileRequest(
          owner: Owner(account: KitUser.anna.account, policy: policy.document.effective),
          isOwnerSignedIn: isOwnerSignedIn, wasOwnerManaged: true,
          identity: .account(KitUser.home.account), begins: false))
    }
  }
}

// MARK: - Kinds of experiments

extension Experiment {
  fileprivate static func widget(_ name: String, _ title: String, _ policy: KitPolicy) -> Self {
    Experiment(
      name, "Outlook's calendar widget if " + title, policy, apps: [.outlook], asks: move(.widget),
      steps: ["Add Outlook's calendar widget to the home screen."],
      allowed: "the widget shows Anna's events", blocked: "the widget hides Anna's events")
  }

  fileprivate static func attachPhoto(_ name: String, _ title: String, _ policy: KitPolicy) -> Self
  {
    Experiment(
      name, title, policy, apps: [.outlook],
      asks: move(.openFrom, from: nil, to: .outlook, Content(location: .photos)) {
        $0.sender = Party(app: $0.receiver.app, identity: .unset)
      },
      steps: ["In Outlook, begin a message as Anna.", "Attach a photo from the photo library."],
      allowed: "the photo is attached", blocked: "Photos is missing or refused")
  }

  fileprivate static func saveImage(_ name: String, _ title: String, _ policy: KitPolicy) -> Self {
    Experiment(
      name, "Saving an image of a message if " + title, policy, apps: [.outlook],
      asks: save(.cameraRoll, from: .outlook),
      steps: ["In a message in Anna's mailbox, hold an image and choose Save Image."],
      allowed: "the image is in Photos", blocked: "Save Image is missing or refused")
  }

  fileprivate static func openInWord(
    _ name: String, _ title: String, needs need: Need, as user: KitUser, via: SharingPath = .sdk
  ) -> Self {
    Experiment(
      name, title, .restricted, needs: [need], apps: [.outlook, .word],
      asks: move(.share, via: via, to: Actor(app: .word, user: user)),
      steps: [
        "Sign in to Word as \(user.name) only.",
        "In Outlook, show an attachment in Anna's mailbox.",
        via == .sdk ? "Open it in Word." : "In the system's share sheet, choose Word.",
      ],
      allowed: "Word shows the document", encrypted: "Word gets a file that it cannot read",
      blocked: "Word is not offered, or gets nothing")
  }

  fileprivate static func pasteInWord(
    _ name: String, _ title: String, needs need: Need, as user: KitUser
  ) -> Self {
    Experiment(
      name, title, .restricted, needs: [need], apps: [.outlook, .word],
      asks: move(.clipboard, to: Actor(app: .word, user: user), Content(characters: 20)),
      steps: [
        "Sign in to Word as \(user.name) only.",
        "Copy a sentence of a message in Anna's mailbox.",
        "Paste it in a document of \(user.name).",
      ],
      allowed: "the sentence appears", encrypted: "unreadable text appears",
      blocked: "a notice of the organisation appears instead")
  }

  fileprivate static func pasteOnMac(_ name: String, _ title: String, _ policy: KitPolicy) -> Self {
    Experiment(
      name, "Universal Clipboard under " + title, policy, needs: [.secondDevice], apps: [.outlook],
      asks: move(.clipboard, Content(characters: 20)),
      steps: [
        "Copy a sentence of a message in Anna's mailbox.", "Paste it in Notes on the other device.",
      ],
      allowed: "the sentence appears", blocked: "nothing appears, or a notice of the organisation")
  }

  fileprivate static func airDrop(_ name: String, _ title: String, _ policy: KitPolicy) -> Self {
    Experiment(
      name, "AirDrop under " + title, policy, needs: [.secondDevice], apps: [.outlook],
      asks: move(.share, via: .os),
      steps: [
        "In Outlook, show an attachment in Anna's mailbox, and open the system's share sheet.",
        "Send it to the other device by AirDrop, and open it there.",
      ],
      allowed: "the document opens", encrypted: "an unreadable file arrives",
      blocked: "AirDrop is missing or refused")
  }

  fileprivate static func airDropIn(_ name: String, _ title: String, _ policy: KitPolicy) -> Self {
    Experiment(
      name, "A file from AirDrop under Receive " + title, policy, needs: [.secondDevice],
      apps: [.word],
      asks: move(.openIn, from: nil, to: .word),
      steps: [
        "Send a document from the other device to the phone by AirDrop.",
        "Open it in Word, with Anna as the only account.",
      ],
      allowed: "Word shows the document", encrypted: "Word opens a file that it cannot read",
      blocked: "Word refuses the document")
  }
}

// MARK: - Experiments

extension Experiment {
  /// All experiments from which the kit chooses, grouped by policy.
  package static let all = underRestricted + underOpen + underOthers

  private static let underRestricted = [
    Experiment(
      "dialer-any-app", "A phone number in Outlook under “Any dialer app”", .restricted,
      apps: [.outlook, .phone], asks: tap("tel:+442079460000", .openURL, to: .phone),
      steps: ["In a message in Anna's mailbox, tap a phone number."],
      allowed: "the phone offers the call", blocked: "the call is refused or does not begin"),
    Experiment(
      "managed-link-to-teams", "A managed universal link to an app without a policy", .restricted,
      apps: [.outlook, .teams],
      asks: tap("https://teams.microsoft.com/l/meetup-join/1", .universalLink, to: .teams),
      steps: [
        "Sign in to Teams as Anna. The policy does not target Teams.",
        "In a message in Anna's mailbox, tap a link to a Teams meeting.",
      ],
      allowed: "Teams opens the meeting", blocked: "Edge opens, or the link is refused"),
    Experiment(
      "link-to-edge", "A web link if no policy targets Edge", .restricted, apps: [.outlook, .edge],
      asks: tap("https://www.example.org/", .openURL, to: .edge),
      steps: ["In a message in Anna's mailbox, tap a link to a public page."],
      allowed: "Edge shows the page", blocked: "the link is refused, or Edge asks for an account"),
    Experiment(
      "save-to-sharepoint", "Saving to SharePoint if only OneDrive is selected", .restricted,
      apps: [.word], asks: save(.sharePoint, from: .word),
      steps: ["In Word, open a document of Anna's OneDrive.", "Save a copy to a SharePoint site."],
      allowed: "the copy is saved", blocked: "the site cannot be chosen, or saving is refused"),
    saveImage("save-image-of-message", "only OneDrive is selected", .restricted),
    Experiment(
      "save-on-phone", "Saving on the phone if only OneDrive is selected", .restricted,
      apps: [.word], asks: save(.localDrive, from: .word),
      steps: ["In Word, open a document of Anna's OneDrive.", "Save a copy on the iPhone."],
      allowed: "the copy is saved", blocked: "the iPhone cannot be chosen, or saving is refused"),
    attachPhoto(
      "attach-photo-without-list", "Opening a photo if the list of services is absent", .restricted),
    widget("widget-stated", "it is allowed and native sync is blocked", .restricted),
    Experiment(
      "screen-capture-key", "A screenshot if the app configuration under MDM permits it",
      .restricted, needs: [.mdm], apps: [.outlook],
      asks: move(.screenCapture) {
        $0.device.isMDMEnrolled = true
        $0.sender.app.isMDMManaged = true
        $0.sender.app.hasEnrolledUPN = true
        $0.sender.app.isScreenCaptureControlDisabled = true
      },
      steps: [
        "In MDM's configuration of Outlook, set `IntuneMAMUPN` to Anna and `com.microsoft.intune.mam.screencapturecontrol` to `Disabled`.",
        "Open a message in Anna's mailbox and take a screenshot.",
      ],
      allowed: "the screenshot shows the message", blocked: "the screenshot is blank"),
    Experiment(
      "file-encryption-in-log", "`RequireFileEncryption` under “Encrypt org data: Require”",
      .restricted, apps: [.outlook], asks: move(.fileEncryption), kind: .deviceLog,
      steps: [
        "In Edge, open `about:intunehelp` and view the app protection log.",
        "Find `RequireFileEncryption` in Outlook's policy.",
      ],
      allowed: "the value is 0, false or absent", encrypted: "the value is 1 or true"),
    Experiment(
      "second-managed-account", "A second managed account in Outlook", .restricted,
      needs: [.colleague], apps: [.outlook], asks: signIn(.ben, beside: .anna, mdm: nil),
      rehearsed: Rehearsal(
        signedIn: [.outlook: [.anna]],
        steps: """
          - launch: outlook
          - signIn: { app: outlook, account: ben }
            expect: { verdict: VERDICT }
          """),
      steps: ["In Outlook, with Anna signed in, add Ben's account."],
      allowed: "Ben's mailbox opens, whether Anna is removed or not",
      blocked: "Ben's account is refused"),
    Experiment(
      "user-of-mdm-second", "The device's user after another managed account", .restricted,
      needs: [.colleague, .mdm], apps: [.outlook], asks: signIn(.anna, beside: .ben, mdm: .anna),
      rehearsed: Rehearsal(
        isManagedByMDM: true, signedIn: [.outlook: [.ben]],
        steps: """
          - launch: outlook
          - configure: { app: outlook, configuration: { IntuneMAMUPN: anna@contoso.com } }
          - signIn: { app: outlook, account: anna }
            expect: { verdict: VERDICT }
          """),
      steps: [
        "Sign in to Outlook as Ben.",
        "In MDM's configuration of Outlook, set `IntuneMAMUPN` to Anna, and wait until the phone has it.",
        "In Outlook, add Anna's account.",
      ],
      allowed: "Anna's mailbox opens, and Ben is removed", blocked: "Anna's account is refused"),
    openInWord(
      "open-in-as-colleague", "A document for a colleague's account of the same tenant",
      needs: .colleague, as: .ben),
    pasteInWord(
      "paste-as-colleague", "Pasting for a colleague's account of the same tenant",
      needs: .colleague, as: .ben),
    openInWord(
      "open-in-other-tenant", "A document for a managed account of another tenant",
      needs: .otherTenant, as: .carla),
    openInWord(
      "copy-to-other-tenant", "The system's share sheet to a managed account of another tenant",
      needs: .otherTenant, as: .carla, via: .os),
    pasteInWord(
      "paste-in-other-tenant", "Pasting for a managed account of another tenant",
      needs: .otherTenant, as: .carla),
    Experiment(
      "writing-tools", "Writing Tools if their state is not set", .restricted, apps: [.outlook],
      asks: move(.writingTools),
      steps: ["In a message as Anna, select a sentence and open Writing Tools."],
      allowed: "Writing Tools rewrite the sentence", blocked: "Writing Tools are missing"),
    Experiment(
      "genmoji", "Genmoji if their state is not set", .restricted, apps: [.outlook],
      asks: move(.genmoji),
      steps: ["In a message as Anna, open the emoji keyboard and create a Genmoji."],
      allowed: "the Genmoji appears in the message", blocked: "Genmoji are missing"),
    Experiment(
      "descending-pin", "A PIN with a descending run under “Simple PIN: Block”", .restricted,
      apps: [.outlook],
      asks: {
        .pinChange(
          PINChange(
            policy: $0.document.effective, pin: PIN("4327"), hasSignedIn: true,
            access: AccessState()))
      },
      rehearsed: Rehearsal(
        asksForPIN: true, signedIn: [.outlook: [.anna]],
        steps: """
          - launch: outlook
          - switchIdentity: { app: outlook, to: anna }
          - unlock: { app: outlook, newPIN: "4327", credentials: true }
            expect: { verdict: VERDICT }
          """),
      steps: ["When Outlook asks for a new PIN, enter 4327."],
      allowed: "the PIN is accepted", blocked: "another PIN is requested"),
    pasteOnMac("paste-on-mac-restricted", "“Policy managed apps”", .restricted),
    airDrop("airdrop-restricted", "“Policy managed apps”", .restricted),
    airDropIn("airdrop-in-restricted", "“Policy managed apps”", .restricted),
    Experiment(
      "pass-on-a-colleagues-document", "Passing on data of an account that is not signed in",
      .restricted, needs: [.colleague], apps: [.outlook, .word],
      asks: { _ in .device([Reason(.ownerNotSignedIn, .device)]) },
      rehearsed: Rehearsal(
        signedIn: [.outlook: [.anna], .word: [.ben]],
        steps: """
          - launch: [outlook, word]
          - writeFile: { app: word, path: figures.docx, text: Figures }
            as: anna
            expect: { verdict: VERDICT }
          """),
      steps: [
        "Sign in to Word as Ben only.",
        "In Outlook, show an attachment in Anna's mailbox, and open it in Word.",
        "In Word, save it, or send a copy of it.",
      ],
      allowed: "Word saves or sends it", encrypted: "the copy cannot be read",
      blocked: "Word refuses to save and to send it, or did not get it"),
  ]

  private static let underOpen = [
    Experiment(
      "dialer-specific-app", "A phone number in Outlook under a specific, unmanaged dialer", .open,
      apps: [.outlook, .zoom], asks: tap("tel:+442079460000", .openURL, to: .zoom),
      steps: ["In a message in Anna's mailbox, tap a phone number."],
      allowed: "Zoom offers the call", blocked: "the call is refused or does not begin"),
    Experiment(
      "link-to-zoom", "A universal link under Send “All apps” if Edge is required", .open,
      apps: [.outlook, .zoom],
      asks: tap("https://contoso.zoom.us/j/1", .universalLink, to: .zoom),
      steps: ["In a message in Anna's mailbox, tap a link to a Zoom meeting."],
      allowed: "Zoom opens the meeting", blocked: "Edge opens, or the link is refused"),
    widget("widget-absent", "the policy does not mention widgets", .open),
    Experiment(
      "longer-pin", "An app PIN that is shorter than a new policy requires", .open,
      apps: [.outlook],
      asks: {
        let pin = PIN("25806")
        return .launch(
          LaunchRequest(
            policy: $0.document.effective,
            device: DevicePosture(osVersion: Version(26, 0), hasPIN: true),
            app: PublicApp.outlook.state, account: AccountConditions(lastCheckIn: 1_000),
            access: AccessState(current: AccessState.CurrentPIN(pin, setAt: 1_000)),
            offer: AccessOffer(.pin(pin)), now: 1_000))
      },
      steps: [
        "Under a policy that requires at most 5 digits, set the PIN of Outlook to 25806.",
        "Replace that policy by this one, and wait until Outlook has it.",
        "Close Outlook, wait until the access check is due, open it and enter 25806.",
      ],
      allowed: "Outlook opens", blocked: "Outlook asks for a new PIN"),
    pasteOnMac("paste-on-mac", "“Any app”", .open), airDrop("airdrop", "“All apps”", .open),
    airDropIn("airdrop-in", "“All apps”", .open),
    Experiment(
      "file-after-sign-out", "A file on the phone whose owner has signed out", .open, apps: [.word],
      asks: openFile(isOwnerSignedIn: false),
      rehearsed: Rehearsal(
        signedIn: [.word: [.anna, .home]],
        steps: """
          - launch: word
          - register: { app: word, account: anna }
          - writeFile: { app: word, path: figures.docx, text: Figures }
            as: anna
          - unenroll: { app: word, account: anna }
          - readFile: { app: word, path: figures.docx }
            as: home
            expect: { verdict: VERDICT }
          """),
      steps: [
        "In Word, save a document as Anna on the iPhone.",
        "Sign Anna out, and sign in with a private account.", "Open the document.",
      ],
      allowed: "Word shows the document", blocked: "the file is gone, or Word cannot open it"),
    Experiment(
      "attach-for-private-account", "A file of the managed account for a private account", .open,
      apps: [.outlook], asks: openFile(isOwnerSignedIn: true),
      rehearsed: Rehearsal(
        signedIn: [.outlook: [.anna, .home]],
        steps: """
          - launch: outlook
          - writeFile: { app: outlook, path: figures.docx, text: Figures }
            as: anna
          - readFile: { app: outlook, path: figures.docx }
            as: home
            expect: { verdict: VERDICT }
          """),
      steps: [
        "In Outlook, open an attachment in Anna's mailbox.",
        "Begin a message as a private account, and attach the file from the recent files.",
      ],
      allowed: "the file is attached", blocked: "the file is not offered, or is refused"),
  ]

  private static let underOthers = [
    Experiment(
      "save-without-list", "Saving to OneDrive if the list of services is absent", .selected,
      apps: [.word], asks: save(.oneDriveForBusiness, from: .word),
      steps: ["In Word, open a document of Anna's OneDrive.", "Save a copy to Anna's OneDrive."],
      allowed: "the copy is saved", blocked: "OneDrive cannot be chosen, or saving is refused"),
    attachPhoto(
      "attach-photo-not-selected", "Opening a photo if only the camera is selected", .selected),
    widget("widget-blocked", "it is blocked and native sync is allowed", .selected),
    saveImage("save-image-unrestricted", "copies may be saved", .savable),
    Experiment(
      "offline-timer", "Word without a connection after a check-in of Outlook", .savable,
      apps: [.outlook, .word],
      asks: {
        .launch(
          LaunchRequest(
            policy: $0.document.effective,
            device: DevicePosture(osVersion: Version(26, 0), hasPIN: true, isOnline: false),
            app: PublicApp.word.state, account: AccountConditions(lastCheckIn: 1_000),
            now: 1_000 + 70 * 60))
      },
      steps: [
        "Open a document of Anna in Word, and Anna's mailbox in Outlook. Close both.",
        "After 40 minutes, open Outlook, and turn on flight mode.",
        "After 30 more minutes, open Word.",
      ],
      allowed: "Word opens", blocked: "Word asks for a connection"),
  ]
}
