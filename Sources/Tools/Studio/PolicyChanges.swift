internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Policy

// The comparison of a draft with its saved file, with another open policy, or with a policy of another file.

extension Workbench {
  /// A policy to compare with.
  private struct Other {
    /// 0 for the saved file. The places among ``references`` follow, and then those among ``policies``.
    var number: Int
    var title: String
    var document: PolicyDocument
  }

  /// Returns the policies with which a policy can be compared, in the order of the page's list.
  private func others(for index: PolicyIndex) -> [Other] {
    let saved = Other(number: 0, title: "the saved file", document: original(index))
    let open = policies.enumerated().filter { $0.element != index }.map { place, other in
      let draft = drafts[other.draft]
      var document = draft.located[other.policy]
      let isChanged = draft.isChanged(policy: other.policy)
      let title = "\(document.displayName) (\(document.file))"
      if isChanged { document.displayName += " (changed)" }
      return Other(
        number: references.count + 1 + place,
        title: isChanged ? "\(title), with its changes" : title, document: document)
    }
    let files = references.enumerated().map { place, document in
      Other(
        number: 1 + place, title: "\(document.displayName) (\(document.file))", document: document)
    }
    return [saved] + open + files
  }

  /// Writes the settings and the answers that differ.
  ///
  /// - Parameter other: The number of the other policy. A number that no policy has stands for the saved file.
  func writeComparison(of index: PolicyIndex, with other: Int, to writer: inout JSONWriter) {
    let others = others(for: index)
    // After a reload, or for another policy, the number may be that of no other policy.
    let chosen = others.first { $0.number == other } ?? others[0]
    let (old, new) = (chosen.document, document(index))
    writer.objects("others", of: others) { writer, other in
      writer.member("number", other.number)
      writer.member("title", other.title)
    }
    writer.member("other", chosen.number)
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
    guard let old = others(for: index).first(where: { $0.number == other })?.document else {
      return nil
    }
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
