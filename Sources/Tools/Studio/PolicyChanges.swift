internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Policy

// The comparison of a draft with its saved file, or with a policy of another file.

extension Workbench {
  /// Returns the policy to compare with; nil if there is none.
  ///
  /// - Parameter other: 0 for the saved file, otherwise the place among ``references``, from 1.
  func compared(_ other: Int, with index: PolicyIndex) -> PolicyDocument? {
    guard other > 0 else { return other == 0 ? original(index) : nil }
    return references.indices.contains(other - 1) ? references[other - 1] : nil
  }

  /// Writes the settings and the answers that differ.
  func writeComparison(of index: PolicyIndex, with other: Int, to writer: inout JSONWriter) {
    let (old, new) = (compared(other, with: index) ?? original(index), document(index))
    writer.strings(
      "others", ["the saved file"] + references.map { "\($0.displayName) (\($0.file))" })
    writer.member("other", other)
    let changed = Set(new.settings.differences(from: old.settings))
    let lines = SettingPage.allCases.flatMap { page in page.lines.map { (page, $0) } }
      .filter { $0.1.settings.contains(where: changed.contains) }
    writer.objects("settings", of: lines) { writer, element in
      let (page, line) = element
      writer.member("page", page.rawValue)
      writer.member("title", line.title)
      writer.member("before", old.settings.words(for: line.settings[0]))
      writer.member("after", new.settings.words(for: line.settings[0]))
    }
    let comparison = comparison(of: old, with: new)
    writer.member("changedAnswers", comparison.differenceCount)
    writer.objects("differences", of: comparison.differences) { writer, difference in
      writer.member("section", difference.section)
      writer.member("title", difference.title)
      if difference.states != new.states {
        writer.strings("states", difference.states.map(\.title))
      }
      writer.member("before", difference.before.rawValue)
      writer.member("after", difference.after.rawValue)
    }
  }

  /// Returns the comparison as one HTML page to send, as JSON with a final line break; nil if there is no such
  /// policy. The page is that of `sluice policy diff`.
  package func comparisonPage(of index: PolicyIndex, with other: Int) -> String? {
    guard let old = compared(other, with: index) else { return nil }
    let draft = drafts[index.draft]
    var new = draft.located[index.policy]
    if other == 0, draft.isChanged { new.displayName += " (changed)" }
    let name = draft.file.split(separator: "/").last.map(String.init) ?? "policy"
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    return JSONWriter.objectLine { writer in
      writer.member("name", "\(stem)-compared.html")
      writer.member("html", PolicySetComparison.Pair(old, new).html())
    }
  }
}
