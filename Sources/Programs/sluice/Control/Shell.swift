internal import ArgumentParser
internal import CEdit
internal import Foundation
internal import Scenario
internal import Simulation
internal import Synchronization

struct Shell: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Control a running device at a prompt with history and completion.",
    discussion: """
      Each line is a step or command of `sluice ctl`; `help` lists them, and `help STEP` shows the keys of a step. The \
      Tab key completes steps, keys, apps and accounts. `exit` leaves the device running; `down` shuts it down.

      Exit status: 0 left, 2 no device answers or it has shut down, 64 usage. If standard input is not a terminal: \
      the worst status of a line, as of `sluice ctl`.
      """)

  @Option(help: "Format of the answers; json is the device's own.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  func perform() throws(RunError) {
    let session = ControlSession(try control.connect(), format)
    let isTerminal = isatty(STDIN_FILENO) == 1
    let editor = isTerminal ? LineEditor(try Completion(session)) : nil
    defer { editor?.close() }
    var worst = ControlSession.Outcome.held
    while let line = editor.map({ $0.line() }) ?? readLine() {
      let words = StepLine.words(line)
      if words == ["exit"] { break }
      if words.first == "help" {
        worst = max(worst, Self.help(words.dropFirst()))
        continue
      }
      guard let call = ControlCall(line: line) else { continue }
      let outcome = try session.ask(call)
      worst = max(worst, outcome)
      if call.method == "down" { break }
      if outcome == .held, call.isFollowing { try session.follow() }
    }
    if !isTerminal, let status = worst.status { Self.exit(withError: status) }
  }

  private static func help(_ words: ArraySlice<String>) -> ControlSession.Outcome {
    do throws(RunError) {
      print(try ControlHelp().text(Array(words)), terminator: "")
      return .held
    } catch {
      Failure.print(error.description)
      return .refused
    }
  }
}

// MARK: - The terminal

/// A line editor for a terminal, with history and completion. It uses libedit.
///
/// Only one editor can be in use at a time, because libedit has global state.
private struct LineEditor {
  private let historyPath: String?
  private static let historyLength: Int32 = 1_000
  private static let completion = Mutex<Completion?>(nil)
  /// The completions of the current word. libedit takes them one at a time.
  private static let candidates = Mutex<[String]>([])

  init(_ completion: Completion) {
    Self.completion.withLock { $0 = completion }
    historyPath = Self.historyFile
    using_history()
    stifle_history(Self.historyLength)
    if let historyPath, Self.isFile(historyPath) { read_history(historyPath) }
    cedit_complete_with { word, start, _ in
      LineEditor.complete(word.map { String(cString: $0) } ?? "", at: Int(start))
      cedit_complete_no_files()
      return word.flatMap { rl_completion_matches($0) { _, index in LineEditor.candidate(index) } }
    }
  }

  /// Returns the next line; nil at the end of input.
  func line() -> String? {
    guard let raw = readline("sluice> ") else {
      print()
      return nil
    }
    defer { free(raw) }
    let line = String(cString: raw)
    if line.contains(where: { !$0.isWhitespace }) { add_history(raw) }
    return line
  }

  /// Saves the history. Other users cannot read the file, because lines may contain private texts and PINs.
  func close() {
    guard let historyPath else { return }
    let folder = (historyPath as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // A link to `/dev/null` disables the history. libedit would make its target private.
    guard Self.isFile(historyPath) || access(historyPath, F_OK) != 0 else { return }
    let mask = umask(0o077)
    write_history(historyPath)
    umask(mask)
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The path of the file with the history: `sluice/history` in the folder `$XDG_STATE_HOME` (XDG Base Directory
  /// Specification) or, if that is unset, in `~/.local/state`. Nil if the user has no home folder.
  private static var historyFile: String? {
    let environment = ProcessInfo.processInfo.environment
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/sluice/history"
    }
    return environment["HOME"].map { "\($0)/.local/state/sluice/history" }
  }

  private static func complete(_ word: String, at start: Int) {
    let line = cedit_line().map { String(cString: $0) } ?? ""
    let before = String(decoding: Array(line.utf8.prefix(start)), as: UTF8.self)
    let words = completion.withLock { $0?.words(for: word, after: before) } ?? []
    // No space is appended to a key, because its value follows.
    cedit_append(words.contains { $0.hasSuffix("=") } ? 0 : Int32(UInt8(ascii: " ")))
    candidates.withLock { $0 = words }
  }

  /// Returns the completion at `index`; nil after the last one. The text is allocated with malloc, because libedit
  /// frees it.
  private static func candidate(_ index: Int32) -> UnsafeMutablePointer<CChar>? {
    candidates.withLock { candidates in
      let index = Int(index)
      return index < candidates.count ? strdup(candidates[index]) : nil
    }
  }
}
