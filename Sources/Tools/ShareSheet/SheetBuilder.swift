internal import Activation
internal import Model
internal import Policy
internal import UniformTypes

/// Decides the visibility of destinations, one by one.
struct SheetBuilder {
  private let sharing: Sharing
  /// The registered types of each content.
  private let contents: [[RegisteredType]]
  private let offered: ResolvedItems
  /// The items under their own types; nil where they are offered under these.
  private let plain: ResolvedItems?
  private let apps: [String: SheetApp]
  /// The names of Open-In action extensions, by the bundle id of their app.
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

  // MARK: apps

  /// The destination "Copy to" of an app that opens documents of the type.
  func destination(_ app: SheetApp) -> SheetDestination {
    var findings: [SheetFinding] = []
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

  /// A finding about whether the app opens all shared items.
  private func acceptance(by app: SheetApp) -> SheetFinding {
    var accepted: SheetFinding?
    for types in contents {
      let match = types.lazy.compactMap { type in
        app.documentTypes.first { sharing.types.conforms(type, to: $0) }.map { (type, $0) }
      }.first
      guard let match else { return .documentTypeNotAccepted(types.first?.identifier ?? "") }
      accepted = accepted ?? .documentTypeAccepted(match.0.identifier, by: match.1.identifier)
    }
    return accepted ?? .noDocumentTypes
  }

  /// Whether the bundle id is that of the app that shares. Bundle ids are case-insensitive (CFBundleIdentifier).
  private func isSender(_ bundleID: String) -> Bool {
    bundleID.lowercased() == sharing.sender.app.bundleID.lowercased()
  }

  // MARK: extensions

  /// The destination of an extension, by its activation rule.
  func destination(_ extension: SheetExtension) -> SheetDestination {
    let app = apps[`extension`.containingApp.lowercased()]
    var findings: [SheetFinding] = []
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

  private func activation(of extension: SheetExtension) -> [SheetFinding] {
    guard let rule = `extension`.rule else { return [.noActivationRule] }
    if rule.matches(offered) { return [.activationRuleHolds] }
    if let plain, rule.matches(plain) { return [.activationRuleFails, .twinsNotNamed] }
    let isIdle = `extension`.isOpenInAction && !sharing.usesTwins
    return isIdle ? [.activationRuleFails, .sendingNotRestricted] : [.activationRuleFails]
  }

  // MARK: the system

  /// The destination of an action of the system's own.
  func destination(_ action: BuiltInAction) -> SheetDestination {
    let isTaken = sharing.contents.allSatisfy { action.takes($0, in: sharing.types) }
    var findings: [SheetFinding] = isTaken ? [] : [.typeNotTaken(action)]
    if action == .copy {
      findings.append(.pastedElsewhere(evaluate(request(.clipboard, to: .system))))
    }
    let (channel, receiver, content) = way(of: action)
    return destination(
      .builtIn, name: action.rawValue, title: action.title, nil, findings, to: receiver,
      on: channel, content)
  }

  /// The channel by which data leaves through the action, its receiver, and the content of the request.
  private func way(of action: BuiltInAction) -> (Channel, Party, Content) {
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

  // MARK: policies

  private func destination(
    _ kind: SheetDestination.Kind, name: String, title: String, _ bundleID: String?,
    _ findings: [SheetFinding], to receiver: Party, on channel: Channel,
    _ content: Content = Content(), rule: ActivationRule? = nil
  ) -> SheetDestination {
    var findings = findings
    let request = request(channel, to: receiver, content)
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
    _ channel: Channel, to receiver: Party, _ content: Content = Content()
  ) -> TransferRequest {
    TransferRequest(
      channel: channel, via: sharing.via, sender: sharing.sender, owner: sharing.owner,
      receiver: receiver, appPolicy: sharing.appPolicy, content: content, device: sharing.device)
  }
}
