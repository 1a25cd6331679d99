internal import ArgumentParser
internal import Picture
internal import Scenario
internal import Simulation

/// The format in which a certificate is printed.
enum CertificateFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, html

  /// - Parameter text: the text of a file that verdicts name; nil where a page may not show it.
  func render(
    _ certificate: CriteriaCertificate, _ palette: Palette,
    reading text: @escaping (String) -> String?
  ) -> String {
    switch self {
    case .text: certificate.text(palette)
    case .json: certificate.json
    case .junit: certificate.junit
    case .html: certificate.picture(reading: text).page()
    }
  }
}

extension CriteriaCertificate {
  /// The certificate's cases as a page.
  func picture(reading text: @escaping (String) -> String?) -> Picture {
    var picture = Picture(title: "Exit criteria", reading: text)
    for check in entries.flatMap(\.checks) {
      guard let recording = check.recording else { continue }
      picture.add(recording, named: check.title ?? "", of: check.file)
    }
    return picture
  }
}
