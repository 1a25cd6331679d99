internal import Cryptography
internal import Encodings
internal import Output

/// A self-contained page with its style, script and data. Its content security policy allows no other script.
struct Page {
  var title: String
  /// The text shown without scripts.
  var summary: String
  /// The parts that the page lacks, one sentence each.
  var notes: [String]
  /// The data as JSON, by name.
  var blocks: [(name: String, json: String)]
  var reach = Reach.nothing

  /// The resources that the page may load.
  enum Reach {
    case nothing
    /// Data from the page's own server.
    case server
  }

  private static let style = HTMLWriter.look + text(PackageResources.page_css)
  private static let script =
    "\"use strict\";\n" + text(PackageResources.data_js) + text(PackageResources.page_js)
    + text(PackageResources.layout_js) + text(PackageResources.map_js) + text(PackageResources.live_js)
    + text(PackageResources.leaks_js) + text(PackageResources.views_js)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The content security policy, which allows only this script and style.
  private var securityPolicy: String {
    switch reach {
    case .nothing: Self.securityPolicy
    case .server: "\(Self.securityPolicy); connect-src 'self'"
    }
  }

  private static let securityPolicy =
    "default-src 'none'; script-src '\(digest(of: script))'; style-src '\(digest(of: "\n\(style)\n"))'; base-uri 'none'; form-action 'none'"

  private static func digest(of text: String) -> String {
    "sha256-" + Base64.text(sha256(Array(text.utf8)))
  }

  var html: String {
    var writer = HTMLWriter()
    writer.document(title: title, style: Self.style, securityPolicy: securityPolicy) {
      writer in
      writer.element("header") { writer in
        writer.element("h1", text: title)
        if !summary.isEmpty { writer.element("p", [("class", "faint")], text: summary) }
        for note in notes { writer.element("p", [("role", "note")], text: note) }
        writer.element("nav", [("aria-label", "Views")]) { _ in }
      }
      writer.element("main") { writer in
        writer.element("noscript") { writer in
          writer.element("p", text: "The page shows its data with a script, and scripts are off.")
        }
      }
      for block in blocks {
        writer.data(Base64.text(Gzip.compressed(Array(block.json.utf8))), id: "data-\(block.name)")
      }
      writer.script(Self.script)
    }
    return writer.text
  }
}
