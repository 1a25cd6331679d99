internal import Activation
internal import Foundation
internal import UniformTypes

// This benchmark measures activation rules: `activation-bench PLIST…` prints the median time in
// microseconds for each extension's property list. It is measured over items that match the rule,
// and over items that do not.

/// The shared items: an image, a movie, a page, a document and five photos.
let shares: [[SharedItem]] = [
  [SharedItem(types: ["public.jpeg", "public.url"])],
  [SharedItem(types: ["com.apple.quicktime-movie"])],
  [SharedItem(types: ["public.url"], ["com.apple.property-list"])],
  [SharedItem(types: ["com.adobe.pdf", "public.file-url"])],
  [
    SharedItem(
      types: ["public.heic"], ["public.heic"], ["public.heic"], ["public.jpeg"], ["public.png"])
  ],
]

func rule(in path: String) throws -> ActivationRule? {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
  let attributes =
    (list?["NSExtension"] as? [String: Any])?["NSExtensionAttributes"] as? [String: Any]
  if let text = attributes?["NSExtensionActivationRule"] as? String {
    return .predicate(try Predicate(parsing: text))
  }
  guard let entries = attributes?["NSExtensionActivationRule"] as? [String: Any] else { return nil }
  return .dictionary(
    DictionaryRule(
      values: entries.map { key, value in
        .init(key: key, value: (value as? Int).map { .integer($0) } ?? .other("another value"))
      }))
}

/// Returns the median of 15 rounds in microseconds per evaluation, and the number of matches.
func median(_ repetitions: Int, _ question: () -> Bool) -> (Double, matches: Int) {
  var matches = 0
  let rounds = (0..<15).map { _ in
    let time = ContinuousClock().measure {
      for _ in 0..<repetitions where question() { matches += 1 }
    }
    return Double(time.components.attoseconds) / 1e12 / Double(repetitions)
  }
  return (rounds.sorted()[7], matches)
}

func report(_ name: String, _ share: Int, _ figure: (microseconds: Double, matches: Int)) {
  let verdict = figure.matches > 0 ? "matches" : "differs"
  print(
    "RESULT activation rule=\(name) share=\(share) \(verdict) us=\((figure.microseconds * 1000).rounded() / 1000)"
  )
}

for path in CommandLine.arguments.dropFirst() {
  guard let rule = try rule(in: path) else { continue }
  let name = path.split(separator: "/").last.map(String.init) ?? path
  for (number, items) in shares.enumerated() {
    report(name, number, median(20_000) { rule.matches(items, types: .system) })
    let resolved = ResolvedItems(items, types: .system)
    report(name + "(resolved)", number, median(20_000) { rule.matches(resolved) })
  }
}
