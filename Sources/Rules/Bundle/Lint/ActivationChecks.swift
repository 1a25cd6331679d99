internal import Activation
internal import Output
internal import Predicates
internal import UniformTypes

/// Checks of the activation rule.
extension BundleLinter {
  static let rulePath: ListPath = [
    "NSExtension", "NSExtensionAttributes", "NSExtensionActivationRule",
  ]

  mutating func checkRule() {
    guard bundle.isExtension else { return }
    checkMisplacedKeys()
    guard bundle.kind.isOfferedByRule else { return }
    guard list.value(at: Self.rulePath) != nil else {
      find(
        .ruleMissing, at: ["NSExtension", "NSExtensionAttributes"],
        "the \(bundle.kind.title) has no `NSExtensionActivationRule`, so it is never offered")
      return
    }
    checkConstantRule()
    let takesStrangers = checkStrangers()
    checkPrefixedTypes(takesStrangers: takesStrangers)
    checkRuleTypes()
  }

  private mutating func checkConstantRule() {
    guard case .predicate(let predicate)? = info.appExtension?.activationRule else { return }
    if predicate.description == "FALSEPREDICATE" {
      find(
        .ruleValue, at: Self.rulePath,
        "the rule is `FALSEPREDICATE`, so the extension is never offered")
    }
    if predicate.states(true) {
      find(
        .ruleUnconditional, at: Self.rulePath,
        "the rule has `TRUEPREDICATE` in it, and the App Store takes no app with such a rule")
    }
  }

  /// Checks for keys of the rule that stand beside it, or further out.
  private mutating func checkMisplacedKeys() {
    let rule = "NSExtensionActivationRule"
    for path in [[], ["NSExtension"], ["NSExtension", "NSExtensionAttributes"]] as [ListPath] {
      for entry in list.value(at: path)?.dictionary?.entries ?? []
      where entry.key.hasPrefix("NSExtensionActivation") && (entry.key != rule || path.count < 2) {
        let place = entry.key == rule ? "`NSExtensionAttributes`" : "`\(rule)`"
        find(
          .ruleMisplaced, at: path + [.key(entry.key)],
          "the key `\(entry.key)` is outside of \(place), so it has no effect")
      }
    }
  }

  /// Reports a predicate that takes items of types that it does not name: under a policy, it takes those of managed
  /// apps, too.
  ///
  /// - Returns: Whether the rule takes such items.
  private mutating func checkStrangers() -> Bool {
    guard let rule = info.appExtension?.activationRule else { return false }
    var trial = RuleTrial(rule, types: types)
    guard trial.takesStrangers() == true else { return false }
    // A dictionary that counts attachments of every kind means it, and `TRUEPREDICATE` is a finding of its own.
    guard case .predicate(let predicate) = rule, !predicate.states(true) else { return true }
    let counts = rule.countsOfNothing.map { "`\($0)`" }
    // A pattern may be meant for any type.
    guard !counts.isEmpty || rule.typePatterns.isEmpty else { return true }
    let cause =
      counts.isEmpty
      ? ""
      : ": \(Phrase.all(of: counts)) \(counts.count == 1 ? "is" : "are") true where nothing matches"
    find(
      .ruleUnnamed, at: Self.rulePath, "the rule takes items of types that it does not name" + cause
    )
    return true
  }

  private mutating func checkPrefixedTypes(takesStrangers: Bool) {
    guard info.intuneSettings?.isOpenInAction != true, let rule = info.appExtension?.activationRule
    else { return }
    let rewritten = (try? rule.rewritten()) ?? rule
    checkMissingTwins(in: rule, rewritten, takesStrangers: takesStrangers)
    checkHiddenTypes(of: rewritten)
  }

  /// Reports the twins that the SDK's configurator would add.
  private mutating func checkMissingTwins(
    in rule: ActivationRule, _ rewritten: ActivationRule, takesStrangers: Bool
  ) {
    guard
      // Variables stay in what is written.
      let text = ActivationRule.read(
        from: list, at: Self.rulePath, settings: BuildSettings()
      ).rule?.rewrittenText
    else { return }
    let missing = Self.missing(from: rule, rewritten)
    // What the rule takes beside the types that it names, it takes from managed apps, too.
    find(
      .ruleUnprefixed, takesStrangers ? .note : unprefixedSeverity, at: Self.rulePath,
      takesStrangers
        ? "the rule lacks \(missing); a policy that restricts sharing does not hide the extension, only because "
          + "the rule takes types that it does not name"
        : "the rule lacks \(missing), so a policy that restricts sharing hides the extension",
      repairs: [.replace(Self.rulePath, with: text)])
  }

  /// Reports types that the configurator leaves hidden: in comparisons with a list, and of the letters of types.
  private mutating func checkHiddenTypes(of rewritten: ActivationRule) {
    var trial = RuleTrial(rewritten, types: types)
    guard let hidden = trial.hiddenTypes() else { return }
    let twins = hidden.map(IntuneTypeAlias.of(_:))
    find(
      .ruleUnprefixed, unprefixedSeverity, at: Self.rulePath,
      "the rule takes \(Self.quoted(hidden)) and not \(Self.quoted(twins)), so a policy that "
        + "restricts sharing hides the extension")
  }

  /// The severity for targets without the SDK; nil, for the rule's own severity, with the SDK.
  private var unprefixedSeverity: Severity? { usesSDK ? nil : .note }

  /// The types that the rewritten rule has beyond the present one, in words.
  private static func missing(
    from rule: ActivationRule, _ rewritten: ActivationRule
  ) -> String {
    let stated = Set(rule.typeIdentifiers.map { $0.lowercased() })
    let added = Set(rewritten.typeIdentifiers.map { $0.lowercased() }).subtracting(stated)
    let twins = rule.typeIdentifiers.map(IntuneTypeAlias.of(_:))
      .filter { added.contains($0.lowercased()) }
    guard !twins.isEmpty else { return "the types of managed apps" }
    return Phrase.first(1, of: twins.map { "`\($0)`" })
  }
}

// MARK: - Open in App

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

// MARK: - Trial

/// An activation rule that is tried on files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary
  /// The work that is left. A rule that names many types is tried often, and each trial takes long: once the work is
  /// exhausted, no more files are tried.
  private(set) var work = Work(elements: 5 * Work.maximumElements)
  /// The cost of a trial beside the rule: types are looked up.
  private static let cost = 20
  /// The number of types that the rule names.
  private let size: Int

  /// The maximum number of types that are tried, the first of them: each trial takes as long as the rule is.
  static let maximumTypes = 100

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
    size = rule.typeIdentifiers.count
  }

  /// Whether the rule takes files that each have all of these types; nil where the work is exhausted.
  mutating func takes(_ selection: FileSelection, of names: [String]) -> Bool? {
    guard !work.isExhausted else { return nil }
    Effort.spend(size)
    let items = ResolvedItems(selection.items(of: names), types: types)
    var own = Work()
    let takes = rule.matches(items, &own)
    work.charge(characters: own.steps)
    work.charge(elements: Self.cost + names.count)
    return own.isExhausted || work.isExhausted ? nil : takes
  }

  /// Whether the rule takes a file of a type that it does not name, and that conforms to none; nil where the work is
  /// exhausted.
  fileprivate mutating func takesStrangers() -> Bool? {
    takes("example.sluice.unnamed")
  }

  /// Whether the rule takes one or several files of the type; nil where the work is exhausted.
  mutating func takes(_ type: String) -> Bool? {
    for selection in FileSelection.all {
      guard let takes = takes(selection, of: [type]) else { return nil }
      if takes { return true }
    }
    return false
  }

  /// The least numbers of files of the type, beyond a single one, that the rule takes together and apart.
  fileprivate mutating func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in
      numbers.first { takes($0, of: [type]) == true }
    }
  }
}

extension RuleTrial {
  /// The types of a file that the rule takes, but no longer once the types carry the prefix of the Intune App SDK;
  /// nil where no such file is found.
  ///
  /// The trial takes files of each type that the rule names, a file of all of them, and where the rule looks at the
  /// letters of types, files of the types that the system and the app declare.
  mutating func hiddenTypes() -> [String]? {
    let named = Self.plain(rule.typeIdentifiers)
    let patterns = rule.typePatterns
    let declared = patterns.isEmpty ? [] : types.declarations.map(\.identifier)
    // Wild cards match themselves, so without its escapes a pattern is mostly a type of its kind.
    let spelled = Self.plain(patterns.map { $0.filter { $0 != "\\" } })
    return hidden(among: named.prefix(Self.maximumTypes).map { [$0] }, in: FileSelection.all)
      ?? hidden(among: declared.map { [$0] }, in: [.together(1)])
      ?? hidden(
        among: spelled.prefix(Self.maximumTypes).map { [$0] } + [named], in: FileSelection.all)
  }

  private mutating func hidden(
    among candidates: [[String]], in selections: [FileSelection]
  ) -> [String]? {
    candidates.first { names in
      let twins = names.map(IntuneTypeAlias.of(_:))
      return selections.contains { takes($0, of: names) == true && takes($0, of: twins) == false }
    }
  }

  private static func plain(_ types: [String]) -> [String] {
    types.filter { !$0.isEmpty && !IntuneTypeAlias.isTwin($0) }
  }
}

/// One to four files as people share them.
enum FileSelection: Sendable {
  /// All of them in one item.
  case together(Int)
  /// Each in an item of its own.
  case apart(Int)

  static let all = [FileSelection.together(1)] + several.flatMap { $0 }

  /// Two to four files, first together, then apart.
  static let several: [[FileSelection]] = [
    [.together(2), .together(3), .together(4)], [.apart(2), .apart(3), .apart(4)],
  ]

  /// - Parameter types: The types of each file.
  func items(of types: [String]) -> [SharedItem] {
    let file = SharedAttachment(registeredTypeIdentifiers: types)
    switch self {
    case .together(let count):
      return [SharedItem(attachments: Array(repeating: file, count: count))]
    case .apart(let count):
      return Array(repeating: SharedItem(attachments: [file]), count: count)
    }
  }

  /// The noun for the selection in messages.
  var noun: String {
    switch self {
    case .together(1), .apart(1): "one file"
    case .together(let count): "\(Self.word(for: count)) files"
    case .apart(let count): "\(Self.word(for: count)) items of a file each"
    }
  }

  private static func word(for count: Int) -> String {
    switch count {
    case 2: "two"
    case 3: "three"
    case 4: "four"
    default:  // open: any other count
      "\(count)"
    }
  }
}
