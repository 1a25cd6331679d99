import Foundation
import TestSupport
import Testing

/// A fenced block in a document that shows a session with `sluice`: commands and their output.
struct DocumentedSession: CustomTestStringConvertible {
  /// The path of the document, relative to the repository root.
  let document: String
  /// The number of the block's first line.
  let line: Int
  let commands: [Command]
  /// The instruction in the comment before the block; nil if there is no comment.
  var remark: Remark?
  /// The lines of the previous block in the document.
  var blockBefore: [String] = []
  /// The folders of the repository that are linked into the working folder.
  var folders = ["bin", "scenarios", "examples", "plugins", "docs"]

  struct Command {
    var words: String
    /// The expected output. A line `…` matches any number of lines, and `…` in a line matches any
    /// text.
    var output: [String]

    /// Whether the command runs in the background.
    var isInBackground: Bool { words.hasSuffix("&") }
  }

  /// An HTML comment directly before the block. It is invisible on the page.
  enum Remark: Equatable {
    /// `<!-- not run: why -->`: the block is not run, for the stated reason.
    case notRun(String)
    /// `<!-- takes the programs of make tls -->`: one of the criteria uses a server.
    case takesServerPrograms
    /// `<!-- run after: command -->`: a command that prepares the session.
    case runAfter(String)
    /// `<!-- the block before is NAME -->`: the previous block is the file with this name.
    case blockBefore(is: String)
  }

  var testDescription: String { "\(document):\(line)" }

  /// The paths of the documents about single subjects, relative to the repository root.
  static let documents = ["README.md"] + pages(in: "docs")
  static let tutorials = pages(in: "docs/tutorials")

  private static func pages(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))) ?? [])
      .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Returns the sessions in a document that call `sluice`, in the order of the document.
  static func all(in document: String) throws -> [DocumentedSession] {
    let blocks = try Block.all(in: document)
    return blocks.indices.compactMap { index in
      let block = blocks[index]
      guard block.commands.contains(where: { $0.words.contains("sluice ") }) else { return nil }
      return DocumentedSession(
        document: document, line: block.line, commands: block.commands,
        remark: block.lineBefore.flatMap(Remark.init),
        blockBefore: index == 0 ? [] : blocks[index - 1].lines)
    }
  }

  /// Returns a tutorial as a session. Its blocks form one session in an empty folder, with saved
  /// files and commands.
  static func tutorial(_ document: String) throws -> DocumentedSession {
    DocumentedSession(
      document: document, line: 1,
      commands: try Block.all(in: document).flatMap { block in
        block.file.map { [Command(writing: block.lines, to: $0)] } ?? block.commands
      },
      folders: [])
  }
}

extension DocumentedSession.Command {
  /// Creates a session that writes a file.
  ///
  /// - Parameter file: The name of the file to create with the lines.
  init(writing lines: [String], to file: String) {
    let text = (lines + ["END OF FILE"]).joined(separator: "\n")
    self.init(words: "cat > '\(file)' << 'END OF FILE'\n\(text)", output: [])
  }
}

extension DocumentedSession.Remark {
  init?(_ line: String) {
    guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { return nil }
    let text = line.dropFirst(5).dropLast(4)
    if text.hasPrefix("not run: ") {
      self = .notRun(String(text.dropFirst(9)))
    } else if text == "takes the programs of make tls" {
      self = .takesServerPrograms
    } else if text.hasPrefix("run after: ") {
      self = .runAfter(String(text.dropFirst(11)))
    } else if text.hasPrefix("the block before is ") {
      self = .blockBefore(is: String(text.dropFirst(20)))
    } else {
      return nil
    }
  }
}

extension DocumentedSession {
  /// Runs the session in a folder that contains the repository's folders.
  ///
  /// - Returns: The output of each command on both streams, line by line.
  func run() throws -> [[String]] {
    let desk = try Desk()
    for name in folders {
      try desk.folder.link(name, to: Repository.path(name))
    }
    try desk.folder.makeFolder("run", permissions: 0o700)
    if case .blockBefore(let name) = remark {
      try desk.folder.write(blockBefore.joined(separator: "\n") + "\n", to: name)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let ended = try desk.run(
      // Both streams are line-buffered, as they are in a terminal.
      "/usr/bin/stdbuf", ["-oL", "/bin/bash", "-c", script],
      variables: [
        "PATH": "\(Repository.programs):\(path)", "XDG_RUNTIME_DIR": desk.folder.path("run"),
        "NO_COLOR": "1",
      ])
    return try commands.indices.map { index in
      guard desk.folder.has(".printed\(index)") else { return [ended.errors] }
      var lines = try desk.folder.read(".printed\(index)").split(
        separator: "\n", omittingEmptySubsequences: false)
      if lines.last?.isEmpty == true { lines.removeLast() }
      // The background command has printed more output.
      return commands[index].isInBackground
        ? lines.prefix(commands[index].lineCount).map(String.init) : lines.map(String.init)
    }
  }

  private var script: String {
    var lines: [String] = []
    if case .runAfter(let command) = remark { lines.append("{ \(command)\n} > .before 2>&1") }
    for (index, command) in commands.enumerated() {
      if command.isInBackground {
        lines.append("\(command.words.dropLast()) > .printed\(index) 2>&1 &")
        lines.append(
          "until [ $(wc -l < .printed\(index)) -ge \(command.lineCount) ]; do sleep 0.05; done")
      } else {
        lines.append("{ \(command.words)\n} > .printed\(index) 2>&1")
      }
    }
    return (lines + ["kill $(jobs -p) 2> .killed", "wait"]).joined(separator: "\n")
  }
}

extension DocumentedSession.Command {
  /// The number of lines in the document, which is at least one.
  fileprivate var lineCount: Int {
    max(1, output.count { !$0.allSatisfy(\.isWhitespace) })
  }

  /// Returns whether the document's output matches the printed output.
  func isLike(_ printed: [String]) -> Bool {
    var expected = output[...]
    while expected.last?.allSatisfy(\.isWhitespace) == true { expected.removeLast() }
    return Self.isLike(expected, printed[...])
  }

  private static func isLike(_ expected: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool
  {
    guard let first = expected.first else { return printed.isEmpty }
    let rest = expected.dropFirst()
    if first.trimmingCharacters(in: .whitespaces) == "…" {
      // The lines after `…` determine how much it omits.
      return (0...printed.count).contains { isLike(rest, printed.dropFirst($0)) }
    }
    guard let line = printed.first, isLike(first, line) else { return false }
    return isLike(rest, printed.dropFirst())
  }

  private static func isLike(_ expected: String, _ printed: String) -> Bool {
    var rest = Substring(trimmed(printed))
    let parts = trimmed(expected).split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, rest.hasPrefix(first) else { return false }
    guard parts.count > 1, let last = parts.last else { return rest == first }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// Returns the line without trailing white space.
  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop(while: \.isWhitespace).reversed())
  }
}
