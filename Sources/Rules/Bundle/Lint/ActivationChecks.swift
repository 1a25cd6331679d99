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
        "the rule contains `TRUEPREDICATE`, but the App Store rejects apps with such a rule")
    }
  }

  /// Reports keys of dictionary rules that are outside of the rule's dictionary.
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

  /// Reports a predicate that accepts types that it does not name. Such a predicate also accepts
  /// items of managed apps under a policy.
  ///
  /// - Returns: Whether the rule accepts types that it does not name, including unreported cases.
  private mutating func checkStrangers() -> Bool {
    guard let rule = info.appExtension?.activationRule else { return false }
    var trial = RuleTrial(rule, types: types)
    guard trial.takesStrangers() == true else { return false }
    // A dictionary that counts all kinds of attachments is deliberate; `TRUEPREDICATE` has its own
    // finding.
    guard case .predicate(let predicate) = rule, !predicate.states(true) else { return true }
    let counts = rule.countsOfNothing.map { "`\($0)`" }
    // A pattern may be intended for any type.
    guard !counts.isEmpty || rule.typePatterns.isEmpty else { return true }
    let cause =
      counts.isEmpty
      ? ""
      : ": \(ListFormat.all(of: counts)) \(counts.count == 1 ? "is" : "are") true if nothing matches"
    find(
      .ruleUnnamed, at: Self.rulePath,
      "the rule accepts items of types that it does not name" + cause
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

  /// Reports the twin types that the SDK's configurator would add to the rule.
  private mutating func checkMissingTwins(
    in rule: ActivationRule, _ rewritten: ActivationRule, takesStrangers: Bool
  ) {
    guard
      // Reads the rule again without settings, so variables remain in the replacement.
      let text = ActivationRule.read(
        from: list, at: Self.rulePath, settings: BuildSettings()
      ).rule?.rewrittenText
    else { return }
    let missing = Self.missing(from: rule, rewritten)
    // A rule that accepts types that it does not name also accepts managed apps' types.
    find(
      .ruleUnprefixed, takesStrangers ? .note : unprefixedSeverity, at: Self.rulePath,
      takesStrangers
        ? "the rule lacks \(missing); if a policy restricts sharing, the extension remains visible only because "
          + "the rule accepts types that it does not name"
        : "the rule lacks \(missing), so a policy that restricts sharing hides the extension",
      repairs: [.replace(Self.rulePath, with: text)])
  }

  /// Reports types that remain hidden after the configurator's rewriting: types in comparisons with
  /// a list, and types matched by patterns.
  private mutating func checkHiddenTypes(of rewritten: ActivationRule) {
    var trial = RuleTrial(rewritten, types: types)
    guard let hidden = trial.hiddenTypes() else { return }
    let twins = hidden.map(IntuneTypeAlias.of(_:))
    find(
      .ruleUnprefixed, unprefixedSeverity, at: Self.rulePath,
      "the rule accepts \(Self.quoted(hidden)) but not \(Self.quoted(twins)), so a policy that "
        + "restricts sharing hides the extension")
  }

  /// The severity for targets without the SDK; nil (the default severity) for targets with the SDK.
  private var unprefixedSeverity: Severity? { usesSDK ? nil : .note }

  /// Returns the types that only the rewritten rule names, as text for a message.
  private static func missing(
    from rule: ActivationRule, _ rewritten: ActivationRule
  ) -> String {
    let stated = Set(rule.typeIdentifiers.map { $0.lowercased() })
    let added = Set(rewritten.typeIdentifiers.map { $0.lowercased() }).subtracting(stated)
    let twins = rule.typeIdentifiers.map(IntuneTypeAlias.of(_:))
      .filter { added.contains($0.lowercased()) }
    guard !twins.isEmpty else { return "the types of managed apps" }
    return ListFormat.first(1, of: twins.map { "`\($0)`" })
  }
}

// MARK: - Open in App

/// Checks the requirements of "Open in App".
///
/// Source: Intune App SDK for iOS developer guide, "Sharing data via UIActivityViewController".
extension BundleLinter {
  mutating func checkOpenIn() {
    checkOpenInOfApp()
    guard bundle.isExtension, info.intuneSettings?.isOpenInAction == true else { return }
    if bundle.kind != .actionWithoutInterface {
      find(
        .openInPoint, at: ["NSExtension", "NSExtensionPointIdentifier"],
        "an Open-In extension must be an action without user interface, `com.apple.services`, found "
          + "`\(info.extensionPoint ?? "")`")
    }
    guard let rule = info.appExtension?.activationRule else { return }
    var trial = RuleTrial(rule, types: types)
    let documents = Self.openedTypes(of: app)
    checkCount(&trial, documents)
    guard app != nil else { return }
    checkTypes(&trial, documents)
  }

  /// Checks that an app that opens documents has an Open-In extension, and that an app with such an extension
  /// has a URL scheme.
  private mutating func checkOpenInOfApp() {
    guard bundle.kind == .app, bundle.source.isFolder, info.intuneSettings != nil else { return }
    let extensions = bundle.plugIns.filter { $0.info.intuneSettings?.isOpenInAction == true }
    let documents = Self.openedTypes(of: bundle)
    if extensions.isEmpty, !documents.isEmpty {
      find(
        .openInMissing, at: ["CFBundleDocumentTypes"],
        "the app opens documents, but none of its extensions states `OpenInActionExtension`")
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
        "the rule must accept exactly one file, but accepts "
          + excess.map(\.noun).joined(separator: " and "))
    }
  }

  /// Reports document types that the rule refuses, and types in the rule that are not document types. ``checkCount``
  /// checks the number of files.
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

  /// Returns the document types of an app, without the twins of managed apps.
  private static func openedTypes(of app: AppBundle?) -> [String] {
    let types = app?.info.documentTypes.flatMap(\.contentTypes) ?? []
    var found: Set<String> = []
    return types.filter { !IntuneTypeAlias.isTwin($0) && found.insert($0).inserted }
  }
}

// MARK: - Trials

/// An activation rule, evaluated on sample files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary
  /// The remaining work budget. A rule that names many types needs many expensive trials. Once the
  /// budget is exhausted, no more files are tried.
  private(set) var budget = WorkBudget(elements: 5 * WorkBudget.maximumElements)
  /// The additional cost of a trial, for looking up types.
  private static let cost = 20
  /// The number of types in the rule.
  private let size: Int

  /// Further types are skipped, because the cost of each trial grows with the rule.
  static let maximumTypes = 100

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
    size = rule.typeIdentifiers.count
  }

  /// Returns whether the rule accepts a selection of files if each file has all of these types; nil if the budget is
  /// exhausted.
  mutating func takes(_ selection: FileSelection, of names: [String]) -> Bool? {
    guard !budget.isExhausted else { return nil }
    StepCounter.add(size)
    let items = ResolvedItems(selection.items(of: names), types: types)
    var own = WorkBudget()
    let takes = rule.matches(items, &own)
    budget.consume(characters: own.steps)
    budget.consume(elements: Self.cost + names.count)
    return own.isExhausted || budget.isExhausted ? nil : takes
  }

  /// Returns whether the rule accepts a file of a type that the rule does not name and that conforms to no other type;
  /// nil if the budget is exhausted.
  fileprivate mutating func takesStrangers() -> Bool? {
    takes("example.sluice.unnamed")
  }

  /// Returns whether the rule accepts at least one selection of one to four files of the type; nil if the budget is
  /// exhausted.
  mutating func takes(_ type: String) -> Bool? {
    for selection in FileSelection.all {
      guard let takes = takes(selection, of: [type]) else { return nil }
      if takes { return true }
    }
    return false
  }

  /// Returns the smallest selections of several files that the rule accepts: in one item, and in separate items.
  fileprivate mutating func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in
      numbers.first { takes($0, of: [type]) == true }
    }
  }

  /// Finds a file that the rule accepts, but rejects if the file's types get the prefix of the Intune App SDK.
  ///
  /// - Returns: The types of the file; nil if none is found.
  ///
  /// Tries a file of each type in the rule, and a file with all of these types. If the rule has patterns, also tries a
  /// file of each type that the system or the app declares, and files with the patterns as their types.
  mutating func hiddenTypes() -> [String]? {
    let named = Self.plain(rule.typeIdentifiers)
    let patterns = rule.typePatterns
    let declared = patterns.isEmpty ? [] : types.declarations.map(\.identifier)
    // Wildcards match themselves, so a pattern without escapes usually is a type that it matches.
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

/// A selection of one to four files, grouped into items in the manner of share sheets.
enum FileSelection: Sendable {
  /// All files in one item.
  case together(Int)
  /// Each file in its own item.
  case apart(Int)

  static let all = [FileSelection.together(1)] + several.flatMap { $0 }

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

  var noun: String {
    switch self {
    case .together(1), .apart(1): "one file"
    case .together(let count): "\(Self.word(for: count)) files"
    case .apart(let count): "\(Self.word(for: count)) items with one file each"
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
