/// The references between declarations, and the cycles among them.
struct ReferenceGraph {
  /// A cycle from a declaration back to itself.
  enum Cycle: Equatable {
    case way([String])
    /// A cycle through very many declarations.
    case long
  }

  private let names: [String]
  private let numbers: [String: Int]
  /// The targets of each declaration, in the order of ``names``.
  private let targets: [[Int]]
  /// The group of each declaration; declarations that lead to one another are in the same group.
  private let groups: [Int]

  /// The maximum number of references that are followed for the words of a message.
  private static let maximumSteps = 32

  init(_ declarations: [String: CheckedDeclaration]) {
    let names = declarations.keys.sorted()
    let numbers = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    self.names = names
    self.numbers = numbers
    targets = names.map { name in
      Set((declarations[name]?.references ?? []).compactMap { numbers[$0.identifier] }).sorted()
    }
    var search = GroupSearch(targets: targets)
    groups = search.groups()
  }

  /// The cycle from a declaration back to itself through one that it names; nil where there is none.
  func cycle(from start: String, through first: String) -> Cycle? {
    guard let end = numbers[start], let next = numbers[first], groups[end] == groups[next] else {
      return nil
    }
    var origins = [next: end]
    var open = [next]
    var steps = 0
    var index = 0
    while index < open.count, origins[end] == nil {
      for target in targets[open[index]] where origins[target] == nil {
        guard groups[target] == groups[end] else { continue }
        steps += 1
        guard steps <= Self.maximumSteps else { return .long }
        origins[target] = open[index]
        open.append(target)
      }
      index += 1
    }
    var way = [end]
    var last = next == end ? nil : origins[end]
    while let step = last, step != end {
      way.append(step)
      last = step == next ? end : origins[step]
    }
    way.append(end)
    return .way(way.reversed().map { names[$0] })
  }
}

/// Finds the groups of nodes that lead to one another in one pass (Tarjan 1972), without recursion: chains may be long.
private struct GroupSearch {
  private let targets: [[Int]]
  private var order: [Int?]
  private var lowest: [Int]
  private var group: [Int?]
  private var stack: [Int] = []
  private var count = 0

  init(targets: [[Int]]) {
    self.targets = targets
    order = Array(repeating: nil, count: targets.count)
    lowest = Array(repeating: 0, count: targets.count)
    group = Array(repeating: nil, count: targets.count)
  }

  /// The group of each node, by the node's number.
  mutating func groups() -> [Int] {
    for node in targets.indices where order[node] == nil { visit(node) }
    return group.map { $0 ?? 0 }
  }

  private mutating func visit(_ root: Int) {
    var open: [(node: Int, next: Int)] = []
    enter(root, &open)
    while let last = open.last {
      if last.next < targets[last.node].count {
        open[open.count - 1].next += 1
        let target = targets[last.node][last.next]
        if let place = order[target] {
          if group[target] == nil { lowest[last.node] = min(lowest[last.node], place) }
        } else {
          enter(target, &open)
        }
      } else {
        open.removeLast()
        if let parent = open.last?.node { lowest[parent] = min(lowest[parent], lowest[last.node]) }
        close(last.node)
      }
    }
  }

  private mutating func enter(_ node: Int, _ open: inout [(node: Int, next: Int)]) {
    order[node] = count
    lowest[node] = count
    count += 1
    stack.append(node)
    open.append((node, 0))
  }

  /// Closes the group of `node`: where no earlier node is reached from `node`, the nodes above it on the stack are its
  /// group.
  private mutating func close(_ node: Int) {
    guard lowest[node] == order[node] else { return }
    while let member = stack.popLast() {
      group[member] = node
      if member == node { return }
    }
  }
}
