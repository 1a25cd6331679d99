package import Activation
internal import Model
package import Policy
package import UniformTypes

/// Decides which destinations a share sheet shows.
struct SheetBuilder {
  private let sharing: Sharing
  /// The registered types of each attachment.
  private let contents: [[RegisteredType]]
  private let offered: ResolvedItems
  /// The items under their own types, if the SDK offers the items under aliases; otherwise nil.
  private let plain: ResolvedItems?
  private let apps: [String: SheetApp]
  /// The names of Open-In action extensions, keyed by their app's bundle id.
  private let openInActions: [String: String]

  init(_ sharing: Sharing, apps: [SheetApp], extensions: [SheetExtension]) {
    self.sharing = sharing
    let library = sharing.types
    contents = sharing.contents.map { $0.types.map(library.registered) }
    offered = ResolvedItems(sharing.offeredItems, types: library)
    plain = sharing.usesTwins ? ResolvedItems(sharing.plainItems, types: library) : nil
    self.apps = Dictionary(
      apps.map { ($0.bundleID.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    openInActions = Dictionary(
      extensions.filter(\.isOpenInAction).map { ($0.containingApp.lowercased(), $0.name) },
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: Apps

  /// Returns the "Copy to" destination of an app.
  func destination(_ app: SheetApp) -> SheetDestination {
    var findings: [SheetReason] = []
    if let ban = app.ban { findings.append(.appNotAllowed(ban)) }
    if isSender(app.bundleID) { findings.append(.ownApp) }
    if app.documentTypes.isEmpty {
      findings.append(.noDocumentTypes)
    } else if sharing.isOfFiles {
      findings.append(acceptance(by: app))
    } else {
      findings.append(.notAFile)
    }
    if sharing.usesTwins {
      findings.append(.replacedByOpenIn(action: openInActions[app.bundleID.lowercased()]))
    }
    return destination(
      .copyTo, name: app.name, title: "Copy to \(app.name)", app.bundleID, findings,
      to: app.party, on: .openIn)
  }

  /// Returns a finding that states whether the app opens all shared items.
  private func acceptance(by app: SheetApp) -> SheetReason {
    var accepted: SheetReason?
    for types in contents {
      let match = types.lazy.compactMap { type in
        app.documentTypes.first { sharing.types.conforms(type, to: $0) }.map { (type, $0) }
      }.first
      guard let match else { return .documentTypeNotAccepted(types.first?.identifier ?? "") }
      accepted = accepted ?? .documentTypeAccepted(match.0.identifier, by: match.1.identifier)
    }
    return accepted ?? .noDocumentTypes
  }

  /// Returns whether the bundle id belongs to the sharing app. Bundle ids are case-insensitive (CFBundleIdentifier).
  private func isSender(_ bundleID: String) -> Bool {
    bundleID.lowercased() == sharing.sender.app.bundleID.lowercased()
  }

  // MARK: Extensions

  /// Returns the destination for an extension, with the findings about its activation rule and its app.
  func destination(_ extension: SheetExtension) -> SheetDestination {
    let app = apps[`extension`.containingApp.lowercased()]
    var findings: [SheetReason] = []
    if let ban = `extension`.ban { findings.append(.appNotAllowed(ban)) }
    if app == nil { findings.append(.containingAppMissing(`extension`.containingApp)) }
    findings += activation(of: `extension`)
    if isSender(`extension`.containingApp) { findings.append(.ownExtension) }
    if `extension`.isOpenInAction, let app, !app.hasSchemeTwin {
      findings.append(.schemeTwinMissing(app: app.name))
    }
    let isOpenIn = `extension`.isOpenInAction
    let appName = app?.name ?? `extension`.containingApp
    return destination(
      isOpenIn ? .openIn : `extension`.kind == .share ? .shareExtension : .actionExtension,
      name: `extension`.name, title: isOpenIn ? "Open in \(appName)" : `extension`.name,
      `extension`.bundleID, findings, to: `extension`.party, on: isOpenIn ? .openIn : .share,
      rule: `extension`.rule)
  }

  private func activation(of extension: SheetExtension) -> [SheetReason] {
    guard let rule = `extension`.rule else { return [.noActivationRule] }
    if rule.matches(offered) { return [.activationRuleHolds] }
    if let plain, rule.matches(plain) { return [.activationRuleFails, .twinsNotNamed] }
    let isIdle = `extension`.isOpenInAction && !sharing.usesTwins
    return isIdle ? [.activationRuleFails, .sendingNotRestricted] : [.activationRuleFails]
  }

  // MARK: System actions

  func destination(_ action: BuiltInAction) -> SheetDestination {
    let isTaken = sharing.contents.allSatisfy { action.takes($0, in: sharing.types) }
    var findings: [SheetReason] = isTaken ? [] : [.typeNotTaken(action)]
    if action == .copy {
      findings.append(.pastedElsewhere(evaluate(request(.clipboard, to: .system))))
    }
    if action == .saveToFiles, isFiltering {
      return destination(
        .builtIn, name: action.rawValue, title: action.title, nil, findings, to: .system,
        on: .openIn, via: .os)
    }
    let (channel, receiver, content) = transfer(of: action)
    return destination(
      .builtIn, name: action.rawValue, title: action.title, nil, findings, to: receiver,
      on: channel, content)
  }

  /// Whether "Open-In/Share filtering" removes apps without a policy from the system's sharing. The filtering also
  /// removes the Files app, regardless of the settings for saving.
  ///
  /// Source: Microsoft Learn, "Common data transfer issues and scenarios", Option B.
  private var isFiltering: Bool {
    evaluate(request(.openIn, to: .system, via: .os)).reasons.contains { $0.rule == .openInFilter }
  }

  /// Returns the channel on which the action exports data, the receiver of the export, and the content of the request.
  private func transfer(of action: BuiltInAction) -> (Channel, Party, Content) {
    let nobody = Party(app: sharing.sender.app, identity: .unset)
    return switch action {
    case .airDrop: (.share, .airDrop(from: sharing.sender, on: sharing.device), Content())
    case .messageComposer: (.messageComposer, .system, Content())
    case .mailComposer: (.mailComposer, .system, Content())
    // A copy stays with the app until it is pasted.
    case .copy: (.clipboard, sharing.sender, Content())
    case .saveToPhotos: (.saveTo, nobody, Content(location: .cameraRoll))
    case .saveToFiles: (.saveTo, nobody, Content(location: .other))
    case .print: (.print, .system, Content())
    }
  }

  // MARK: Policies

  private func destination(
    _ kind: SheetDestination.Kind, name: String, title: String, _ bundleID: String?,
    _ findings: [SheetReason], to receiver: Party, on channel: Channel,
    via: SharingPath? = nil, _ content: Content = Content(), rule: ActivationRule? = nil
  ) -> SheetDestination {
    var findings = findings
    let request = request(channel, to: receiver, via: via, content)
    let verdict = evaluate(request)
    var transfer = SheetDestination.Transfer(request, verdict)
    if let switched = documentImport(for: request, verdict: verdict) {
      transfer = .init(switched, evaluate(importing: switched), refused: request)
      findings.append(.asksToSwitchIdentity)
    }
    return SheetDestination(
      kind: kind, name: name, title: title, bundleID: bundleID, findings: findings,
      transfer: transfer, rule: rule)
  }

  private func request(
    _ channel: Channel, to receiver: Party, via: SharingPath? = nil,
    _ content: Content = Content()
  ) -> TransferRequest {
    TransferRequest(
      channel: channel, via: via ?? sharing.via, sender: sharing.sender, owner: sharing.owner,
      receiver: receiver, appPolicy: sharing.appPolicy, content: content, device: sharing.device)
  }
}

// MARK: - Installed bundles

/// An installed app, with the properties that affect share sheets.
package struct SheetApp: Sendable {
  /// The app's name, as the user sees it.
  package var name: String
  /// The app, with the identity that it would act for if it received an item.
  package var party: Party
  /// The publisher's team identifier.
  package var team: String
  /// The uniform types of the documents that the app opens (`CFBundleDocumentTypes` > `LSItemContentTypes`).
  package let documentTypes: [TypeReference]
  /// The URL schemes that the app registers, in lower case.
  package var schemes: [String]
  /// The reason why the device does not show the app, as a clause; nil if the device shows it.
  package var ban: String?

  package init(
    name: String, party: Party, team: String = "", documentTypes: [String] = [],
    schemes: [String] = []
  ) {
    self.name = name
    self.party = party
    self.team = team
    self.documentTypes = documentTypes.map(TypeReference.init)
    self.schemes = schemes
  }

  package var bundleID: String { party.app.bundleID }

  /// Whether the app registers a URL scheme and its `-intunemam` twin. The SDK uses the twin to
  /// open documents in the app.
  fileprivate var hasSchemeTwin: Bool {
    schemes.contains { schemes.contains("\($0)-intunemam") }
  }
}

/// An installed share or action extension, with the properties that affect share sheets.
package struct SheetExtension: Sendable {
  /// The extension's name, as the user sees it.
  package var name: String
  package var kind: Kind
  /// The extension, with the identity that an instance of it would act for.
  package var party: Party
  /// The bundle id of the app that contains the extension.
  package var containingApp: String
  /// The extension's `NSExtensionActivationRule`; nil if it has no valid one.
  package var rule: ActivationRule?
  /// Whether the extension is a stub with which the SDK opens documents in the app
  /// (`IntuneMAMSettings` > `OpenInActionExtension`).
  package var isOpenInAction: Bool
  /// The reason why the device does not show the extension's app, as a clause; nil if the device shows it.
  package var ban: String?

  package enum Kind: String, Sendable, CaseIterable {
    /// An extension for the extension point `com.apple.share-services`.
    case share
    /// An extension for the extension point `com.apple.ui-services` or `com.apple.services`.
    case action
  }

  package init(
    name: String, kind: Kind, party: Party, containingApp: String, rule: ActivationRule?,
    isOpenInAction: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.party = party
    self.containingApp = containingApp
    self.rule = rule
    self.isOpenInAction = isOpenInAction
  }

  package var bundleID: String { party.app.bundleID }
}

// MARK: - The system's actions

/// An action that the system offers in a share sheet.
package enum BuiltInAction: String, Sendable, CaseIterable {
  case airDrop
  case messageComposer
  case mailComposer
  case copy
  case saveToPhotos
  case saveToFiles
  case print

  package var title: String {
    switch self {
    case .airDrop: "AirDrop"
    case .messageComposer: "Message"
    case .mailComposer: "Mail"
    case .copy: "Copy"
    case .saveToPhotos: "Save to Photos"
    case .saveToFiles: "Save to Files"
    case .print: "Print"
    }
  }

  /// The content that the action accepts, as text; nil for any content.
  var takes: String? {
    switch self {
    case .airDrop, .messageComposer, .mailComposer, .copy: nil
    case .saveToPhotos: "images and movies"
    case .saveToFiles: "files, images, movies and sound"
    case .print: "text, images, PDF and office documents"
    }
  }

  /// Returns whether the action accepts the content, which the app passes to the system unchanged.
  ///
  /// Assumption: the types that the system prints and stores (`docs/ASSUMPTIONS.md`, share sheet).
  fileprivate func takes(_ content: Sharing.Content, in library: TypeLibrary) -> Bool {
    guard let types else { return true }
    if self == .saveToFiles, content.fileName != nil { return true }
    return content.types.contains { type in
      let registered = library.registered(type)
      return types.contains { library.conforms(registered, to: $0) }
    }
  }

  /// The types that the action accepts; nil for any type.
  private var types: [TypeReference]? {
    switch self {
    case .airDrop, .messageComposer, .mailComposer, .copy: nil
    case .saveToPhotos: Self.photos
    case .saveToFiles: Self.files
    case .print: Self.printed
    }
  }

  private static let photos = ["public.image", "public.movie"].map(TypeReference.init)
  private static let files = ["public.image", "public.audiovisual-content"].map(TypeReference.init)
  private static let printed = [
    "public.text", "public.image", "public.composite-content", "public.presentation",
    "public.spreadsheet",
  ].map(TypeReference.init)
}
