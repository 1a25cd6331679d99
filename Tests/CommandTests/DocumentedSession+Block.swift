import TestSupport

extension DocumentedSession {
  /// A fenced block in a document.
  struct Block {
    /// The number of the first line.
    let line: Int
    /// The text after the opening fence, such as `yaml`; empty if there is none.
    let language: String
    let lines: [String]
    /// The last non-empty line before the block.
    let lineBefore: String?

    static func all(in document: String) throws -> [Block] {
      let text = try Repository.read(document)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
      return stride(from: 0, to: fences.count - 1, by: 2).map { index in
        let (start, end) = (fences[index], fences[index + 1])
        return Block(
          line: start + 1, language: String(lines[start].dropFirst(3)),
          lines: Array(lines[(start + 1)..<end]),
          lineBefore: lines[..<start].last { !$0.allSatisfy(\.isWhitespace) })
      }
    }

    /// The file in which the reader saves the block. It is nil unless the line before the block
    /// ends with "as `NAME`:".
    var file: String? {
      guard let lineBefore, lineBefore.hasSuffix("`:") else { return nil }
      let words = lineBefore.dropLast(2).split(separator: "`", omittingEmptySubsequences: false)
      guard words.count.isMultiple(of: 2), words.dropLast().last?.hasSuffix("as ") == true else {
        return nil
      }
      return words.last.map(String.init)
    }

    var commands: [Command] {
      var commands: [Command] = []
      for line in lines {
        if line.hasPrefix("$ ") {
          commands.append(Command(words: String(line.dropFirst(2)), output: []))
        } else if !commands.isEmpty {
          commands[commands.count - 1].output.append(line)
        }
      }
      return commands
    }
  }
}
