internal import Activation
internal import Output
internal import Predicates
internal import UniformTypes

/// Checks of an extension's activation rule.
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

  /// Reports keys of activation rules that are in the wrong dictionary, where they have no effect.
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

  /// Reports a predicate that accepts items of types that it does not name. Such a predicate also accepts the items
  /// that managed apps share under a policy.
  ///
  /// - Returns: Whether the rule accepts items of types that it does not name. Some rules do so intentionally, and are
  ///   therefore not reported.
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

  /// Reports the twin types that are missing in the rule: those that the SDK's configurator would add.
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

  /// Reports types whose twins the rule still does not accept after the configurator has rewritten it. The configurator
  /// rewrites neither patterns nor comparisons with a list.
  private mutating func checkHiddenTypes(of rewritten: ActivationRule) {
    var trial = RuleTrial(rewritten, types: types)
    guard let hidden = trial.hiddenTypes() else { return }
    let twins = hidden.map(IntuneTypeAlias.of(_:))
    find(
      .ruleUnprefixed, unprefixedSeverity, at: Self.rulePath,
      "the rule accepts \(Self.quoted(hidden)) but not \(Self.quoted(twins)), so a policy that "
        + "restricts sharing hides the extension")
  }

  /// The severity of findings about missing twins: a note for a bundle without the SDK; nil, for the default severity,
  /// for a bundle with the SDK.
  private var unprefixedSeverity: Severity? { usesSDK ? nil : .note }

  /// Returns the twin types that `rewritten` has in addition to `rule`, as text for a message.
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

/// Checks of apps and extensions that support "Open in App".
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

  /// Reports an app that opens documents but has no Open-In extension, and an app that has one but no URL scheme.
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

  /// Reports document types that the app opens but the rule does not accept, and types in the rule that the app does
  /// not open. Ignores the number of files, which ``checkCount`` checks.
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

  /// Returns the types of the documents that an app opens, without duplicates and without twins.
  private static func openedTypes(of app: AppBundle?) -> [String] {
    let types = app?.info.documentTypes.flatMap(\.contentTypes) ?? []
    var found: Set<String> = []
    return types.filter { !IntuneTypeAlias.isTwin($0) && found.insert($0).inserted }
  }
}

// MARK: - Trials

/// Evaluates an activation rule on sample files.
struct RuleTrial {
  let rule: ActivationRule
  let types: TypeLibrary
  /// The work that may still be done. Rules with many types need many expensive evaluations. Once the budget is
  /// exhausted, no more samples are tried.
  private(set) var budget = WorkBudget(elements: 5 * WorkBudget.maximumElements)
  /// The cost of looking up the types of a sample, in addition to the cost of evaluating the rule.
  private static let cost = 20
  /// The number of types that the rule names.
  private let size: Int

  /// The maximum number of types that are tried. Further types are skipped, because each trial of a large rule is
  /// expensive.
  static let maximumTypes = 100

  init(_ rule: ActivationRule, types: TypeLibrary) {
    self.rule = rule
    self.types = types
    size = rule.typeIdentifiers.count
  }

  /// Returns whether the rule accepts `selection` if each file has all types in `names`; nil if the budget is exhausted.
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

  /// Returns whether the rule accepts a file of an unknown type. The rule does not name this type, and it conforms to
  /// no other type. Returns nil if the budget is exhausted.
  fileprivate mutating func takesStrangers() -> Bool? {
    takes("example.sluice.unnamed")
  }

  /// Returns whether the rule accepts at least one selection of one to four files of the type. Returns nil if the
  /// budget is exhausted.
  mutating func takes(_ type: String) -> Bool? {
    for selection in FileSelection.all {
      guard let takes = takes(selection, of: [type]) else { return nil }
      if takes { return true }
    }
    return false
  }

  /// Finds the smallest selections of several files of the type that the rule accepts: one with all files in one item,
  /// and one with an item for each file. Leaves out a selection if the rule accepts none of that form.
  fileprivate mutating func excess(of type: String) -> [FileSelection] {
    FileSelection.several.compactMap { numbers in
      numbers.first { takes($0, of: [type]) == true }
    }
  }

  /// Finds a file that the rule accepts, but no longer accepts if the Intune App SDK registers it under the twins of
  /// its types.
  ///
  /// Tries a file of each type in the rule, and a file with all of these types. If the rule has patterns, also tries a
  /// file of each type that the system or the app declares, and files with the patterns as their types.
  ///
  /// - Returns: The types of the file; nil if none is found.
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

/// One to four files, in one item or in several, as share sheets pass them to extensions.
enum FileSelection: Sendable {
  /// The associated number of files, all in one item.
  case together(Int)
  /// The associated number of files, each in an item of its own.
  case apart(Int)

  static let all = [FileSelection.together(1)] + several.flatMap { $0 }

  static let several: [[FileSelection]] = [
    [.together(2), .together(3), .together(4)], [.apart(2), .apart(3), .apart(4)],
  ]

  /// Returns the selection as items.
  ///
  /// - Parameter types: The types that each of the files has.
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
