@testable import Activation
import UniformTypes

/// A reference implementation of dictionary rules. It is created from the numbers in the test's
/// rule.
struct NaiveDictionary {
  var maxima: [AttachmentKind: Int]
  var most: Int?
  var least: Int?
  var isStrict: Bool
  var version: Int

  var rule: ActivationRule {
    var entries = maxima.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, maximum in
      DictionaryRule.Entry(
        key: kind.key, value: kind == .text ? .boolean(maximum > 0) : .integer(maximum))
    }
    if let most { entries.append(.init(key: DictionaryRule.mostKey, value: .integer(most))) }
    if let least { entries.append(.init(key: DictionaryRule.leastKey, value: .integer(least))) }
    entries.append(.init(key: DictionaryRule.strictKey, value: .boolean(isStrict)))
    entries.append(.init(key: DictionaryRule.versionKey, value: .integer(version)))
    return .dictionary(DictionaryRule(values: entries))
  }

  func matches(_ items: [SharedItem]) -> Bool {
    if items.isEmpty { return false }
    for item in items {
      if let most, most > 0, item.attachments.count > most { return false }
      if let least, item.attachments.count < least { return false }
      for (kind, maximum) in maxima where maximum > 0 && kind != .text {
        let others = maxima.filter { $0.key != .file && $0.value > 0 }.keys
        let counted = item.attachments.filter { attachment in
          isOf(kind, attachment) && !(kind == .file && others.contains { isOf($0, attachment) })
        }
        if counted.count > maximum { return false }
      }
    }
    if version == 1 {
      return items.allSatisfy { !$0.attachments.isEmpty && $0.attachments.allSatisfy(isSupported) }
    }
    return items.contains { $0.attachments.contains(where: isSupported) }
  }

  private func isSupported(_ attachment: SharedAttachment) -> Bool {
    if maxima.isEmpty { return (most ?? 0) > 0 || (least ?? 0) > 0 }
    return maxima.contains { $0.value > 0 && isOf($0.key, attachment) }
  }

  private func isOf(_ kind: AttachmentKind, _ attachment: SharedAttachment) -> Bool {
    func has(_ type: String) -> Bool {
      attachment.registeredTypeIdentifiers.contains {
        isStrict
          ? $0.lowercased() == type : NaiveRule.conforms($0, to: type, .system)
      }
    }
    switch kind {
    case .image: return has("public.image")
    case .movie: return has("public.movie")
    case .text: return has("public.text")
    case .webURL: return has("public.url") && !has("public.file-url")
    case .webPage:
      return has("com.apple.active-webpage") || has("com.apple.property-list")
        || has("com.apple.webarchive")
    case .file:
      return has("public.file-url")
        || (has("public.data") || has("public.directory")) && !has("public.url")
    }
  }
}
