import Encodings
import Testing

@testable import Declarations

struct ReferenceGraphTests {
  /// Returns a graph.
  ///
  /// - Parameter names: The referenced declarations of each declaration.
  static func graph(_ names: [String: [String]]) -> ReferenceGraph {
    let position = Position(line: 1, column: 1)
    return ReferenceGraph(
      Dictionary(
        uniqueKeysWithValues: names.map { name, targets in
          var checked = CheckedDeclaration(
            declaration: Declaration(
              typeName: "t", identifier: name, serverToken: "1",
              payload: JSONValue(.null, at: position), file: "f", position: position))
          checked.references = targets.map {
            PayloadChecker.Reference(identifier: $0, types: nil, path: "p", position: position)
          }
          return (name, checked)
        }))
  }

  @Test func `a reference cycle is reported with its shortest path`() {
    let graph = Self.graph(["a": ["b", "c"], "b": ["c"], "c": ["a", "d"], "d": [], "e": ["e"]])
    #expect(graph.cycle(from: "a", through: "b") == .path(["a", "b", "c", "a"]))
    #expect(graph.cycle(from: "a", through: "c") == .path(["a", "c", "a"]))
    #expect(graph.cycle(from: "c", through: "d") == nil)
    #expect(graph.cycle(from: "e", through: "e") == .path(["e", "e"]))
    #expect(graph.cycle(from: "a", through: "nobody") == nil)
  }

  /// The implementation must not take a step per declaration for each declaration, and must not
  /// copy paths.
  @Test func `very long reference cycles and chains are reported without their path`() {
    let count = 50_000
    let name = { (number: Int) in "d\(number)" }
    var names = Dictionary(
      uniqueKeysWithValues: (0..<count).map { (name($0), [name(($0 + 1) % count)]) })
    let ring = Self.graph(names)
    names[name(count - 1)] = []
    let chain = Self.graph(names)
    for number in 0..<count {
      let next = name((number + 1) % count)
      #expect(ring.cycle(from: name(number), through: next) == .long)
      #expect(chain.cycle(from: name(number), through: next) == nil)
    }
  }
}
