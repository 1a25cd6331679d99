import Conformance
import Cryptography
import Distribution
import Encodings
import Foundation
import Model
import Output
import Replay
import Scenario
import Simulation
import TestSupport
import Testing

@Suite struct AssignmentTests {
  private func pieces(_ steps: [Int]) -> [Piece] {
    steps.enumerated().map { Piece(file: "a.yaml", name: "case \($0)", steps: $1) }
  }

  private func parts(_ assignment: Assignment, _ count: Int) -> [[Int]] {
    (1...count).compactMap { Shard($0, of: count).map(assignment.pieces(of:)) }
  }

  @Test(arguments: 1...200)
  func `each piece is in exactly one shard, and no shard's load exceeds 4/3 of the optimum`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let steps = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      Int.random(in: 1...40, using: &random)
    }
    let count = Int.random(in: 1...9, using: &random)
    let parts = parts(Assignment(of: pieces(steps), to: count), count)
    #expect(parts.joined().sorted() == Array(steps.indices))
    // Greedy assignment by size exceeds the optimum by at most a third (Graham). The optimum is at
    // least the mean and at least the largest piece.
    let loads = parts.map { $0.reduce(0) { $0 + steps[$1] } }
    let least = max(Double(steps.reduce(0, +)) / Double(count), Double(steps.max() ?? 0))
    let pairs = steps.sorted(by: >)
    let twoOnOne = steps.count > count ? Double(pairs[count - 1] + pairs[count]) : 0
    #expect(Double(loads.max() ?? 0) <= 4 / 3 * max(least, twoOnOne) + 1e-9)
    for part in parts { #expect(part.map { steps[$0] } == part.map { steps[$0] }.sorted(by: >)) }
  }

  @Test func `shards use the durations of an earlier run, and estimate missing ones`() throws {
    let report = try JSONReader.read(
      """
      {"durations":[{"file":"a.yaml","name":"case 0","milliseconds":100},
        {"file":"a.yaml","name":"case 1","milliseconds":900}]}
      """)
    let times = try #require(PieceTimes(report: report))
    // Ten steps take 1,000 ms, so five steps take 500 ms.
    let assignment = Assignment(of: pieces([5, 5, 5]), to: 2, times)
    #expect(parts(assignment, 2) == [[1], [2, 0]])
  }

  @Test func `recorded durations are assigned in order to cases of the same name`() throws {
    let report = try JSONReader.read(
      """
      {"criteria":[{"checks":[{"file":"a.yaml","title":"x","milliseconds":1},
        {"file":"a.yaml","title":"x","milliseconds":50}]}]}
      """)
    let times = try #require(PieceTimes(report: report))
    let same = [1, 1, 1].map { Piece(file: "a.yaml", name: "x", steps: $0) }
    #expect(parts(Assignment(of: same, to: 2, times), 2) == [[1], [2, 0]])
  }

  @Test(arguments: [#"{}"#, #"[]"#, #"{"durations":[{"file":"x","name":"x"}]}"#])
  func `a report without durations yields no durations for the shards`(text: String) throws {
    #expect(PieceTimes(report: try JSONReader.read(text)) == nil)
  }

  @Test(arguments: ["1/1", "4/4", "2/10000"])
  func `a shard's number and a count of up to 10,000 are parsed`(text: String) {
    #expect(Shard(text)?.description == text)
  }

  @Test(arguments: ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/2/3", "a/b", "1/10001", "/", "1/"])
  func `a malformed or out-of-range shard is rejected`(text: String) {
    #expect(Shard(text) == nil)
  }
}

/// Tests how blobs are written, read and merged.
@Suite struct MergeTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func plan(_ change: (inout Plan) -> Void = { _ in }) -> Plan {
    var plan = Plan(
      "run", version: "sluice 0.1.0", options: ["--seed", "7"],
      files: ["a.yaml": "00", "policies/base.json": "11"],
      pieces: (0..<7).map { Piece(file: "a.yaml", name: "case \($0)", steps: 7 - $0) },
      facts: { $0.member("title", "a \"title\"\n") })
    change(&plan)
    return plan
  }

  private static func recording(_ number: Int) -> CaseRecording {
    var output = GuestOutput(guest: "mail")
    for line in 0..<30 { output.append("line \(line) \u{1B}[31m\n") }
    let events = [
      JournalEvent(
        sequence: 1, time: 0, kind: .caseBegan(suite: "s", name: "case \(number)", criterion: nil)),
      JournalEvent(sequence: 2, time: 5, kind: .caseEnded),
    ]
    return CaseRecording(
      events: events, duration: .nanoseconds(1_234_567 + number), output: [output],
      returned: [
        RequestPlace(request: 3): "back \"again\"",
        RequestPlace(device: "ipad", request: 1): "",
      ], unordered: [4, 2])
  }

  @discardableResult
  private func blob(
    _ shard: String, as name: String? = nil, of plan: Plan, _ times: PieceTimes = PieceTimes()
  ) throws -> String {
    let shard = try #require(Shard(shard))
    let path = folder.path("\(name ?? "\(shard.number)").blob")
    let work = try ShardWork(plan, shard, times, blob: path)
    _ = try work.perform(by: ThreadPool(of: 2)) { number in Self.recording(number) }
    try work.end(["policies/base.json": "{ }\n"])
    return path
  }

  private func merge(_ paths: [String]) throws -> Merge { try Merge(of: BlobFiles.read(paths)) }

  private func refusal(of paths: [String]) -> String {
    do {
      _ = try merge(paths)
      return "nothing"
    } catch {
      return "\(error)".replacing(folder.path + "/", with: "")
    }
  }

  @Test(arguments: [1, 2, 3, 7, 12])
  func `results merged from shards equal the recorded results in the order of the plan`(count: Int)
    throws
  {
    for number in (1...count).reversed() { try blob("\(number)/\(count)", of: plan()) }
    let merge = try merge([folder.path])
    #expect(merge.plan.facts == plan().facts)
    #expect(merge.texts == ["policies/base.json": "{ }\n"])
    let read = try merge.values(of: CaseRecording.self)
    #expect(read.count == 7)
    for (number, read) in read.enumerated() {
      let written = Self.recording(number)
      #expect(read.events == written.events)
      #expect(read.output.map(\.lines) == written.output.map(\.lines))
      #expect(read.output.map(\.count) == [30])
      #expect(read.returned == written.returned)
      #expect(read.unordered == written.unordered)
      #expect(abs((read.duration - written.duration) / .nanoseconds(1)) < 2)
    }
  }

  @Test func `a shard that is interrupted by an error leaves no blob`() throws {
    let path = folder.path("1.blob")
    #expect(throws: RunError.self) {
      let work = try ShardWork(plan(), blob: path)
      _ = try work.perform(by: ThreadPool(of: 1)) { number throws(RunError) in
        guard number < 3 else { throw RunError(.command, "no", rule: "no") }
        return Self.recording(number)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [
    (["2/4", "4/4"], "sluice: error: of 4 shards, 2 are missing: 1, 3 [merge]"),
    (
      ["1/2", "2/2", "1/2"],
      "other.blob: error: this blob and 1.blob are both shard 1/2; name only one of them [merge]"
    ),
    (
      ["1/2", "2/3"],
      "2.blob: error: this blob is shard 2/3, but 1.blob is shard 1/2: the numbers of shards differ [merge]"
    ),
  ])
  func `the error of a merge names missing, duplicate and mismatched shards`(
    shards: [String], message: String
  ) throws {
    let paths = try shards.enumerated().map { index, shard in
      try blob(shard, as: index > 1 ? "other" : nil, of: plan())
    }
    #expect(refusal(of: paths) == message)
  }

  @Test func `merging blobs of different runs fails with the first difference`() throws {
    let changes: [(String, (inout Plan) -> Void)] = [
      (
        "the version of this blob is sluice 0.2.0, but the version of 1.blob is sluice 0.1.0",
        { $0.version = "sluice 0.2.0" }
      ),
      (
        "the command of this blob is `sluice criteria`, but the command of 1.blob is `sluice run`",
        { $0.command = "criteria" }
      ),
      (
        "the options of this blob are none, but the options of 1.blob are `--seed 7`",
        { $0.options = [] }
      ),
      (
        "the files of this blob differ from those of 1.blob: policies/base.json had other contents",
        { $0.files["policies/base.json"] = "22" }
      ),
      (
        "the files of this blob differ from those of 1.blob: only one of the shards read b.yaml",
        { $0.files["b.yaml"] = "33" }
      ),
      (
        "the work of this blob differs from that of 1.blob: piece 4 is `another` of a.yaml here, and `case 3` of a.yaml there",
        { $0.pieces[3].name = "another" }
      ),
      (
        "the work of this blob differs from that of 1.blob: it has 6 pieces, not 7",
        { $0.pieces.removeLast() }
      ),
    ]
    for (sentence, change) in changes {
      let paths = [try blob("1/2", of: plan()), try blob("2/2", of: plan(change))]
      #expect(refusal(of: paths) == "2.blob: error: \(sentence) [merge]")
    }
  }

  @Test func `shards split by different durations cannot be merged`() throws {
    let report = try JSONReader.read(
      #"""
      {"durations":[{"file":"a.yaml","name":"case 0","milliseconds":1},
        {"file":"a.yaml","name":"case 6","milliseconds":500}]}
      """#)
    let times = try #require(PieceTimes(report: report))
    let paths = [try blob("1/2", of: plan()), try blob("2/2", of: plan(), times)]
    #expect(refusal(of: paths).hasSuffix("give all shards the same `--durations` [merge]"))
  }

  @Test func `a blob truncated at any byte, or with a changed byte, is rejected`() throws {
    let path = try blob("1/1", of: plan())
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for cut in stride(from: 0, to: whole.count, by: 97) {
      try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
      let refusal = refusal(of: [path])
      #expect(
        refusal.contains("is cut off after") || refusal.contains("this is not a blob"),
        "\(cut): \(refusal)")
    }
    for place in stride(from: 0, to: whole.count - 1, by: 53) {
      var changed = whole
      changed[place] = changed[place] == 0x31 ? 0x32 : 0x31
      try changed.write(to: URL(fileURLWithPath: path))
      #expect(refusal(of: [path]) != "nothing", "byte \(place)")
    }
  }

  /// Returns a blob of one piece with this result and a valid digest.
  private func sealed(_ result: String, events: [String] = []) throws -> String {
    let path = try blob(
      "1/1", of: plan { $0.pieces = [Piece(file: "a.yaml", name: "case 0", steps: 1)] })
    let head = try folder.read("1.blob").split(separator: "\n").prefix(2).map(String.init)
    let piece = #"{"piece":0,"events":\#(events.count),"result":\#(result)}"#
    let text = (head + [piece] + events).map { $0 + "\n" }.joined()
    let digest = sha256(Array(text.utf8)).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }
    try folder.write(
      text + #"{"end":1,"digest":"\#(digest.joined())"}"# + "\n", to: "1.blob")
    return path
  }

  @Test func `a blob piece without exactly one start event of its own case is rejected`()
    throws
  {
    var writer = JSONWriter()
    Self.recording(0).events[0].write(to: &writer)
    let began = writer.text
    for events in [[], [began, began], [began.replacing("case 0", with: "case 1")]] {
      let path = try sealed(#"{"nanoseconds":1}"#, events: events)
      #expect(throws: RunError.self) { try merge([path]).values(of: CaseRecording.self) }
    }
    let path = try sealed(#"{"nanoseconds":1}"#, events: [began])
    #expect(try merge([path]).values(of: CaseRecording.self).count == 1)
  }

  @Test(arguments: ["9223372036854775807", "-1", "1e40", "null", "[]"])
  func `out-of-range numbers in a blob are rejected`(number: String) throws {
    let round = #"{"seed":"1","steps":\#(number),"rounds":1,"counts":{}}"#
    #expect(throws: RunError.self) {
      try merge([sealed(round)]).values(of: RoundOutcome.self)
    }
    let extract = #"{"lines":[],"counts":[],"span":[1,\#(number),1],"cutOff":false}"#
    #expect(throws: RunError.self) {
      try merge([sealed(extract)]).values(of: JournalExtract.self)
    }
  }

  @Test func `the error about a file that is not a blob names the file`() throws {
    try folder.write("apps: {}\n", to: "x.blob")
    #expect(
      refusal(of: [folder.path("x.blob")])
        == "x.blob:1:1: error: this is not a blob; expected a file of `--blob` [blob]")
    #expect(refusal(of: [folder.path("none.blob")]).contains("no such file"))
    try folder.write("", to: "empty/readme")
    #expect(
      refusal(of: [folder.path("empty")])
        == "empty: error: the folder contains no blob (`.blob`) [blob]")
  }
}
