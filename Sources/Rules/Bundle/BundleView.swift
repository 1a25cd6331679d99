internal import Activation
package import Encodings
internal import Output
internal import UniformTypes

/// The text with which `sluice bundle show` describes a bundle.
package struct BundleView: Sendable {
  private var lines: [String] = []

  /// The maximum width in characters of a line that lists several values.
  private static let width = 80

  /// Returns a description of `input`. It ends with a line break.
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
      row(
        indent, "rule",
        stated.invalidRule.map { _ in "not valid, so the extension is never offered" })
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

// MARK: - JSON

extension BundleInput {
  package func writeJSON(to writer: inout JSONWriter) {
    switch self {
    case .bundle(let bundle, _): bundle.writeJSON(to: &writer)
    case .entitlements(let file):
      writer.object {
        $0.member("path", file.list.file)
        $0.member("kind", "entitlements")
        file.entitlements.writeJSON(to: &$0)
      }
    }
  }
}

extension AppBundle {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", source.path)
      writer.member("kind", kind.title)
      info.writeJSON(to: &writer)
      writer.member("team", team)
      entitlements.writeJSON(to: &writer)
      if kind == .app {
        writer.array("plugIns", of: plugIns) { $1.writeJSON(to: &$0) }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ values: [String]) {
    if values.isEmpty { return }
    array(name) { writer in
      for value in values { writer.string(value) }
    }
  }

  fileprivate mutating func member(_ name: StaticString, _ types: [TypeDeclaration]) {
    if types.isEmpty { return }
    array(name) { writer in
      for type in types { type.writeJSON(to: &writer) }
    }
  }
}

extension Entitlements {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.member("appGroups", appGroups)
    writer.member("keychainGroups", keychainAccessGroups)
    writer.member("associatedDomains", associatedDomains)
  }
}

extension InfoPlist {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.member("identifier", identifier)
    writer.member("name", name)
    writer.member("version", version)
    writer.member("executable", executable)
    writer.member("minimumOS", minimumOS)
    writer.member("schemes", schemes)
    writer.member("queriedSchemes", queriedSchemes)
    writer.member("faceIDUsage", faceIDUsage)
    if !documentTypes.isEmpty {
      writer.array("documentTypes", of: documentTypes) { $1.writeJSON(to: &$0) }
    }
    if let opensInPlace { writer.member("opensInPlace", opensInPlace) }
    writer.member("exportedTypes", declaredTypes.filter(\.isExported))
    writer.member("importedTypes", declaredTypes.filter { !$0.isExported })
    appExtension?.writeJSON(to: &writer)
    intuneSettings?.writeJSON(to: &writer)
  }
}

extension DocumentType {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.object {
      $0.member("name", name)
      $0.member("role", role)
      $0.member("rank", rank)
      $0.member("contentTypes", contentTypes)
      $0.member("filenameExtensions", filenameExtensions)
    }
  }
}

extension TypeDeclaration {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.object {
      $0.member("identifier", identifier)
      $0.member("conformsTo", conformsTo)
      $0.member("filenameExtensions", filenameExtensions)
      $0.member("mimeTypes", mimeTypes)
      $0.member("description", description)
    }
  }
}

extension AppExtension {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.object("extension") { writer in
      writer.member("point", point)
      writer.member("principalClass", principalClass)
      writer.member("storyboard", storyboard)
      writer.member("requestsOpenAccess", requestsOpenAccess)
      writer.member("rule", activationRule?.headline)
      writer.member("ruleError", invalidRule?.message)
      writer.member("ruleTypes", activationRule?.typeIdentifiers ?? [])
    }
  }
}

extension InfoPlist.IntuneSettings {
  fileprivate func writeJSON(to writer: inout JSONWriter) {
    writer.object("intuneSettings") { writer in
      writer.member("isMultiIdentity", isMultiIdentity)
      writer.member("isOpenInAction", isOpenInAction)
      writer.member("containingApp", containingApp)
      writer.member("appGroups", appGroups)
      writer.member("cacheKeychainGroup", cacheKeychainGroup)
      writer.member("startsWithoutPolicy", startsWithoutPolicy)
      writer.member("enrollsOnLaunch", enrollsOnLaunch)
      writer.object("others") { writer in
        for other in others { writer.member(named: other.key) { $0.string(other.value) } }
      }
    }
  }
}
