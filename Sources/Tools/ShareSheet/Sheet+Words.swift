internal import Model
internal import Policy
internal import UniformTypes

extension Sharing {
  /// The items, the sender, the account and the way of sharing, in one line.
  var headline: String {
    let what = contents.map(\.text).joined(separator: ", ")
    let way = via == .sdk ? "in the app's own sharing" : "through the system"
    return "\(senderName) shares \(what) for \(who), \(way)"
  }

  /// A sentence with the types that the SDK offers, where they are not the items' own; nil where they are.
  var offer: String? {
    guard usesTwins else { return nil }
    let types = contents.flatMap(\.types).map(IntuneTypeAlias.of)
    return "The policy restricts sending, so the SDK offers it as "
      + types.map { "`\($0)`" }.joined(separator: ", ")
  }

  private var who: String {
    switch sender.identity {
    case .unset: "nobody"
    case .unknown: "an unknown account"
    case .account(let account):
      "\(account.upn) (\(sender.isManaged ? "managed" : "unmanaged"))"
    }
  }
}

extension Sharing.Content {
  /// The content with its types, such as `` `figures.pdf` (com.adobe.pdf) ``.
  var text: String {
    let types = types.joined(separator: ", ")
    return fileName.map { "`\($0)` (\(types))" } ?? types
  }
}

extension SheetDestination.Kind {
  /// The kind in a word or two for people.
  package var title: String {
    switch self {
    case .openIn: "open in"
    case .shareExtension: "share extension"
    case .copyTo: "copy to"
    case .actionExtension: "action extension"
    case .builtIn: "system"
    }
  }
}

extension SheetDestination.Visibility {
  package var text: String {
    switch self {
    case .shown: "shown"
    case .encrypted: "shown, arrives encrypted"
    case .hidden: "hidden"
    }
  }

  /// A sign beside the words, so that neither colour nor text alone carries the meaning.
  var symbol: String {
    switch self {
    case .shown: "✓"
    case .encrypted: "◆"
    case .hidden: "✗"
    }
  }
}

extension SheetDestination {
  /// The kind, with the name where the title does not contain it.
  var kindText: String { kind == .openIn ? "\(kind.title) (\(name))" : kind.title }

  /// The codes of the reasons, such as `noDocumentTypes, sendManagedAppsToUnmanaged`.
  package var why: String { causes.map(\.code).joined(separator: ", ") }

  /// One of ``causes`` in a sentence, with the setting that decided.
  func sentence(for cause: Cause) -> String {
    switch cause {
    case .finding(let finding): return finding.text
    case .rule(let reason):
      let said = reason.rule == .documentImport ? transfer.refused : nil
      let explanation = Explainer.explanation(of: reason, in: said ?? transfer.request)
      guard let label = explanation.label, let value = explanation.value else {
        return explanation.text
      }
      let source = explanation.source.map { " (\($0))" } ?? ""
      return "\(explanation.text); \(label) = \(value)\(source)"
    }
  }
}
