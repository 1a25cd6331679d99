extension LeakModel {
  /// The model in Promela, for SPIN. A place outside prints `leak` and its number where it is reached.
  public var promela: String {
    """
    /* Where data of managed accounts can come: \(places.count) places, of which SPIN finds those within reach.
       spin -a FILE && cc -w -DSAFETY -DBFS -DPRINTF -o pan pan.c && ./pan -n */
    short at = 0;
    active proctype data() {
    end:
      do
    \(beginnings.map { "  :: d_step { at == 0 -> at = \($0.place) } /* \($0.words.inComment) */" }.lines)
    \(moves.map { "  :: d_step { at == \($0.from) -> at = \($0.to) } /* \($0.words.inComment) */" }.lines)
    \(sinks.map { "  :: d_step { at == \($0.number) -> printf(\"leak \($0.number)\\n\") } /* \($0.words.inComment) */" }.lines)
      od
    }

    """
  }

  /// The model in Murphi, for Rumur. A place outside is covered where it is reached.
  public var murphi: String {
    """
    -- Where data of managed accounts can come: \(places.count) places, of which Rumur finds those within reach.
    -- rumur --deadlock-detection off --output model.c FILE && cc -w -march=native -o model model.c -lpthread -latomic
    type place: 0..\(places.count);
    var at: place;
    startstate "nowhere" begin at := 0; end;
    function leads(here: place; there: place): boolean;
    begin
      switch here
      case 0: return \(beginnings.map { "there = \($0.place)" }.joined(separator: " | "));
    \(targets.map { "  case \($0.from): return \($0.to.joined(separator: " |\n    "));" }.lines)
      end;
      return false;
    end;
    ruleset next: place do rule "move" leads(at, next) ==> begin at := next; end; end;
    \(sinks.map { "cover \"leak \($0.number)\" at = \($0.number); -- \($0.words.inComment)" }.lines)

    """
  }

  /// The places that each place leads to, each with the move in words.
  private var targets: [(from: Int, to: [String])] {
    Dictionary(grouping: moves, by: \.from).sorted { $0.key < $1.key }.map { from, moves in
      (from, moves.map { "there = \($0.to) /* \($0.words.inComment) */" })
    }
  }

  private var sinks: [(number: Int, words: String)] {
    places.enumerated().compactMap { index, place in
      guard case .sink(let sink, _) = place else { return nil }
      return (index + 1, sink.text)
    }
  }
}

extension [String] {
  fileprivate var lines: String { joined(separator: "\n") }
}

extension String {
  /// The text as a comment holds it, which it must not end.
  fileprivate var inComment: String {
    replacing("*/", with: "* /").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
