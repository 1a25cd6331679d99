internal import HTML
internal import Model
internal import Policy

extension PolicyComparison {
  /// The number of kinds of flows for each change, such as `Become possible: 7 kinds of flows`.
  var counts: [String] {
    guard !isSameBehaviour else { return ["Every flow is decided alike"] }
    return headings.map { title, flows in
      "\(title): \(flows.count) \(flows.count == 1 ? "kind" : "kinds") of flows"
    }
  }

  /// Writes a table of the settings that differ, with their effect.
  func writeSettings(to writer: inout HTMLWriter) {
    let rows = settingRows
    guard !rows.isEmpty else { return }
    writer.table(caption: "Settings that differ", columns: Self.columns) { writer in
      for row in rows {
        writer.row(row[0], of: "setting") { writer in
          for (column, text) in zip(Self.columns, row).dropFirst() {
            writer.element("td", [("data-column", column)], text: text)
          }
        }
      }
    }
  }

  private static let columns = ["Setting", "A", "B", "Effect"]

  private var settingRows: [[String]] {
    var causes: [SettingDifference] = []
    for cause in flows.flatMap(\.causes) where !causes.contains(cause) { causes.append(cause) }
    let kinds: [([SettingDifference], String)] = [
      (causes, "changes flows"),
      (balanced.map(\.setting), "acts together with others: no flow changes"),
      (storage.map { [$0.setting] } ?? [], storageEffect),
      (inert, "no flow depends on it in either policy"),
      (requirements, "access and conditional launch"),
    ]
    let settings = kinds.flatMap { differences, effect in
      differences.map { difference in
        let values = [difference.old, difference.new].map { "\($0.words) (\($0.source))" }
        return [difference.label] + values + [effect]
      }
    }
    return settings + targeting.map { [$0.label, $0.old, $0.new, "whom the policy is for"] }
  }

  private var storageEffect: String {
    guard let storage else { return "" }
    return
      "no flow changes. A: \(StorageDifference.words(storage.old)); B: \(StorageDifference.words(storage.new))"
  }

  /// Writes every flow that changes, with its example.
  func writeFlows(to writer: inout HTMLWriter) {
    for (title, flows) in headings {
      let paragraphs = FlowParagraph.all(flows)
      writer.element("h3", text: title)
      writer.element("ul") { writer in
        for paragraph in paragraphs {
          writer.element("li") { paragraph.write(to: &$0) }
        }
      }
    }
  }
}

extension FlowParagraph {
  fileprivate func write(to writer: inout HTMLWriter) {
    let example = flows[0]
    writer.element("div", text: head)
    writer.element("small", text: "By \(causes.map(\.label).joined(separator: ", "))")
    writer.element(
      "small",
      text: "For example \(example.old.request.endsText), \(example.old.request.detailText)")
    writer.element("small", text: "A \(example.old.text)")
    writer.element("small", text: "B \(example.new.text)")
  }
}
