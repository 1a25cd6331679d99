internal import Activation
internal import Bundle
internal import Model
internal import Scenario
internal import UniformTypes

/// The ways by which other apps hand an item to an app: by "Copy to" and "Open in" as a document, and to its share and
/// action extensions.
extension OwnApp {
  func receiving(_ stand: Stand) -> [CriterionJob.Kind] {
    guard let share = stand.share else { return [stand.job] }
    let hasWayIn = !documentTypes.isEmpty || openInAction != nil || !sheetExtensions.isEmpty
    guard hasWayIn else {
      return [
        .misfit(
          "it takes nothing from others: neither `CFBundleDocumentTypes` nor an extension says so")
      ]
    }
    return copying(stand, share) + opening(stand, share)
      + sheetExtensions.map { offering($0, stand, share) }
  }

  // MARK: documents

  private func copying(_ stand: Stand, _ share: PassiveShare) -> [CriterionJob.Kind] {
    guard let type = documentTypes.first else {
      return [.misfit("by `Copy to`: it opens no documents")]
    }
    // A blocked item stays blocked, however it is handed over.
    guard !share.isOfManaged || !share.isAllowed else {
      return [.misfit("by `Copy to`: from a managed app it gives way to `Open in`")]
    }
    return [
      stand.called("by `Copy to`, \(type)").job(
        to: stand.role.name, type: type, isOnSheet: share.isAllowed && !share.isImport,
        { share in
          share.channel = .openIn
          share.item?.name = "document"
        })
    ]
  }

  private func opening(_ stand: Stand, _ share: PassiveShare) -> [CriterionJob.Kind] {
    guard share.isOfManaged else {
      return openInAction == nil
        ? [] : [.misfit("by `Open in`: it is there only while a policy restricts sending")]
    }
    guard let action = openInAction?.info.identifier else {
      if documentTypes.isEmpty { return [] }
      return [share.isAllowed ? .fault(Self.lacksOpenIn) : .misfit(Self.lacksOpenIn)]
    }
    if let fault = openInFault { return [share.isAllowed ? .fault(fault) : .misfit(fault)] }
    let stand = stand.asExtension
    return documentTypes.map { type in
      stand.called("by `Open in`, \(type)").job(
        to: action, type: type, isOnSheet: share.isAllowed,
        { share in
          share.channel = .openIn
          share.item?.name = "document"
        })
    }
  }

  // MARK: extensions

  private func offering(
    _ plugIn: AppBundle, _ stand: Stand, _ share: PassiveShare
  ) -> CriterionJob.Kind {
    let identifier = plugIn.info.identifier ?? plugIn.source.path
    guard !share.isImport else {
      return .misfit("by `\(identifier)`: an extension is not asked to switch identity")
    }
    let offer = Offer(of: plugIn, in: bundle, documentTypes)
    switch offer {
    case .never:
      let sentence =
        "`\(identifier)` is never offered: its activation rule takes nothing of what was tried"
      return share.isAllowed ? .fault(sentence) : .misfit(sentence)
    case .severalOnly:
      return .misfit("by `\(identifier)`: it is offered for several things at once only")
    case .one(let type):
      return stand.asExtension.called("by \(identifier), \(type)").job(
        to: identifier, type: type, isOnSheet: share.isAllowed, { _ in })
    }
  }
}

/// The types that a share or action extension is offered for, among those that are tried: the types that its rule
/// names, those that its app opens, and those that people share.
private enum Offer {
  case never
  case severalOnly
  case one(type: String)

  init(of plugIn: AppBundle, in app: AppBundle, _ documentTypes: [String]) {
    self = .never
    guard let rule = plugIn.info.appExtension?.activationRule else { return }
    let library = TypeLibrary.system.adding(app.info.declaredTypes + plugIn.info.declaredTypes)
    let named = rule.typeIdentifiers.map { IntuneTypeAlias.original(of: $0) ?? $0 }
    let types = named + documentTypes + Self.commonTypes
    for count in 1...4 {
      let type = types.first { type in
        [type, IntuneTypeAlias.of(type)].contains { name in
          let file = SharedAttachment(registeredTypeIdentifiers: [name])
          let item = SharedItem(attachments: Array(repeating: file, count: count))
          return rule.matches([item], types: library)
        }
      }
      guard let type else { continue }
      self = count == 1 ? .one(type: type) : .severalOnly
      return
    }
  }

  private static let commonTypes = [
    "public.utf8-plain-text", "public.url", "public.jpeg", "public.png", "com.adobe.pdf",
    "public.file-url", "public.mpeg-4", "public.vcard", "public.data",
  ]
}

/// The share by which another app hands an item to the app under test.
private struct PassiveShare {
  /// Whether a policy restricts what the sender shares.
  var isOfManaged: Bool
  var isAllowed: Bool
  /// Whether the app is asked to switch identity, and agrees.
  var isImport: Bool
}

extension OwnApp.Stand {
  fileprivate var share: PassiveShare? {
    for step in test.steps {
      guard case .share(let share) = step.action, share.to == role.name else { continue }
      return PassiveShare(
        isOfManaged: scenario.app(ofGuest: share.from)?.usesSDK ?? false,
        isAllowed: step.expectation?.verdict == .allowed,
        isImport: step.expectation?.reasons.contains(.documentImport) ?? false)
    }
    return nil
  }

  /// The stand for an extension, which acts for the managed account where one is signed in: where the case is about
  /// another identity, the managed account is not signed in.
  fileprivate var asExtension: Self {
    let switches = test.steps.compactMap { step -> IdentityReference? in
      guard case .switchIdentity(let change) = step.action, role.hasGuest(change.guest) else {
        return nil
      }
      return change.identity
    }
    guard let last = switches.last, !scenario.isManaged(last),
      let index = scenario.apps.firstIndex(where: { $0.name == role.name })
    else { return self }
    var stand = self
    stand.scenario.apps[index].signedIn.removeAll(where: scenario.isManaged)
    return stand
  }

  /// The job with the shares going another way.
  ///
  /// - Parameter isOnSheet: whether the destination has to be on the share sheet first.
  fileprivate func job(
    to destination: String, type: String, isOnSheet: Bool,
    _ adjust: (inout Action.Share) -> Void
  ) -> CriterionJob.Kind {
    var stand = self
    stand.test.steps = test.steps.flatMap { step -> [Step] in
      guard case .share(var share) = step.action, share.to == role.name else { return [step] }
      share.item?.type = type
      adjust(&share)
      share.to = destination
      var step = step
      step.action = .share(share)
      // The expectations do not cover what an extension does with the item.
      if destination != role.name {
        step.expectation?.received = nil
        step.expectation?.identity = nil
        step.expectation?.isManaged = nil
      }
      guard isOnSheet else { return [step] }
      let item = Action.ShareSheet.Item(fileName: share.item?.name, types: [type])
      var shown = Expectation()
      shown.shown = [destination]
      let look = Step(
        position: step.position, action: .shareSheet(.init(from: share.from, items: [item])),
        expectation: shown)
      return [look, step]
    }
    return stand.job
  }
}

extension Action.Share {
  /// The one item that is shared; nil where several are offered.
  fileprivate var item: Item? {
    get { if case .item(.stated(let item)) = content { item } else { nil } }
    set { if let newValue { content = .item(.stated(newValue)) } }
  }
}
