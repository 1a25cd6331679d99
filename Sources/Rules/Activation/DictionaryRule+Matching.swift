extension DictionaryRule {
  func matches(_ items: ResolvedItems) -> Bool {
    guard !items.items.isEmpty else { return false }
    var supportsSome = false
    for item in items.items {
      guard item.count <= limits.mostAttachments ?? Int.max,
        item.count >= limits.leastAttachments ?? 0
      else { return false }
      if limits.version == 1, item.isEmpty { return false }
      var counts = SIMD8<Int32>()
      for attachment in item {
        let kinds = AttachmentKinds(
          of: items.attachments[attachment], items, matching: limits.matching)
        let isSupported = isSupported(kinds)
        if !isSupported, limits.version == 1 { return false }
        supportsSome = supportsSome || isSupported
        let counted = counted(kinds)
        for place in limits.counted.indices where counted.contains(limits.counted[place].kind) {
          counts[place] += 1
        }
      }
      for place in limits.counted.indices where Int(counts[place]) > limits.counted[place].maximum {
        return false
      }
    }
    return supportsSome
  }

  func supportsEvery(_ items: ResolvedItems) -> Bool {
    items.items.allSatisfy { item in
      !item.isEmpty && item.allSatisfy { isSupported(items.attachments[$0], items) }
    }
  }

  func supportsSome(_ items: ResolvedItems) -> Bool {
    items.attachments.contains { isSupported($0, items) }
  }

  func isSupported(_ attachment: Range<Int>, _ items: ResolvedItems) -> Bool {
    isSupported(AttachmentKinds(of: attachment, items, matching: limits.matching))
  }

  private func isSupported(_ kinds: AttachmentKinds) -> Bool {
    limits.supportsAnything || !limits.supported.isDisjoint(with: kinds)
  }

  /// The number of the item's attachments that count against the maximum of `kind`.
  func count(of kind: AttachmentKind, in item: Range<Int>, _ items: ResolvedItems) -> Int {
    item.reduce(0) { count, attachment in
      count + (isCounted(as: kind, items.attachments[attachment], items) ? 1 : 0)
    }
  }

  /// Whether the attachment counts against the maximum of `kind`.
  func isCounted(
    as kind: AttachmentKind, _ attachment: Range<Int>, _ items: ResolvedItems
  ) -> Bool {
    counted(AttachmentKinds(of: attachment, items, matching: limits.matching)).contains(kind)
  }

  /// The kinds that the attachment counts as. A file that another kind of the rule takes is counted there only.
  private func counted(_ kinds: AttachmentKinds) -> AttachmentKinds {
    let file = AttachmentKinds(.file)
    let others = limits.supported.intersection(kinds).subtracting(file)
    return others.isEmpty ? kinds : kinds.subtracting(file)
  }
}
