internal import Encodings
package import Output
internal import Policy

/// The page of a share sheet: the sheet as a phone draws it, and every destination with its reasons.

extension Sheet {
  /// Returns the sheet as one self-contained HTML page without scripts.
  package func html() -> String {
    HTMLWriter.page(
      title: "Share sheet of \(sharing.senderName)",
      lead: [headline, sharing.headline, sharing.offer].compactMap(\.self), style: Self.style
    ) { writer in
      writer.element("div", [("class", "beside")]) { writer in
        writePhone(to: &writer)
        writer.element("div", [("class", "tables")]) { writer in
          for visibility in SheetDestination.Visibility.allCases { write(visibility, to: &writer) }
        }
      }
    }
  }

  /// The answer in words: `Shown: 5 of 12 destinations; 1 of them gets unreadable data.`
  private var headline: String {
    let encrypted = destinations.count { $0.visibility == .encrypted }
    let shown = destinations.count { $0.visibility != .hidden }
    let rest =
      switch encrypted {
      case 0: ""
      case 1: "; 1 of them gets unreadable data"
      default: "; \(encrypted) of them get unreadable data"  // open: any other number
      }
    return "Shown: \(shown) of \(destinations.count.counting("destination"))\(rest)."
  }

  private static let style = """
    header p:first-of-type { font-size: 1.15em }
    .beside { display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start }
    .tables { flex: 1 1 30em; min-width: 0 }
    .phone { flex: 0 0 auto; box-sizing: border-box; width: 390px; max-width: 100%; margin: 1em 0; padding: 1em;
      border: 10px solid var(--faint); border-radius: 44px; background: var(--panel) }
    .phone h2 { margin: 0 0 .5em; font-size: 1em; text-align: center }
    .phone h3 { margin: 1.2em 0 .3em; color: var(--faint) }
    .phone ul { list-style: none; margin: 0; padding: 0 }
    .phone ul.icons { display: grid; grid-template-columns: repeat(4, 1fr); gap: .8em .4em; padding: .8em 0;
      border-top: 1px solid var(--line) }
    .phone ul.icons li { text-align: center; font-size: .85em; line-height: 1.3 }
    .phone ul.rows { border: 1px solid var(--line); border-radius: 12px; background: var(--paper) }
    .phone ul.rows li { padding: .5em .8em; border-bottom: 1px solid var(--line) }
    .phone ul.rows li:last-child { border-bottom: 0 }
    .phone ul.absent li { display: grid; grid-template-columns: 34px 1fr; gap: 0 .6em; margin: .5em 0 }
    .phone ul.absent small { grid-column: 2 }
    .phone del { color: var(--blocked) }
    .icon { display: block; width: 56px; height: 56px; line-height: 56px; margin: 0 auto .3em; border-radius: 13px;
      color: #fff; font-size: 24px; font-weight: 600; text-align: center }
    .absent .icon { grid-row: span 2; width: 32px; height: 32px; line-height: 32px; margin: 0; border-radius: 8px;
      font-size: 15px }
    .phone .encrypted { font-weight: 600 }
    table { margin: 1em 0 }
    .shown th[scope=row], .shown caption { color: var(--allowed) }
    table.encrypted th[scope=row], table.encrypted caption { color: var(--encrypted) }
    .hidden th[scope=row], .hidden caption { color: var(--blocked) }
    table.encrypted { color: inherit }
    @media print { body { font-size: 10px } .phone { break-inside: avoid } }
    """

  // MARK: Phone

  /// Draws the sheet: the item, the shown apps and extensions as icons, the shown actions as rows, and the hidden
  /// destinations struck through.
  private func writePhone(to writer: inout HTMLWriter) {
    let shown = destinations.filter { $0.visibility != .hidden }
    writer.element("section", [("class", "phone"), ("aria-label", "The share sheet on a phone")]) {
      writer in
      writer.element("h2", text: sharing.contents.map(\.name).joined(separator: ", "))
      let icons = shown.filter(\.isIcon)
      if !icons.isEmpty {
        writer.element("ul", [("class", "icons")]) { writer in
          for destination in icons {
            writer.element("li") { writer in
              writeIcon(of: destination, to: &writer)
              writeTitle(of: destination, to: &writer)
            }
          }
        }
      }
      let rows = shown.filter { !$0.isIcon }
      if !rows.isEmpty {
        writer.element("ul", [("class", "rows")]) { writer in
          for destination in rows {
            writer.element("li") { writeTitle(of: destination, to: &$0) }
          }
        }
      }
      if shown.isEmpty { writer.element("p", text: "The sheet is empty.") }
      writeAbsent(destinations.filter { $0.visibility == .hidden }, to: &writer)
    }
  }

  private func writeTitle(of destination: SheetDestination, to writer: inout HTMLWriter) {
    writer.element("span", text: destination.title)
    guard destination.visibility == .encrypted else { return }
    writer.element(
      "small", [("class", "encrypted")],
      text: "\(destination.visibility.symbol) arrives encrypted")
  }

  private func writeAbsent(_ hidden: [SheetDestination], to writer: inout HTMLWriter) {
    guard !hidden.isEmpty else { return }
    writer.element("h3", text: "Not in the sheet")
    writer.element("ul", [("class", "absent")]) { writer in
      for destination in hidden {
        writer.element("li") { writer in
          writeIcon(of: destination, to: &writer)
          writer.element("del", text: destination.title)
          // The policies' reason, if they hide it as well.
          if let cause = destination.causes.last {
            writer.line("small") { $0.prose(destination.sentence(for: cause)) }
          }
        }
      }
    }
  }

  private func writeIcon(of destination: SheetDestination, to writer: inout HTMLWriter) {
    let glyph = destination.glyph
    writer.element(
      "span",
      [
        ("class", "icon"), ("aria-hidden", "true"),
        ("style", "background: hsl(\(glyph.hue) 60% 30%)"),
      ], text: glyph.initial)
  }

  // MARK: Tables

  /// Writes a table of the destinations that have this visibility; nothing if there are none.
  private func write(_ visibility: SheetDestination.Visibility, to writer: inout HTMLWriter) {
    let some = destinations.filter { $0.visibility == visibility }
    guard !some.isEmpty else { return }
    writer.element("table", [("class", visibility.rawValue)]) { writer in
      writer.element("caption", text: "\(visibility.symbol) \(visibility.heading)")
      writer.element("thead") { writer in
        writer.element("tr") { writer in
          for head in ["Destination", "Kind", "Why"] {
            writer.element("th", [("scope", "col")], text: head)
          }
        }
      }
      writer.element("tbody") { writer in
        for destination in some { write(destination, to: &writer) }
      }
    }
  }

  private func write(_ destination: SheetDestination, to writer: inout HTMLWriter) {
    writer.element("tr") { writer in
      writer.element("th", [("scope", "row")]) { writer in
        writer.element("div", text: destination.title)
        if let bundle = destination.bundleID { writer.element("small", text: bundle) }
      }
      writer.element("td", text: destination.kindText)
      writer.element("td") { writer in
        for cause in destination.causes {
          writer.element("div", text: cause.code)
          writer.line("small") { $0.prose(destination.sentence(for: cause)) }
        }
        writer.element("details") { writer in
          writer.element("summary", text: "Rules and findings")
          writer.element("pre", [("tabindex", "0")], text: explanation(of: destination))
        }
      }
    }
  }
}

extension SheetDestination {
  /// Whether the sheet shows the destination as an icon; other destinations are rows below.
  package var isIcon: Bool {
    switch kind {
    case .openIn, .shareExtension, .copyTo: true
    case .actionExtension, .builtIn: false
    }
  }

  /// The icon of the destination: the initial and the colour of the app, or of the system's action.
  package var glyph: AppGlyph {
    let prefix = "Open in "
    let appName =
      switch kind {
      case .openIn: title.hasPrefix(prefix) ? String(title.dropFirst(prefix.count)) : title
      case .shareExtension, .copyTo, .actionExtension: name
      case .builtIn: title
      }
    return AppGlyph(of: appName)
  }
}

extension Sharing.Content {
  fileprivate var name: String { fileName ?? types.first ?? "" }
}

extension SheetDestination.Visibility {
  fileprivate var heading: String {
    switch self {
    case .shown: "Shown"
    case .encrypted: "Shown, arrives encrypted"
    case .hidden: "Hidden"
    }
  }
}
