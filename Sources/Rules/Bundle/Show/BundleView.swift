internal import Activation
internal import UniformTypes

/// A description of a bundle, line by line, for people.
package struct BundleView: Sendable {
  private var lines: [String] = []

  /// The maximum width of a list's values on one line, in characters.
  private static let width = 80

  /// Describes `input` in text that ends with a line break.
  package static func text(of input: BundleInput) -> String {
    var view = BundleView()
    switch input {
    case .bundle(let bundle, _):
      view.show(bundle, indent: "")
      for plugIn in bundle.plugIns {
        view.lines.append("")
        view.show(plugIn, indent: "  ")
      }
    case .entitlements(let file):
      view.lines.append("\(file.list.file)  entitlements")
      view.show(file.entitlements, indent: "  ")
    }
    return view.lines.joined(separator: "\n") + "\n"
  }

  private mutating func show(_ bundle: AppBundle, indent: String) {
    let info = bundle.info
    let version = info.version.map { " \($0)" } ?? ""
    lines.append("\(indent)\(bundle.source.path)  \(bundle.kind.title)")
    let inner = indent + "  "
    row(inner, "identifier", info.identifier)
    row(inner, "name", info.name.map { $0 + version })
    row(inner, "executable", info.executable)
    row(inner, "minimum iOS", info.minimumOS)
    row(inner, "URL schemes", info.schemes)
    row(inner, "queries", info.queriedSchemes)
    for document in info.documentTypes { row(inner, "opens", Self.words(document)) }
    if info.opensInPlace == true { row(inner, "opens", "documents in place") }
    for type in info.declaredTypes {
      row(inner, type.isExported ? "exports" : "imports", Self.words(type))
    }
    row(inner, "Face ID", info.faceIDUsage)
    show(bundle, info.appExtension, indent: inner)
    show(info.intuneSettings, indent: inner)
    row(inner, "team", bundle.team)
    show(bundle.entitlements, indent: inner)
  }

  private mutating func show(
    _ bundle: AppBundle, _ stated: AppExtension?, indent: String
  ) {
    guard let stated else { return }
    row(indent, "point", stated.point)
    row(indent, "class", stated.principalClass)
    row(indent, "storyboard", stated.storyboard)
    if bundle.kind == .keyboard {
      row(indent, "full access", stated.requestsOpenAccess ? "requested" : "not requested")
    }
    if let rule = stated.activationRule {
      row(indent, "rule", rule.headline)
      row(indent, "rule types", rule.typeIdentifiers)
    } else {
      row(indent, "rule", stated.invalidRule.map { _ in "not valid, so it is never offered" })
    }
  }

  private mutating func show(_ settings: InfoPlist.IntuneSettings?, indent: String) {
    guard let settings else { return }
    row(indent, "Intune", settings.isMultiIdentity ? "several identities" : "one identity")
    if settings.isOpenInAction { row(indent, "Intune", "Open-In action extension") }
    row(indent, "containing app", settings.containingApp)
    row(indent, "SDK app groups", settings.appGroups)
    for other in settings.others { row(indent, other.key, other.value) }
  }

  private mutating func show(_ entitlements: Entitlements, indent: String) {
    row(indent, "app groups", entitlements.appGroups)
    row(indent, "keychain", entitlements.keychainAccessGroups)
    row(indent, "domains", entitlements.associatedDomains)
  }

  private mutating func row(_ indent: String, _ title: String, _ value: String?) {
    guard let value else { return }
    let padding = String(repeating: " ", count: max(1, 16 - title.count))
    lines.append("\(indent)\(title)\(padding)\(value)")
  }

  private mutating func row(_ indent: String, _ title: String, _ values: [String]) {
    guard var line = values.first else { return }
    var title = title
    for value in values.dropFirst() {
      if line.count + value.count > Self.width {
        row(indent, title, line + ",")
        title = ""
        line = value
      } else {
        line += ", \(value)"
      }
    }
    row(indent, title, line)
  }

  private static func words(_ document: DocumentType) -> String {
    let types =
      document.contentTypes.isEmpty
      ? document.filenameExtensions.map { ".\($0)" } : document.contentTypes
    let rights = [document.role, document.rank].compactMap(\.self)
    return types.joined(separator: ", ")
      + (rights.isEmpty ? "" : " (\(rights.joined(separator: ", ")))")
  }

  private static func words(_ type: TypeDeclaration) -> String {
    let names = type.filenameExtensions.map { ".\($0)" } + type.mimeTypes
    return type.identifier
      + (type.conformsTo.isEmpty ? "" : " < \(type.conformsTo.joined(separator: ", "))")
      + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }
}
