internal import UniformTypes

extension DictionaryRule {
  func matches(_ items: ResolvedItems) -> Bool {
    guard !items.items.isEmpty else { return false }
    let hasKinds = limits.version == 1 ? supportsEvery(items) : supportsSome(items)
    return hasKinds && items.items.allSatisfy { isWithinLimits($0, items) }
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
    limits.supportsAnything
      || limits.maxima.keys.contains { isOf($0, attachment, items) }
  }

  private func isWithinLimits(_ item: Range<Int>, _ items: ResolvedItems) -> Bool {
    item.count <= limits.mostAttachments ?? Int.max
      && item.count >= limits.leastAttachments ?? 0
      && limits.maxima.allSatisfy { kind, maximum in
        maximum == Int.max || count(of: kind, in: item, items) <= maximum
      }
  }

  /// How many attachments of the item count against the maximum of `kind`.
  func count(of kind: AttachmentKind, in item: Range<Int>, _ items: ResolvedItems) -> Int {
    item.reduce(0) { count, attachment in
      count + (isCounted(as: kind, items.attachments[attachment], items) ? 1 : 0)
    }
  }

  /// Whether the attachment counts against the maximum of `kind`.
  func isCounted(
    as kind: AttachmentKind, _ attachment: Range<Int>, _ items: ResolvedItems
  ) -> Bool {
    guard isOf(kind, attachment, items) else { return false }
    return kind != .file
      || !limits.maxima.keys.contains { $0 != .file && isOf($0, attachment, items) }
  }

  private func isOf(
    _ kind: AttachmentKind, _ attachment: Range<Int>, _ items: ResolvedItems
  ) -> Bool {
    let types = kind.types
    return isAny(attachment, of: types.sufficient, items)
      || isAny(attachment, of: types.accepted, items)
        && !isAny(attachment, of: types.refused, items)
  }

  private func isAny(
    _ attachment: Range<Int>, of references: [TypeReference], _ items: ResolvedItems
  ) -> Bool {
    references.contains { reference in
      attachment.contains { type in
        limits.isStrict
          ? items.library.equals(items.types[type], reference)
          : items.conforms(type, to: reference)
      }
    }
  }
}
