internal import Activation
internal import Diagnostics
package import JSON
internal import UniformTypes

extension BundleInput {
  /// Writes the input's facts as one JSON object.
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
        writer.array("plugIns") { writer in
          for plugIn in plugIns { plugIn.writeJSON(to: &writer) }
        }
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
      writer.array("documentTypes") { writer in
        for document in documentTypes { document.writeJSON(to: &writer) }
      }
    }
    if let opensInPlace { writer.member("opensInPlace", opensInPlace) }
    writer.member("exportedTypes", declaredTypes.filter(\.isExported))
    writer.member("importedTypes", declaredTypes.filter { !$0.isExported })
    appExtension?.writeJSON(to: &writer)
    intuneSettings?.writeJSON(to: &writer)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ types: [TypeDeclaration]) {
    if types.isEmpty { return }
    array(name) { writer in
      for type in types { type.writeJSON(to: &writer) }
    }
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
