internal import Activation
internal import UniformTypes

/// What "Open in App" needs.
///
/// Source: Intune App SDK for iOS developer guide, "Sharing data via UIActivityViewController".
extension BundleLinter {
  mutating func checkOpenIn() {
    checkOpenInOfApp()
    guard bundle.isExtension, info.intuneSettings?.isOpenInAction == true else { return }
    if bundle.kind != .actionWithoutInterface {
      find(
        .openInPoint, at: ["NSExtension", "NSExtensionPointIdentifier"],
        "an Open-In extension is an action without user interface, `com.apple.services`, found "
          + "`\(info.extensionPoint ?? "")`")
    }
    guard let rule = info.appExtension?.activationRule else { return }
    let check = OpenInRule(rule, types: types)
    let documents = Self.openedTypes(of: app)
    checkCount(check, documents)
    guard app != nil else { return }
    checkTypes(check, documents)
  }

  /// What an app must have for its extension, and that it has one.
  private mutating func checkOpenInOfApp() {
    guard bundle.kind == .app, bundle.source.isFolder, info.intuneSettings != nil else { return }
    let extensions = bundle.plugIns.filter { $0.info.intuneSettings?.isOpenInAction == true }
    let documents = Self.openedTypes(of: bundle)
    if extensions.isEmpty, !documents.isEmpty {
      find(
        .openInMissing, at: ["CFBundleDocumentTypes"],
        "the app opens documents, and none of its extensions states `OpenInActionExtension`")
    }
    if !extensions.isEmpty, !info.schemes.contains(where: { !Self.isRedirect($0) }) {
      find(
        .schemeMissing, at: ["CFBundleURLTypes"],
        "the app has an Open-In extension but no URL scheme for it")
    }
  }

  private mutating func checkCount(_ check: OpenInRule, _ documents: [String]) {
    let named = documents.isEmpty ? check.rule.typeIdentifiers : documents.map(IntuneTwin.of(_:))
    guard let type = named.first(where: { check.accepts([[$0]]) }) else { return }
    let wrong = [
      ("two files", [[type, type]]), ("two items of a file each", [[type], [type]]),
    ].filter { check.accepts($0.1) }
    if !wrong.isEmpty {
      find(
        .openInCount, at: Self.rulePath,
        "the rule must take exactly one file, and takes "
          + wrong.map(\.0).joined(separator: " and "))
    }
  }

  private mutating func checkTypes(_ check: OpenInRule, _ documents: [String]) {
    let refused = documents.filter { !check.accepts([[IntuneTwin.of($0)]]) }
    if !refused.isEmpty {
      find(
        .openInTypes, at: Self.rulePath,
        "the rule lacks \(Self.quoted(refused.map(IntuneTwin.of(_:)))), which the app opens")
    }
    let twins = Set(documents.map { IntuneTwin.of($0).lowercased() })
    let others = check.rule.typeIdentifiers.filter { !twins.contains($0.lowercased()) }
    if !others.isEmpty {
      find(
        .openInOther, at: Self.rulePath,
        "the rule names \(Self.quoted(others)), which \(others.count == 1 ? "is" : "are") not the "
          + "type of a document that the app opens")
    }
  }

  /// The types of an app's documents, without those of managed apps.
  private static func openedTypes(of app: AppBundle?) -> [String] {
    let types = app?.info.documentTypes.flatMap(\.contentTypes) ?? []
    return types.reduce(into: [String]()) { found, type in
      if !IntuneTwin.isTwin(type), !found.contains(type) { found.append(type) }
    }
  }

  mutating func checkDocumentTypes() {
    let library = types
    for (index, document) in info.documentTypes.enumerated() {
      for (number, type) in document.contentTypes.enumerated() where Self.isResolved(type) {
        let plain = IntuneTwin.original(of: type) ?? type
        if library.declaration(of: plain) != nil { continue }
        find(
          .undeclaredType,
          at: [
            "CFBundleDocumentTypes", .index(index), "LSItemContentTypes", .index(number),
          ], "neither the system nor the app declares the type `\(plain)`")
      }
    }
  }
}

/// An Open-In rule on trial.
struct OpenInRule {
  let rule: ActivationRule
  let types: TypeLibrary

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
  }

  /// - Parameter items: of each item, the types of its attachments.
  func accepts(_ items: [[String]]) -> Bool {
    let shared = items.map { attachments in
      SharedItem(
        attachments: attachments.map { SharedAttachment(registeredTypeIdentifiers: [$0]) })
    }
    return rule.matches(shared, types: types)
  }
}
