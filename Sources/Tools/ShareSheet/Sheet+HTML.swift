internal import Activation
internal import Analysis
internal import HTML
internal import Model
internal import Policy

extension Sheet {
  /// The sheet as one HTML page without script or other files.
  package func html() -> String {
    var writer = HTMLWriter()
    let title = "Share sheet of \(sharing.senderName)"
    writer.document(title: title, style: Self.style) { writer in
      writer.element("h1", text: title)
      writer.element("p", text: sharing.headline)
      if let offer = sharing.offer { writer.element("p", text: offer) }
      for visibility in SheetDestination.Visibility.allCases { write(visibility, to: &writer) }
    }
    return writer.text
  }

  private static let style = """
    body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #111; background: #fff }
    table { border-collapse: collapse; margin: 1.5em 0; width: 100% }
    caption { text-align: left; font-weight: bold; padding: .3em 0 }
    th, td { border: 1px solid #bbb; padding: .3em .5em; text-align: left; vertical-align: top }
    thead th { background: #eee }
    small { display: block; color: #444; overflow-wrap: anywhere }
    pre { overflow-x: auto; font-size: 12px; margin: .5em 0 }
    .shown th[scope=row] { background: #e3f4e3 } .encrypted th[scope=row] { background: #fdf3d0 }
    .hidden th[scope=row] { background: #fbe1e1 }
    @media print { body { margin: 0; font-size: 10px } td, th { padding: .15em .3em } }
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
