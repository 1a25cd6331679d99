internal import Activation
internal import Bundle
internal import Host
internal import Scenario
internal import ShareSheet
internal import UniformTypes

/// What a share sheet asks about an app or extension of a scenario: what the scenario says of it, over what
/// its bundle says.
struct InstalledBundle {
  /// The scenario's name, or for a plug-in that the scenario does not name, its own.
  var name: String
  /// The guest that runs it; nil for such a plug-in.
  var guest: String?
  /// What rules see of a plug-in without guest.
  var description: AppDescription
  /// nil: an app.
  var kind: SheetExtension.Kind?
  /// Bundle id; empty for an app, and for an extension that names none.
  var containingApp = ""
  var documentTypes: [String] = []
  var declaredTypes: [TypeDeclaration] = []
  var rule: ActivationRule?
  var isOpenInAction = false

  /// All that a scenario's apps bring with them, with what is in their `PlugIns`. Extensions that no share
  /// sheet offers are left out.
  static func all(of blueprint: Blueprint) throws(SheetError) -> [InstalledBundle] {
    var all: [InstalledBundle] = []
    let known = Set(blueprint.apps.map { $0.description.bundleID.lowercased() })
    for (specification, description) in blueprint.apps {
      let bundle = try Self.bundle(of: specification, description, blueprint)
      if let one = InstalledBundle(specification, description, bundle) { all.append(one) }
      for plugIn in bundle?.plugIns ?? [] {
        guard let one = InstalledBundle(plugIn: plugIn, in: description),
          !known.contains(one.description.bundleID.lowercased())
        else { continue }
        all.append(one)
      }
    }
    return all
  }

  private static func bundle(
    of app: AppSpecification, _ description: AppDescription, _ blueprint: Blueprint
  ) throws(SheetError) -> AppBundle? {
    guard let path = app.path else { return nil }
    let folder = Blueprint.folder(of: blueprint.scenario.file)
    do throws(BundleError) {
      return try AppBundle(
        at: Blueprint.resolve(path, in: folder), settings: BuildSettings(team: description.team))
    } catch {
      throw SheetError(error.description)
    }
  }

  private init?(
    _ app: AppSpecification, _ description: AppDescription, _ bundle: AppBundle?
  ) {
    name = app.name
    guest = app.guests.first
    self.description = description
    if let containing = description.kind.containingApp {
      guard let kind = Self.kind(app.extensionKind?.rawValue, bundle?.kind) else { return nil }
      self.kind = kind
      containingApp = containing
    }
    documentTypes = app.documentTypes + Self.documentTypes(of: bundle)
    declaredTypes = bundle?.info.declaredTypes ?? []
    rule = app.activationRule ?? bundle?.info.appExtension?.activationRule
    isOpenInAction =
      app.isOpenInAction || bundle?.info.intuneSettings?.isOpenInAction ?? false
  }

  private init?(plugIn bundle: AppBundle, in app: AppDescription) {
    guard let identifier = bundle.info.identifier, let kind = Self.kind(nil, bundle.kind) else {
      return nil
    }
    name = bundle.info.name ?? identifier
    description = AppDescription(
      name: name, bundleID: identifier, team: app.team,
      integratesSDK: bundle.info.intuneSettings != nil, isMDMManaged: app.isMDMManaged)
    self.kind = kind
    containingApp = app.bundleID
    declaredTypes = bundle.info.declaredTypes
    rule = bundle.info.appExtension?.activationRule
    isOpenInAction = bundle.info.intuneSettings?.isOpenInAction ?? false
  }

  /// nil for an extension that no share sheet offers.
  private static func kind(_ stated: String?, _ kind: AppBundle.Kind?) -> SheetExtension.Kind? {
    switch (stated, kind) {
    case ("share", _), (nil, .shareExtension): .share
    case ("action", _), ("service", _), (nil, .actionExtension), (nil, .actionWithoutInterface):
      .action
    default: nil
    }
  }

  /// The content types of what it opens; a document type without any stands for those of its file name
  /// extensions.
  private static func documentTypes(of bundle: AppBundle?) -> [String] {
    guard let info = bundle?.info else { return [] }
    let types = TypeLibrary.system.adding(info.declaredTypes)
    return info.documentTypes.flatMap { document in
      guard document.contentTypes.isEmpty else { return document.contentTypes }
      return document.filenameExtensions.compactMap { types.type(forFilenameExtension: $0) }
    }
  }
}
