import Foundation
import Output
@testable import SwiftSources
import Testing

/// Tests files that try to crash or stall the parser. Each such file gets one error, and the other
/// files are still linted.
@Suite struct HostileSourceTests {
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sluice-code")

  private static func run(_ arguments: [String]) throws -> (status: Int32, errors: String) {
    let process = Process()
    let errors = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  private static func folder(_ files: [String: String]) throws -> String {
    let folder = NSTemporaryDirectory() + "sluice-code-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    return folder
  }

  private static func repeated(_ text: String, _ bytes: Int) -> String {
    String(repeating: text, count: bytes / text.utf8.count)
  }

  static let kinds: [(name: String, text: @Sendable (Int) -> String)] = [
    ("try await", { "let a = " + repeated("try await ", $0) + "f()" }),
    ("generics", { "let a: " + repeated("A<", $0) + "B" }),
    ("calls", { "let a = b" + repeated(".b()", $0) }),
    ("optionals", { "let a: A" + repeated("?", $0) }),
    ("ternaries", { "let a = " + repeated("a ? b : ", $0) + "c" }),
    ("functions", { "let a: " + repeated("() -> ", $0) + "A" }),
    ("conditions", { repeated("#if A\n", $0) + repeated("#endif\n", $0) }),
    ("prefixes", { "let a = " + repeated("-", $0) + "1; let b = " + repeated("!", $0) + "c" }),
    ("casts", { "let a = b" + repeated(" as B", $0) }),
    ("closures", { "let a = " + repeated("{ ", $0) + repeated("} ", $0) }),
    ("else", { "func f() { if a {}" + repeated(" else if a {}", $0) + "}" }),
    ("attributes", { repeated("@a ", $0) + "func f() {}" }),
    ("pounds", { repeated("#", $0) }),
    ("raw texts", { "let a = " + repeated("#", $0) + "\"\"" }),
    ("texts in texts", { "let a = " + repeated("\"\\(", $0) }),
    ("members", { "let a: A" + repeated(".B", $0) }),
    ("patterns", { "switch a { case " + repeated("let .b(", $0) + ": break }" }),
    ("protocols", { "let a: " + repeated("any ", $0) + "P" }),
  ]

  /// Expects at most one error for each unreadable file, and one error for the file that is not
  /// Swift.
  private static func expectReading(_ command: [String], of bytes: Int) throws {
    var files = ["a.swift": "let a = 1\n", "z.swift": "let z = \n"]
    for (name, text) in kinds { files["hostile \(name).swift"] = text(bytes) }
    let folder = try folder(files)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (status, errors) = try run(command + [folder])
    #expect(status == 2)
    let lines = errors.split(separator: "\n").map(String.init)
    #expect(
      lines.allSatisfy {
        $0.hasPrefix("\(folder)/hostile ") || $0.hasPrefix("\(folder)/z.swift:1:9: error:")
      })
    #expect(
      lines.contains { $0.hasPrefix("\(folder)/z.swift:1:9: error:") }, "the other files are read")
    #expect(lines.allSatisfy { $0.utf8.count < 1_000 })
  }

  @Test(arguments: [10_000, 100_000])
  func `each hostile file causes at most one error, and other files are linted`(bytes: Int)
    throws
  {
    try Self.expectReading(["lint"], of: bytes)
  }

  @Test func `adapting hostile source files reports errors for them and writes no output`() throws {
    let output = NSTemporaryDirectory() + "sluice-adapted-\(UUID().uuidString)"
    try Self.expectReading(["adapt", "--output", output], of: 6_000)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(arguments: [
    "class A: IntuneMAMPolicyDelegate {}\n",
    "func f() { IntuneMAMEnrollmentManager.instance().delegate = a }\n",
  ])
  func `a file of a thousand small declarations is read without errors`(line: String) throws {
    let folder = try Self.folder(["many.swift": String(repeating: line, count: 1_000)])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (status, errors) = try Self.run(["lint", folder])
    #expect(status == 0 && errors.isEmpty, "\(errors)")
  }

  @Test func `after the time limit, remaining files are reported as unread`() throws {
    let deep = "let a = " + Self.repeated("try await ", 1 << 20) + "f()"
    let folder = try Self.folder(["1.swift": deep, "2.swift": "let a = 1", "3.swift": "let a = 1"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The first file is charged the full limit for one file.
    var limit = SourceTrial.RunLimit()
    (limit.seconds, limit.secondsForMebibyte) = (SourceTrial.secondsLimit, 0)
    let trial = SourceTrial(Self.program, ["try", "lint"], runLimit: limit)
    let reading = SourceReading(try SourceList([folder]), trying: trial)
    #expect(reading.sources.isEmpty)
    let faults = reading.faults.map(\.description)
    #expect(faults.first?.contains("nested too deeply for the parser") == true)
    #expect(
      Array(faults.dropFirst())
        == ["2", "3"].map {
          "\(folder)/\($0).swift: error: not read: earlier files used 15 seconds of processor time; the limit of a run is 5 seconds plus 0 per MiB [parser]"
        })
  }

  @Test func `an error about an unreadable file names the file and the reason`() throws {
    let folder = try Self.folder([
      "deep.swift": "let a = " + Self.repeated("try await ", 1 << 20) + "f()",
      "long.swift": String(repeating: "x", count: (16 << 20) + 1),
    ])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (status, errors) = try Self.run(["lint", folder])
    #expect(status == 2)
    let lines = errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(folder)/deep.swift") == true)
    #expect(lines.first?.contains("constructs are nested too deeply") == true, "\(lines)")
    #expect(
      lines.last
        == "\(folder)/long.swift: error: the file has 16777217 bytes; the maximum is 16777216 [parser]"
    )
  }

  @Test(
    arguments: [
      ([], 0), (["--fail-on", "error"], 0), (["--fail-on", "warning"], 1),
      (["--fail-on", "never"], 0),
    ] as [([String], Int32)])
  func `code lint exits with 1 for findings of at least the --fail-on severity`(
    options: [String], expected: Int32
  ) throws {
    let warning =
      "class D: IntuneMAMPolicyDelegate { func wipeData(forAccount a: String) -> Bool { ok } }"
    let folder = try Self.folder(["a.swift": warning])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (status, errors) = try Self.run(["lint", folder] + options)
    #expect(status == expected && errors.isEmpty, "\(errors)")
  }
}
