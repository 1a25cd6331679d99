/// Makes steps from a pattern's parts.
struct PatternCompiler {
  private(set) var steps: [Pattern.Step] = []
  private let ignoresCase: Bool
  private let ignoresMarks: Bool

  init(ignoresCase: Bool, ignoresMarks: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresMarks = ignoresMarks
  }

  mutating func add(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .set(let set): try append(.scalar(folded(set)))
    case .start: try append(.start)
    case .end: try append(.end)
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .alternatives(let nodes): try add(alternatives: nodes)
    case .repeated(let node, let least, let most):
      for _ in 0..<least {
        let count = steps.count
        try add(node)
        // A part without steps makes none however often, and repetitions nest.
        if steps.count == count { break }
      }
      if let most {
        for _ in least..<most { try add(optional: node) }
      } else {
        try add(star: node)
      }
    }
  }

  private mutating func append(_ step: Pattern.Step) throws(PatternError) {
    guard steps.count < Pattern.maximumSteps else {
      throw PatternError(message: "one that repeats too much")
    }
    steps.append(step)
  }

  private mutating func add(alternatives nodes: [PatternNode]) throws(PatternError) {
    var jumps: [Int] = []
    for (place, node) in nodes.enumerated() {
      let split = steps.count
      let isLast = place == nodes.count - 1
      if !isLast { try append(.split(0, 0)) }
      try add(node)
      if !isLast {
        jumps.append(steps.count)
        try append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
      }
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func add(optional node: PatternNode) throws(PatternError) {
    let split = steps.count
    try append(.split(0, 0))
    try add(node)
    steps[split] = .split(split + 1, steps.count)
  }

  private mutating func add(star node: PatternNode) throws(PatternError) {
    let split = steps.count
    try append(.split(0, 0))
    try add(node)
    try append(.jump(split))
    steps[split] = .split(split + 1, steps.count)
  }

  /// The set without marks, which the text loses before it is compared.
  private func folded(_ set: ScalarSet) -> ScalarSet {
    var set = set
    set.ignoresCase = ignoresCase
    guard ignoresMarks else { return set.inOrder }
    set.ranges = set.ranges.map { range in
      guard range.lowerBound == range.upperBound,
        let folded = TextFolding(.diacriticInsensitive)
          .scalars(of: String(Character(range.lowerBound))).first
      else { return range }
      return folded...folded
    }
    return set.inOrder
  }
}
