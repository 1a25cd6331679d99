internal import Encodings
internal import Secrets

/// A server's report on a client that connected.
enum ServedRequest {
  case answered(method: String, path: String, status: String, client: Certificate?)
  /// The TLS handshake failed.
  case refused

  /// Reads a line of the server's output.
  ///
  /// - Returns: nil where the line is about something else.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    switch words.first {
    case "served" where words.count == 5:
      self = .answered(
        method: String(words[1]), path: String(words[2]), status: String(words[3]),
        client: Hexadecimal.bytes(words[4]).flatMap { try? Certificate(der: $0) })
    case "refused": self = .refused
    default: return nil  // open: a line that begins otherwise
    }
  }

  /// The report in words, such as `GET /landmarks 200 CN=phone,O=Contoso`.
  var text: String {
    switch self {
    case .answered(let method, let path, let status, let client):
      "\(method) \(path) \(status) \(client?.subject ?? "nobody")"
    case .refused: "refused"
    }
  }
}
