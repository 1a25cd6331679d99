internal import Activation
internal import Diagnostics
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
