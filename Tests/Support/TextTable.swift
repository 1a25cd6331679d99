/// The rows of a table for a test of two parameters: an input, and below it what comes of it after `=> `.
///
/// ```
/// { launch: [] }
/// => 13: error: the list `launch` is empty
///    [missing-key]
/// steps:
/// - launch: mail
/// => 2:3: error: …
/// ```
///
/// An input may have several lines. What comes of it goes on in lines that begin with three spaces, each of which stands
/// for one; nothing after `=>` is an empty text.
///
/// - Precondition: each input is followed by what comes of it.
public func table(_ text: String) -> [(String, String)] {
  var rows: [(String, String)] = []
  var input: [Substring] = []
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("=>") {
      precondition(!input.isEmpty, "no input before `\(line)`")
      rows.append((input.joined(separator: "\n"), String(line.dropFirst(3))))
      input = []
    } else if line.hasPrefix("   "), input.isEmpty, !rows.isEmpty {
      rows[rows.count - 1].1 += line.dropFirst(2)
    } else {
      input.append(line)
    }
  }
  precondition(input.isEmpty, "nothing comes of `\(input.joined(separator: "\n"))`")
  return rows
}
