/// Rows of test arguments: an input, followed by its expected result after `=> `.
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
/// An input may have several lines. Further lines of a result are indented by three spaces. An empty `=>` means
/// an empty text.
///
/// - Precondition: Each input is followed by a result.
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
