internal import Activation
internal import Findings
internal import UniformTypes

/// The activation rule.
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
    checkPrefixedTypes()
  }

  /// Keys of the rule beside it, or further out.
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

  private mutating func checkPrefixedTypes() {
    guard info.intuneSettings?.isOpenInAction != true, let rule = info.appExtension?.activationRule,
      // Variables stay in what is written.
      let text = ActivationRule.read(
        from: list, at: Self.rulePath, settings: BuildSettings()
      ).rule?.rewrittenText
    else { return }
    let isKnownWithoutSDK = !usesSDK && app != nil
    find(
      .ruleUnprefixed, isKnownWithoutSDK ? .note : nil, at: Self.rulePath,
      "the rule lacks \(Self.missing(from: rule)), so a policy that restricts sharing hides the "
        + "extension",
      repairs: [.replace(Self.rulePath, with: text)])
  }

  /// What the rewritten rule has beyond the one that there is.
  private static func missing(from rule: ActivationRule) -> String {
    let stated = Set(rule.typeIdentifiers.map { $0.lowercased() })
    let twins = rule.typeIdentifiers.map(IntuneTwin.of(_:))
      .filter { !stated.contains($0.lowercased()) }
    guard let first = twins.first else { return "the types of managed apps" }
    return twins.count == 1 ? "`\(first)`" : "`\(first)` and \(twins.count - 1) more"
  }
}
