internal import Activation
internal import Diagnostics
internal import UniformTypes

/// Checks of the uniform types that documents and rules name.
extension BundleLinter {
  mutating func checkDocumentTypes() {
    for (index, document) in info.documentTypes.enumerated() {
      let path: ListPath = ["CFBundleDocumentTypes", .index(index)]
      if document.contentTypes.isEmpty, !document.filenameExtensions.isEmpty {
        find(
          .contentTypesMissing, at: path + ["CFBundleTypeExtensions"],
          "the document type has `CFBundleTypeExtensions` and no `LSItemContentTypes`, so iOS "
            + "passes over it")
      }
      for (number, type) in document.contentTypes.enumerated() where Self.isResolved(type) {
        let plain = IntuneTypeAlias.original(of: type) ?? type
        if types.declaration(of: plain) != nil { continue }
        find(
          .undeclaredType, at: path + ["LSItemContentTypes", .index(number)],
          "neither the system nor the app declares the type `\(plain)`",
          suggestion: meantType(plain))
      }
    }
  }

  /// Checks the types in the rule. Types that other apps may declare pass, but not those that are nearly a declared
  /// one, nor those under the system's names.
  mutating func checkRuleTypes() {
    guard let rule = info.appExtension?.activationRule else { return }
    var seen: Set<String> = []
    for type in rule.typeIdentifiers {
      let plain = IntuneTypeAlias.original(of: type) ?? type
      guard Self.isResolved(plain), types.declaration(of: plain) == nil,
        seen.insert(plain.lowercased()).inserted
      else { continue }
      let meant = meantType(plain)
      guard meant != nil || Self.isOfSystem(plain) else { continue }
      find(
        .undeclaredType, at: Self.rulePath,
        "neither the system nor the app declares the type `\(plain)`, which the rule names",
        suggestion: meant)
    }
  }

  /// The type that was probably meant by one that nobody declares: `public.image` for `public.imag`, and by the file
  /// name extension at its end `com.adobe.pdf` for `public.pdf`; nil where nothing comes near.
  private mutating func meantType(_ undeclared: String) -> String? {
    let near = nearestType(to: undeclared)
    guard near != nil || Self.isOfSystem(undeclared) else { return nil }
    let ending = undeclared.split(separator: ".").last.map(String.init) ?? ""
    return types.type(forFilenameExtension: ending) ?? near
  }

  /// The nearest declared type; nil where none is near, and after the first hundred types: each is compared with all
  /// declared types, the bundle's own among them.
  private mutating func nearestType(to undeclared: String) -> String? {
    guard comparedTypes < Self.maximumComparedTypes else { return nil }
    comparedTypes += 1
    let declared = types.declarations
    Effort.spend(declared.count)
    return NearestWord.to(undeclared, among: declared.lazy.map(\.identifier))
  }

  private static func isOfSystem(_ type: String) -> Bool {
    ["public.", "com.apple."].contains { type.lowercased().hasPrefix($0) }
  }
}
