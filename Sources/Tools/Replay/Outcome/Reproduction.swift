internal import Encodings
internal import Foundation
internal import Model
internal import Output
package import Scenario
package import Simulation

/// A folder that reproduces failed cases on any machine with Sluice. It contains the scenarios, the
/// seeds, the journals, and a script that runs the cases. It also contains the files that the
/// scenarios name, except secrets.
package struct Reproduction {
  private let failures: [Failure]
  private let options: [String]
  private let version: String

  package struct Failure {
    var scenario: Scenario
    var test: Case
    var events: [JournalEvent]
    var seed: UInt64

    /// Records the failure of a case.
    ///
    /// - Parameter seed: The seed of the case's device; nil for the scenario's own seed.
    package init(_ test: Case, of scenario: Scenario, _ recording: CaseRecording, seed: UInt64?) {
      self.scenario = scenario
      self.test = test
      events = recording.events
      self.seed = seed ?? scenario.device.seed
    }
  }

  /// Creates the reproduction of at least one failure.
  ///
  /// - Parameters:
  ///   - options: The options of `sluice run` that affect how cases run.
  ///   - version: The version of Sluice, which the folder records.
  package init(of failures: [Failure], options: [String], version: String) {
    self.failures = failures
    self.options = options
    self.version = version
  }

  /// Creates the folder, which must not exist.
  ///
  /// - Returns: The omitted files, with the reasons for their omission.
  /// - Throws: ``RunError`` if a file cannot be read, or the folder exists or cannot be written. No
  ///   incomplete folder is left.
  package func write(to folder: String) throws(RunError) -> [String] {
    try Self.make(folder)
    do {
      let copy = ScenarioCopy(of: failures.map(\.scenario), to: "\(folder)/files")
      try copy.run()
      for (index, failure) in failures.enumerated() {
        let lines = failure.events.map { event in JSONWriter.line { event.write(to: &$0) } }
        try Self.write(lines.joined(), to: "\(folder)/journals/\(index + 1).jsonl")
      }
      try Self.write(script(copy), to: "\(folder)/reproduce.sh")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/reproduce.sh")
      try Self.write(about(copy), to: "\(folder)/about.json")
      return copy.leftOut.map(\.text)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw Self.failure(folder, error.localizedDescription)
    }
  }

  /// Creates a folder with `mkdir`, which fails if another process has already created the folder.
  private static func make(_ folder: String) throws(RunError) {
    do {
      let parent = URL(fileURLWithPath: folder).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw failure(folder, error.localizedDescription)
    }
    guard mkdir(folder, 0o777) == 0 else { throw failure(folder, String(cString: strerror(errno))) }
  }

  private static func failure(_ folder: String, _ reason: String) -> RunError {
    RunError(.path(folder), "cannot save the failed cases: \(reason)", rule: "file")
  }

  private static func write(_ text: String, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func script(_ copy: ScenarioCopy) -> String {
    let files = failures.map { copy.place(of: $0.scenario) }
    let runs = zip(failures, files).map { failure, file in
      let words =
        ["run", "./" + (file as NSString).lastPathComponent]
        + ["--line", "\(failure.test.position.line)", "--seed", "\(failure.seed)"] + options
      let folder = "./" + (file as NSString).deletingLastPathComponent
      let command = words.map(\.quotedForShell).joined(separator: " ")
      return "(cd \(folder.quotedForShell) && exec \"$sluice\" \(command)) || status=$?"
    }
    return """
      #!/bin/sh
      # Runs the cases that failed. If `sluice` is not on the PATH, set SLUICE to its path.
      sluice=$(command -v "${SLUICE:-sluice}") || { echo "${SLUICE:-sluice} was not found" >&2; exit 2; }
      case $sluice in /*) ;; *) sluice=$PWD/$sluice ;; esac
      cd "$(dirname "$0")/files" || exit 2
      status=0
      \(runs.joined(separator: "\n"))
      exit $status

      """
  }

  private func about(_ copy: ScenarioCopy) -> String {
    JSONWriter.objectLine { writer in
      writer.member("sluice", version)
      writer.member("system", ProcessInfo.processInfo.operatingSystemVersionString)
      writer.objects("failures", of: failures.enumerated()) { writer, element in
        let (index, failure) = element
        writer.member("case", failure.test.name)
        writer.member("criterion", failure.test.criterion)
        writer.member("file", "files/" + copy.place(of: failure.scenario))
        writer.member("line", failure.test.position.line)
        writer.member("seed", json: String(failure.seed).utf8)
        writer.member("journal", "journals/\(index + 1).jsonl")
      }
      writer.objects("leftOut", of: copy.leftOut) { writer, file in
        writer.member("file", file.path)
        writer.member("why", file.why.rawValue)
      }
    }
  }
}

// MARK: Copies of scenarios

/// Copies scenarios and the files that they name into one folder. Their relative locations are
/// kept.
private final class ScenarioCopy {
  private let scenarios: [Scenario]
  private let target: String
  /// The real path of the folder that is being created. The target is below it.
  private var ownFolder: String? { (target as NSString).deletingLastPathComponent.realPath }
  /// The path components of the folder that contains all files to copy.
  private let root: [String]
  private var copied: Set<String> = []
  private(set) var leftOut: [LeftOut] = []

  struct LeftOut {
    /// The path relative to the common folder of the copied files. For ``Reason/elsewhere``, the path as the scenario
    /// states it.
    var path: String
    var why: Reason

    var text: String { "\(path): \(why.rawValue)" }

    enum Reason: String {
      case secret = "it may contain a secret"
      case hidden = "it is hidden"
      case link = "it is a link that does not lead to a file in its own folder"
      case special = "it is not a regular file"
      case unreadable = "it cannot be read"
      case elsewhere = "the scenario names it by a path of this machine"
    }
  }

  init(of scenarios: [Scenario], to target: String) {
    self.scenarios = scenarios
    self.target = target
    let folders = scenarios.flatMap { scenario in
      ([scenario.ownFile.path] + scenario.namedPlaces.map(\.path))
        .map { Array($0.split(separator: "/").dropLast()) }
    }
    let shared = folders.dropFirst().reduce(folders.first ?? []) { shared, folder in
      Array(zip(shared, folder).prefix { $0 == $1 }.map(\.0))
    }
    root = shared.map(String.init)
  }

  func run() throws {
    for scenario in scenarios { try copy(scenario) }
    for named in scenarios.flatMap(\.namedPlaces) { try copy(named.path) }
  }

  /// Returns the path of the scenario's copy, relative to the target.
  func place(of scenario: Scenario) -> String { place(of: scenario.ownFile.path) }

  private func place(of path: String) -> String {
    path.split(separator: "/").dropFirst(root.count).joined(separator: "/")
  }

  /// Copies a scenario. Paths that are valid only on this machine are replaced by relative paths.
  private func copy(_ scenario: Scenario) throws {
    let path = scenario.ownFile.path
    guard copied.insert(path).inserted else { return }
    var text = try InputFile.documentText(path)
    let depth = place(of: path).split(separator: "/").count - 1
    let up = String(repeating: "../", count: depth)
    let moved = scenario.namedPlaces.filter { !$0.isKept }
      .map { ($0.name, up + place(of: $0.path)) }
    text = text.replacingPaths(Dictionary(moved) { first, _ in first })
    if let copy = try? Scenario.read(text, file: scenario.file) {
      for name in copy.namedFiles where name.hasPrefix("/") {
        leftOut.append(LeftOut(path: name, why: .elsewhere))
      }
    }
    try make(place(of: path)) { try Data(text.utf8).write(to: $0) }
  }

  /// Copies a file or folder that a scenario names. Skips a missing file, because it ships with Sluice or was already
  /// missing in the failed run.
  private func copy(_ path: String) throws {
    guard copied.insert(path).inserted else { return }
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { return try copyFile(path) }
    try copyFolder(path)
  }

  private func copyFolder(_ path: String) throws {
    // The folder that is being created must not be copied into itself.
    guard path.realPath != ownFolder else { return }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return leaveOut(path, .unreadable)
    }
    for name in names.sorted() {
      let inner = "\(path)/\(name)"
      guard !copied.contains(inner) else { continue }
      if name.hasPrefix(".") {
        leaveOut(inner, .hidden)
        continue
      }
      var status = stat()
      guard lstat(inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try copyFolder(inner)
      case S_IFLNK where !inner.isFile(within: path): leaveOut(inner, .link)
      default: try copyFile(inner)  // open: any other kind of file
      }
    }
  }

  private func copyFile(_ path: String) throws {
    copied.insert(path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return leaveOut(path, .special)
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      return leaveOut(path, .unreadable)
    }
    defer { try? handle.close() }
    guard try !holdsSecret(handle, path) else { return leaveOut(path, .secret) }
    try handle.seek(toOffset: 0)
    try make(place(of: path)) { url in
      guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
      }
      let copy = try FileHandle(forWritingTo: url)
      defer { try? copy.close() }
      while let piece = try handle.read(upToCount: Self.piece), !piece.isEmpty {
        try copy.write(contentsOf: piece)
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: Int(status.st_mode & 0o755)], ofItemAtPath: url.path)
    }
  }

  private static let piece = 1 << 20

  private func holdsSecret(_ handle: FileHandle, _ path: String) throws -> Bool {
    var search = SecretSearch(in: [path, path.realPath ?? path])
    while let piece = try handle.read(upToCount: Self.piece), !piece.isEmpty, !search.hasFound {
      search.scan(piece)
    }
    return search.finish()
  }

  private func leaveOut(_ path: String, _ why: LeftOut.Reason) {
    leftOut.append(LeftOut(path: place(of: path), why: why))
  }

  private func make(_ place: String, _ body: (URL) throws -> Void) throws {
    let url = URL(fileURLWithPath: "\(target)/\(place)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try body(url)
  }
}

/// A file or folder that a scenario names.
private struct NamedFile {
  var name: String
  var path: String
  /// Whether the copied scenario keeps the name, because the name is also valid in the folder of copies.
  var isKept: Bool

  init(name: String, path: String) {
    self.name = name
    // After a link, `..` leads to another folder than the text of the path suggests.
    let isOdd = path.realPath != nil && path.realPath != path.standardized.realPath
    self.path = isOdd ? path.realPath ?? path : path.standardized
    isKept = !isOdd && !name.hasPrefix("/")
  }
}

extension Scenario {
  fileprivate var namedPlaces: [NamedFile] {
    let folder = ScenarioFiles.folder(of: file)
    return namedFiles.map { NamedFile(name: $0, path: ScenarioFiles.resolve($0, in: folder)) }
  }

  fileprivate var ownFile: NamedFile { NamedFile(name: file, path: file) }
}

extension String {
  fileprivate var standardized: String { URL(fileURLWithPath: self).standardizedFileURL.path }

  /// Returns whether the path refers to a regular file below `folder`.
  fileprivate func isFile(within folder: String) -> Bool {
    var status = stat()
    guard let real = realPath, let folder = folder.realPath, real.hasPrefix(folder + "/") else {
      return false
    }
    return stat(real, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

// MARK: Secrets

/// A search for data that must not leave the machine: key files by their names, private keys, and JSON that mentions a
/// password. It reads files in pieces, so large files need little memory.
struct SecretSearch {
  private(set) var hasFound: Bool
  /// The last bytes of the previous piece, because one of the ``marks`` may span two pieces.
  private var end: [UInt8] = []
  /// The part of the JSON document read so far; nil for other files.
  private var document: Data?

  /// The maximum size of a JSON document, in bytes. A larger document counts as a secret.
  private static let limit = 16 << 20

  /// Starts a search in one file. The file's name may already show that it is a key file.
  ///
  /// - Parameter paths: The path by which the file was named, and its path with links resolved.
  init(in paths: [String]) {
    let names = paths.map { $0.lowercased() }
    let endings = [".p12", ".pfx", ".p8", ".key"]
    hasFound = names.contains { name in endings.contains(where: name.hasSuffix) }
    document = names.contains { $0.hasSuffix(".json") } ? Data() : nil
  }

  mutating func scan(_ piece: Data) {
    guard !hasFound else { return }
    let bytes = Data(end) + piece
    hasFound = Self.marks.contains { bytes.range(of: $0) != nil }
    end = Array(bytes.suffix(Self.longest - 1))
    guard let length = document?.count else { return }
    guard length + piece.count <= Self.limit else { return hasFound = true }
    document?.append(piece)
  }

  /// Returns whether the file appears to contain a secret. Call it after the last piece has been scanned.
  mutating func finish() -> Bool {
    if let document, !hasFound { hasFound = Self.speaksOfPassword(document) }
    return hasFound
  }

  /// The end of a private key's first line, in UTF-8 and in both byte orders of UTF-16.
  private static let marks: [Data] = {
    let mark = Array("PRIVATE KEY-----".utf8)
    return [Data(mark), Data(mark.map { [$0] }.joined(separator: [0]))]
  }()
  private static let longest = marks.map(\.count).max() ?? 0

  private static func speaksOfPassword(_ document: Data) -> Bool {
    let isWide = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(document.prefix(2)))
    let text =
      isWide
      ? String(data: document, encoding: .utf16) ?? "" : String(decoding: document, as: UTF8.self)
    guard let value = try? JSONReader.read(text) else { return isPassword(text) }
    return speaksOfPassword(value)
  }

  private static func speaksOfPassword(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .string(let text): isPassword(text)
    case .array(let elements): elements.contains(where: speaksOfPassword)
    case .object(let members):
      members.contains { isPassword($0.name) || speaksOfPassword($0.value) }
    case .null, .bool, .number: false
    }
  }

  private static func isPassword(_ text: String) -> Bool {
    text.lowercased().contains("password")
  }
}
