import Distribution
import JSON
import Testing
import TestSupport

@Suite struct AssignmentTests {
  private func pieces(_ steps: [Int]) -> [Piece] {
    steps.enumerated().map { Piece(file: "a.yaml", name: "case \($0)", steps: $1) }
  }

  private func parts(_ assignment: Assignment, _ count: Int) -> [[Int]] {
    (1...count).compactMap { Shard($0, of: count).map(assignment.pieces(of:)) }
  }

  @Test(arguments: 1...200)
  func `each piece is one shard's, and no shard has more than it must`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let steps = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      Int.random(in: 1...40, using: &random)
    }
    let count = Int.random(in: 1...9, using: &random)
    let parts = parts(Assignment(of: pieces(steps), to: count), count)
    #expect(parts.joined().sorted() == Array(steps.indices))
    // Greedy by size is at most a third over the best (Graham), which is no less than the mean and the largest.
    let loads = parts.map { $0.reduce(0) { $0 + steps[$1] } }
    let least = max(Double(steps.reduce(0, +)) / Double(count), Double(steps.max() ?? 0))
    let pairs = steps.sorted(by: >)
    let twoOnOne = steps.count > count ? Double(pairs[count - 1] + pairs[count]) : 0
    #expect(Double(loads.max() ?? 0) <= 4 / 3 * max(least, twoOnOne) + 1e-9)
    for part in parts { #expect(part.map { steps[$0] } == part.map { steps[$0] }.sorted(by: >)) }
  }

  @Test func `times of an earlier run count, and what it did not have is guessed by its steps`()
    throws
  {
    let report = try JSONReader.read(
      """
      {"durations":[{"file":"a.yaml","name":"case 0","milliseconds":100},
        {"file":"a.yaml","name":"case 1","milliseconds":900}]}
      """)
    let times = try #require(PieceTimes(report: report))
    // Ten steps take 1,000 ms: five take 500.
    let assignment = Assignment(of: pieces([5, 5, 5]), to: 2, times)
    #expect(parts(assignment, 2) == [[1], [2, 0]])
  }

  @Test func `cases of one name take their times in order`() throws {
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
  func `a report without times is none to go by`(text: String) throws {
    #expect(PieceTimes(report: try JSONReader.read(text)) == nil)
  }

  @Test(arguments: ["1/1", "4/4", "2/10000"])
  func `a shard is a number of a count`(text: String) { #expect(Shard(text)?.description == text) }

  @Test(arguments: ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/2/3", "a/b", "1/10001", "/", "1/"])
  func `what is no shard is refused`(text: String) { #expect(Shard(text) == nil) }
}
