internal import Activation
internal import Bundle
internal import Host
internal import Scenario
internal import ShareSheet
internal import UniformTypes

/// The properties of an app or extension that share sheets depend on; what the scenario states takes precedence over
/// what the bundle states.
struct InstalledBundle {
  /// The name in share sheets.
  var name: String
  /// The guest that runs the app or extension.
  var guest: String
  var description: AppDescription
  /// The kind of extension; nil: an app.
  var kind: SheetExtension.Kind?
  /// The bundle id of the containing app; empty for an app, and for an extension that names none.
  var containingApp = ""
  var documentTypes: [String] = []
  var declaredTypes: [TypeDeclaration] = []
  var rule: ActivationRule?
  var isOpenInAction = false

  /// All apps and extensions of a scenario. Extensions that no share sheet offers are left out.
  static func all(of blueprint: Blueprint) -> [InstalledBundle] {
    blueprint.apps.compactMap(InstalledBundle.init)
  }

  private init?(_ installed: InstalledApp) {
    let (app, bundle) = (installed.specification, installed.bundle)
    guard let guest = app.guests.first else { return nil }
    name = installed.title
    self.guest = guest
    description = installed.description
    if let containing = description.kind.containingApp {
      guard let kind = Self.kind(app.extensionKind, bundle?.kind) else { return nil }
      self.kind = kind
      containingApp = containing
    }
    documentTypes = app.documentTypes + Self.documentTypes(of: bundle)
    declaredTypes = bundle?.info.declaredTypes ?? []
    rule = app.activationRule ?? bundle?.info.appExtension?.activationRule
    isOpenInAction =
      app.isOpenInAction || bundle?.info.intuneSettings?.isOpenInAction ?? false
  }

  /// The kind of extension; nil for an extension that no share sheet offers.
  private static func kind(
    _ stated: AppSpecification.ExtensionKind?, _ kind: AppBundle.Kind?
  ) -> SheetExtension.Kind? {
    if let stated {
      switch stated {
      case .share: return .share
      case .action, .service: return .action
      case .notificationService, .keyboard, .safariWebExtension, .fileProvider, .packetTunnel,
        .singleSignOn:
        return nil
      }
    }
    switch kind {
    case .shareExtension: return .share
    case .actionExtension, .actionWithoutInterface: return .action
    case .app, .notificationService, .keyboard, .safariWebExtension, .fileProvider, .packetTunnel,
      .singleSignOn, nil:
      return nil
    }
  }

  /// The content types that the app opens; a document type without content types stands for those of its file name
  /// extensions.
  static func documentTypes(of bundle: AppBundle?) -> [String] {
    guard let info = bundle?.info else { return [] }
    let types = TypeLibrary.system.adding(info.declaredTypes)
    return info.documentTypes.flatMap { document in
      guard document.contentTypes.isEmpty else { return document.contentTypes }
      return document.filenameExtensions.compactMap { types.type(forFilenameExtension: $0) }
    }
  }
}
