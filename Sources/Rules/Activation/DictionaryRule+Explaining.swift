extension DictionaryRule {
  func explain(_ items: ResolvedItems) -> ActivationExplanation {
    let holds = matches(items)
    var parts = [explainKinds(items)]
    parts += AttachmentKind.allCases.compactMap { explainMaximum(of: $0, items) }
    parts += explainNumbers(items)
    // All decide, because all hold, or the first that fails.
    let first = parts.firstIndex { $0.verdict == .fails }
    for place in parts.indices where !holds && place != first { parts[place].undecide() }
    let matching = limits.isStrict ? ", strict matching" : ""
    return ActivationExplanation(
      text: "dictionary of version \(limits.version)\(matching)",
      verdict: ActivationExplanation.Verdict(holds),
      detail: items.items.isEmpty ? "nothing is shared" : nil, decides: true, parts: parts)
  }

  private func explainKinds(_ items: ResolvedItems) -> ActivationExplanation {
    let isEvery = limits.version == 1
    let nouns = AttachmentKind.allCases.filter { limits.maxima[$0] != nil }.map(\.noun)
    let names =
      limits.supportsAnything
      ? "anything" : nouns.isEmpty ? "nothing" : nouns.joined(separator: ", ")
    let holds = isEvery ? !items.items.isEmpty && supportsEvery(items) : supportsSome(items)
    let attachments = items.attachments.indices.map { place in
      let isSupported = isSupported(items.attachments[place], items)
      return ActivationExplanation(
        text: items.name(ofAttachment: place),
        verdict: ActivationExplanation.Verdict(isSupported),
        detail: kinds(of: items.attachments[place], items),
        decides: isEvery ? holds || !isSupported : !holds || isSupported)
    }
    return ActivationExplanation(
      text: "\(isEvery ? "every" : "some") attachment is supported: \(names)",
      verdict: ActivationExplanation.Verdict(holds), decides: true, parts: attachments)
  }

  /// The rule's kinds that the attachment is of, in words; nil where the rule names none.
  private func kinds(of attachment: Range<Int>, _ items: ResolvedItems) -> String? {
    if limits.supportsAnything { return nil }
    let kinds = AttachmentKind.allCases.filter { kind in
      limits.maxima[kind] != nil && isCounted(as: kind, attachment, items)
    }
    return kinds.isEmpty ? "of no such kind" : kinds.map(\.noun).joined(separator: ", ")
  }

  private func explainMaximum(
    of kind: AttachmentKind, _ items: ResolvedItems
  ) -> ActivationExplanation? {
    guard let maximum = limits.maxima[kind], maximum != Int.max else { return nil }
    let counts = items.items.map { count(of: kind, in: $0, items) }
    let most = counts.max() ?? 0
    return ActivationExplanation(
      text: "`\(kind.key)` is \(maximum)",
      verdict: ActivationExplanation.Verdict(most <= maximum), detail: "\(kind.noun): \(most)",
      decides: true)
  }

  private func explainNumbers(_ items: ResolvedItems) -> [ActivationExplanation] {
    let counts = items.items.map(\.count)
    let most = limits.mostAttachments.map { limit in
      ActivationExplanation(
        text: "`\(Self.mostKey)` is \(limit)",
        verdict: ActivationExplanation.Verdict(counts.allSatisfy { $0 <= limit }),
        detail: "attachments: \(counts.max() ?? 0)", decides: true)
    }
    let least = limits.leastAttachments.map { limit in
      ActivationExplanation(
        text: "`\(Self.leastKey)` is \(limit)",
        verdict: ActivationExplanation.Verdict(counts.allSatisfy { $0 >= limit }),
        detail: "attachments: \(counts.min() ?? 0)", decides: true)
    }
    return [most, least].compactMap { $0 }
  }
}

extension ActivationExplanation {
  /// Marks this part and all parts within it as not deciding.
  fileprivate mutating func undecide() {
    decides = false
    for place in parts.indices { parts[place].undecide() }
  }
}
