internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy

// The comparison of a draft with its saved file, with another open policy, or with a policy of another file.

extension Workbench {
  /// A policy with which the page's policy can be compared.
  private struct Other {
    /// The policy's number: 0 for the saved file, 1 to n for the n ``references``, and from n + 1 for the ``policies``.
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

  /// Two policies, their names and their differences.
  fileprivate struct Differences {
    var number: Int
    /// The names of both policies for headings.
    var titles: (old: String, new: String)
    var settings: [ComparisonSummary.SettingChange]
    var comparison: FlowMatrixComparison
    var sentences: [String]
  }

  private func differences(of index: PolicyIndex, with other: Other) -> Differences {
    let (old, new) = (other.document, document(index))
    let isChanged = drafts[index.draft].isChanged(policy: index.policy)
    let comparison = comparison(of: old, with: new)
    let name = isChanged ? "the draft of \(new.displayName)" : new.displayName
    let settings = ComparisonSummary.SettingChange.all(from: old, to: new)
    return Differences(
      number: other.number,
      titles: (
        other.number == 0 ? "\(old.displayName), saved file" : other.title,
        isChanged ? "\(new.displayName), draft" : "\(new.displayName) (\(new.file))"
      ),
      settings: settings, comparison: comparison,
      sentences: ComparisonSummary(comparison, settings, of: name, new).sentences)
  }

  /// Writes the settings and the answers that differ.
  ///
  /// - Parameter other: The number of the other policy. An unknown number selects the saved file.
  func writeComparison(of index: PolicyIndex, with other: Int, to writer: inout JSONWriter) {
    let others = others(for: index)
    // After a reload or a change of policy, the number might be outdated.
    let chosen = others.first { $0.number == other } ?? others[0]
    let differences = differences(of: index, with: chosen)
    writer.objects("others", of: others) { writer, other in
      writer.member("number", other.number)
      writer.member("title", other.title)
    }
    writer.member("other", differences.number)
    writer.strings("sides", [differences.titles.old, differences.titles.new])
    writer.strings("summary", differences.sentences)
    writer.objects("settings", of: differences.settings) { writer, setting in
      writer.member("page", setting.page.rawValue)
      writer.member("title", setting.title)
      writer.member("before", setting.before)
      writer.member("after", setting.after)
    }
    let comparison = differences.comparison
    writer.member("changedAnswers", comparison.changed.count)
    writer.objects("differences", of: comparison.differences) { writer, difference in
      writer.member("section", difference.section.title)
      writer.member("title", difference.title)
      if difference.states != comparison.after.states {
        writer.strings("states", difference.states.map(\.title))
      }
      writer.member("before", difference.before.rawValue)
      writer.member("after", difference.after.rawValue)
    }
  }

  /// Returns the comparison as an HTML page, with the page's file name, in JSON with a final line break. Nil if there
  /// is no such policy. The page begins with sentences for readers who do not know the tables.
  package func comparisonPage(of index: PolicyIndex, with other: Int) -> String? {
    guard let old = others(for: index).first(where: { $0.number == other }) else { return nil }
    let differences = differences(of: index, with: old)
    let name = drafts[index.draft].file.split(separator: "/").last.map(String.init) ?? "policy"
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    return JSONWriter.objectLine { writer in
      writer.member("name", "\(stem)-compared.html")
      writer.member("html", differences.html)
    }
  }
}

extension Workbench.Differences {
  fileprivate var html: String {
    let sides = [titles.old, titles.new]
    return HTMLWriter.report(
      title: "\(titles.new): what changes", lead: sentences + ["Compared with: \(titles.old)."]
    ) { writer in
      writer.table(caption: "Settings that differ", columns: ["Setting"] + sides) { writer in
        for setting in settings {
          let page = setting.page.rawValue
          writer.row(setting.title, of: page, note: page) { writer in
            for (side, word) in zip(sides, [setting.before, setting.after]) {
              writer.element("td", [("data-column", side)], text: word ?? "none")
            }
          }
        }
      }
      let all = comparison.differences
      for section in comparison.after.sections.map(\.title) {
        let some = all.filter { $0.section.title == section }
        if !some.isEmpty { write(some, of: section, sides, to: &writer) }
      }
      Legend(of: all.map { "\($0.title) \($0.before.rawValue) \($0.after.rawValue)" })
        .write(to: &writer)
    }
  }

  private func write(
    _ some: [FlowMatrixComparison.Difference], of section: String, _ sides: [String],
    to writer: inout HTMLWriter
  ) {
    writer.table(caption: "Answers that differ: \(section)", columns: ["Flow"] + sides) { writer in
      for difference in some {
        let isAlways = difference.states == comparison.after.states
        writer.row(
          difference.title.replacing(" -> ", with: " → "), of: section,
          note: isAlways ? nil : difference.states.map(\.title).joined(separator: ", ")
        ) { writer in
          for (side, outcome) in zip(sides, [difference.before, difference.after]) {
            writer.element(
              "td", [("class", outcome.rawValue), ("data-column", side)],
              text: "\(outcome.symbol) \(outcome.rawValue)")
          }
        }
      }
    }
  }
}

extension FlowMatrixComparison.Difference {
  fileprivate var title: String { "\(row.name), \(column)" }
}
