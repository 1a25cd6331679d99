internal import Activation
internal import UniformTypes

/// Checks of the requirements of "Open in App".
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
    var trial = RuleTrial(rule, types: types)
    let documents = Self.openedTypes(of: app)
    checkCount(&trial, documents)
    guard app != nil else { return }
    checkTypes(&trial, documents)
  }

  /// Checks that an app that opens documents has an extension for "Open in App", and a URL scheme for it.
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

  private mutating func checkCount(_ trial: inout RuleTrial, _ documents: [String]) {
    let named =
      documents.isEmpty ? trial.rule.typeIdentifiers : documents.map(IntuneTypeAlias.of(_:))
    for name in named.prefix(RuleTrial.maximumTypes) {
      let excess = trial.excess(of: name)
      guard !excess.isEmpty else { continue }
      return find(
        .openInCount, at: Self.rulePath,
        "the rule must take exactly one file, and takes "
          + excess.map(\.noun).joined(separator: " and "))
    }
  }

  /// Reports the documents' types that the rule refuses, and the types that it names beside them. ``checkCount``
  /// reports types that the rule takes in other numbers than one.
  private mutating func checkTypes(_ trial: inout RuleTrial, _ documents: [String]) {
    let refused = documents.prefix(RuleTrial.maximumTypes).filter {
      trial.takes(IntuneTypeAlias.of($0)) == false
    }
    if !refused.isEmpty {
      find(
        .openInTypes, at: Self.rulePath,
        "the rule lacks \(Self.quoted(refused.map(IntuneTypeAlias.of(_:)))), which the app opens")
    }
    let twins = Set(documents.map { IntuneTypeAlias.of($0).lowercased() })
    let others = trial.rule.typeIdentifiers.filter { !twins.contains($0.lowercased()) }
    if !others.isEmpty {
      find(
        .openInOther, at: Self.rulePath,
        "the rule names \(Self.quoted(others)), which \(others.count == 1 ? "is" : "are") not the "
          + "type of a document that the app opens")
    }
  }

  /// The types of an app's documents, without the twins of managed apps.
  private static func openedTypes(of app: AppBundle?) -> [String] {
    let types = app?.info.documentTypes.flatMap(\.contentTypes) ?? []
    var found: Set<String> = []
    return types.filter { !IntuneTypeAlias.isTwin($0) && found.insert($0).inserted }
  }
}
