internal import Analysis
internal import Encodings
internal import Output
internal import PageServer

/// The workbench for policy files in a browser.
package struct Studio {
  private let session: StudioSession

  /// Prepares to serve a workbench.
  ///
  /// - Parameter read: Returns the content of a policy file; nil if it cannot be read.
  package init(
    _ workbench: Workbench, on device: StudioDevice? = nil,
    reading read: @escaping @Sendable (String) -> [UInt8]?
  ) {
    session = StudioSession(workbench, on: device, reading: read)
  }

  /// Serves the page on 127.0.0.1 until the process ends.
  ///
  /// - Parameters:
  ///   - port: The port; 0 lets the system choose one.
  ///   - began: Called with the page's address.
  /// - Throws: ``StudioError`` if the port is in use.
  package func run(port: Int, _ began: (String) -> Void) throws(StudioError) -> Never {
    let server = PageServer(page: Self.page)
    do {
      began(try server.start(session.routes, port: port))
    } catch {
      throw StudioError(description: error.description)
    }
    PageServer.wait()
  }

  /// The HTML text of the page. It contains no data, because the page requests its data.
  static let page: String = {
    let style = HTMLWriter.look + String(decoding: PackageResources.studio_css, as: UTF8.self)
    let script =
      "\"use strict\";\n" + HTMLWriter.elements
      + String(decoding: PackageResources.device_js, as: UTF8.self)
      + String(decoding: PackageResources.studio_js, as: UTF8.self)
    let security =
      "default-src 'none'; script-src '\(HTMLWriter.source(of: script))'; "
      + "style-src '\(HTMLWriter.source(of: "\n\(style)\n"))'; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'"
    var writer = HTMLWriter()
    writer.document(title: "Policy workbench", style: style, securityPolicy: security) { writer in
      writer.element("header") { _ in }
      writer.element("main") { writer in
        writer.element("noscript") { writer in
          writer.element("p", text: "The workbench needs JavaScript, which is disabled.")
        }
      }
      writer.script(script)
    }
    return writer.text
  }()
}

/// The error if the workbench cannot be served.
package struct StudioError: Error, CustomStringConvertible {
  package let description: String
}
