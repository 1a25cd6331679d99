import Encodings
import TestSupport
import Testing

@Suite struct JSONRoundTripTests {
  private func readBack(_ value: Plain) throws -> Plain {
    var writer = JSONWriter()
    value.write(to: &writer)
    return Plain(try JSONReader.read(writer.bytes))
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `random JSON values are equal after writing and reading`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let value = Plain.any(depth: 5, using: &generator)
    #expect(try readBack(value) == value)
  }

  @Test func `every Unicode scalar survives a JSON round trip`() throws {
    let ranges: [ClosedRange<UInt32>] = [0...0xD7FF, 0xE000...0xFFFF, 0x1F300...0x1F6FF]
    var text = String.UnicodeScalarView()
    text.append(contentsOf: ranges.joined().compactMap(Unicode.Scalar.init))
    let read = try readBack(.string(String(text)))
    guard case .string(let again) = read else { return #expect(Bool(false), "not a string") }
    #expect(again.unicodeScalars.elementsEqual(text))
  }
}

extension Plain {
  fileprivate static func any(depth: Int, using generator: inout SeededGenerator) -> Plain {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .number("\(Int.random(in: .min ... .max, using: &generator))")
    case 3: return .string(anyText(using: &generator))
    case 4: return .array(several(using: &generator) { any(depth: depth - 1, using: &$0) })
    default:  // open: the last of the numbers
      return .object(
        several(using: &generator) {
          Member(name: anyText(using: &$0), value: any(depth: depth - 1, using: &$0))
        })
    }
  }

  private static func several<Element>(
    using generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Element
  ) -> [Element] {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in make(&generator) }
  }

  private static func anyText(using generator: inout SeededGenerator) -> String {
    let alphabet = Array("aZ0 \"\\/\n\r\t\u{0}\u{1F}\u{7F}é€😀\u{301}\u{2028}".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      text.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
    }
    return String(text)
  }
}
