internal import Cryptography
internal import CZlib
internal import Encodings
internal import Output

/// A self-contained page with its style, script and data. Its content security policy allows no other script.
struct Page {
  var title: String
  /// The headline, which is visible without scripts; empty for none.
  var summary: String
  /// Sentences about missing parts of the page.
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
    "\"use strict\";\n" + HTMLWriter.elements + text(PackageResources.data_js)
    + text(PackageResources.page_js)
    + text(PackageResources.layout_js) + text(PackageResources.map_js)
    + text(PackageResources.live_js)
    + text(PackageResources.leaks_js) + text(PackageResources.time_js)
    + text(PackageResources.views_js)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The content security policy, which allows only this script and style and, if the page may load data, requests to
  /// the page's server.
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
        if !summary.isEmpty { writer.element("p", [("class", "headline")], text: summary) }
        for note in notes { writer.element("p", [("role", "note")], text: note) }
        writer.element("nav", [("aria-label", "Views")]) { _ in }
      }
      writer.element("main") { writer in
        writer.element("noscript") { writer in
          writer.element("p", text: "The page needs JavaScript, which is disabled.")
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

/// Gzip compression (RFC 1952) with zlib.
package enum Gzip {
  /// Compresses `bytes` without a name or time, so equal input gives equal output.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    // 15 window bits, plus 16 to select a gzip header.
    let status = deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory")
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, uLong(bytes.count)))
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(room)
        precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "more than `deflateBound` said")
        count = room - Int(stream.avail_out)
      }
    }
  }
}
