internal import Activation
internal import Analysis
internal import HTML
internal import Model
internal import Policy

extension Sheet {
  /// The sheet as one HTML page without script or other files.
  package func html() -> String {
    HTMLWriter.page(
      title: "Share sheet of \(sharing.senderName)",
      lead: [sharing.headline, sharing.offer].compactMap(\.self), style: Self.style
    ) { writer in
      for visibility in SheetDestination.Visibility.allCases { write(visibility, to: &writer) }
    }
  }

  private static let style = """
    table { margin: 1em 0 }
    .shown th[scope=row], .shown caption { color: var(--allowed) }
    .encrypted th[scope=row], .encrypted caption { color: var(--encrypted) }
    .hidden th[scope=row], .hidden caption { color: var(--blocked) }
    table.encrypted { color: inherit }
    @media print { body { font-size: 10px } }
    """

  /// Writes a table of the destinations of a visibility, where there are any.
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
          writer.element("small", text: destination.sentence(for: cause))
        }
        writer.element("details") { writer in
          writer.element("summary", text: "everything")
          writer.element("pre", text: explanation(of: destination))
        }
      }
    }
  }
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
