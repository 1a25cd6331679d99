import TestSupport
import Testing

extension RealProcesses {
  /// Tests the output of commands in documents.
  @Suite(.timeLimit(.minutes(10))) struct DocumentedOutputTests {
    private static let sessions = DocumentedSession.documents.flatMap {
      (try? DocumentedSession.all(in: $0)) ?? []
    }

    private static let tutorials = DocumentedSession.tutorials.compactMap {
      try? DocumentedSession.tutorial($0)
    }

    @Test(
      arguments: sessions.filter(isRun) + tutorials
    )
    func `commands in the documentation print the quoted output`(session: DocumentedSession) throws
    {
      for (command, printed) in zip(session.commands, try session.run()) {
        #expect(
          command.isLike(printed),
          "\(session.testDescription): `\(command.words)` prints\n\(printed.joined(separator: "\n"))"
        )
      }
    }

    private static func isRun(_ session: DocumentedSession) -> Bool {
      switch session.remark {
      case .notRun: false
      case .takesServerPrograms: ServerPrograms.areBuilt
      case .runAfter, .blockBefore, nil: true
      }
    }

    @Test
    func `at most five terminal sessions of the documentation are skipped, each with a reason`() {
      let reasons = Self.sessions.compactMap {
        if case .notRun(let why) = $0.remark { why } else { nil }
      }
      #expect(Self.sessions.count >= 35)
      #expect(reasons.count <= 5)
      #expect(reasons.allSatisfy { $0.split(separator: " ").count >= 3 }, "\(reasons)")
    }

    @Test func `each tutorial saves a file and runs at least ten commands`() {
      #expect(Self.tutorials.count >= 3)
      for tutorial in Self.tutorials {
        #expect(tutorial.commands.count >= 10, "\(tutorial.document)")
        #expect(tutorial.commands.contains { $0.words.hasPrefix("cat > ") }, "\(tutorial.document)")
      }
    }

    @Test(
      arguments: [
        (["a", "b"], ["a", "b"], true), (["a", ""], ["a"], true), (["a"], ["a", "b"], false),
        (["a", "…"], ["a"], true), (["a", "  …", "d"], ["a", "b", "c", "d"], true),
        (["…", "d"], ["d", "e"], false), (["a … c"], ["a b c"], true),
        (["a … c"], ["a b d"], false),
        (["…b…"], ["abc"], true), (["a"], ["a  "], true), (["a…a"], ["a"], false),
        ([], ["a"], false),
        (["…", "b", "…", "b"], ["b", "a", "b"], true),
      ] as [([String], [String], Bool)])
    func `an ellipsis in documented output matches any lines, or any text within a line`(
      expected: [String], printed: [String], isLike: Bool
    ) {
      let command = DocumentedSession.Command(words: "sluice", output: expected)
      #expect(command.isLike(printed) == isLike)
    }
  }
}
