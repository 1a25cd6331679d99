import Encodings
import JSON

extension PolicyView {
  /// The policy as a page of text that ends with a line break: a heading, and per section a line for each label
  /// with its value and the place that states it, or `default`.
  public var text: String {
    var lines = sources.map { "\($0.name) (\($0.file):\($0.position.line))" }
    if lines.count > 1 { lines.insert("The most restrictive values of", at: 0) }
    let rows = sections.flatMap(\.rows)
    let labelWidth = rows.map(\.label.count).max() ?? 0
    let wordsWidth = min(rows.map(\.words.count).max() ?? 0, Self.widestColumn)
    for section in sections {
      lines += ["", section.name]
      for row in section.rows {
        let place = row.placeText
        lines.append(
          "  " + Self.pad(row.label, to: labelWidth) + "  " + Self.pad(row.words, to: wordsWidth)
            + "  " + (place.isEmpty ? "default" : place))
      }
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n"
  }

  /// The widest column of values; longer values push their place to the right.
  private static let widestColumn = 48

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension PolicyView.Row {
  /// The places in short, such as `a.json:4, :5, b.json:9`: a file is named where it changes.
  fileprivate var placeText: String {
    var file: String?
    return places.map { place in
      defer { file = place.file }
      return place.file == file ? ":\(place.line)" : place.description
    }.joined(separator: ", ")
  }
}
