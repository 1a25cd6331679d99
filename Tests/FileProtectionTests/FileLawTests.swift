import FileProtection
import Glibc
import TestSupport
import Testing

/// Encrypted files do what an array of bytes does.
@Suite struct FileLawTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(arguments: 0..<6) func aFileIsAnArrayOfBytes(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    try shelf.create()
    var handles = [try shelf.open(), try shelf.open()]
    var model: [UInt8] = []
    for step in 0..<700 {
      let which = Int.random(in: 0..<2, using: &generator)
      if Int.random(in: 0..<40, using: &generator) == 0 { handles[which] = try shelf.open() }
      try advance(handles[which], &model, &generator)
      let other = handles[1 - which]
      try check(other, model, &generator, "seed \(seed), step \(step)")
      try #require(try other.size == model.count, "seed \(seed), step \(step)")
      if step.isMultiple(of: 100) {
        try #require(try handles[which].contents() == model, "seed \(seed), step \(step)")
      }
    }
    #expect(try shelf.readAll() == model)
  }

  /// A write or a truncation, on the file and on the model.
  private func advance(
    _ file: EncryptedFile, _ model: inout [UInt8], _ generator: inout SeededGenerator
  ) throws {
    let far = 100 * 4096
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      let size = place(upTo: min(far, model.count + 20_000), &generator)
      try file.truncate(to: size)
      model = Array(model.prefix(size)) + zeros(size - model.count)
    case 1:
      let size = place(upTo: max(1, model.count), &generator)
      try file.truncate(to: size)
      model = Array(model.prefix(size)) + zeros(size - model.count)
    default:  // open: the last of the numbers
      let offset = place(upTo: min(far, model.count + 6000), &generator)
      let longest = Int.random(in: 0..<6, using: &generator) == 0 ? 90_000 : 9000
      let bytes = sample(place(upTo: longest, &generator), seed: generator.next())
      try file.write(bytes, at: offset)
      guard !bytes.isEmpty else { return }
      model += zeros(offset + bytes.count - model.count)
      model.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
  }

  private func check(
    _ file: EncryptedFile, _ model: [UInt8], _ generator: inout SeededGenerator, _ place: Comment
  ) throws {
    let offset = self.place(upTo: model.count + 100, &generator)
    let count = self.place(upTo: 30_000, &generator)
    let expected = Array(model.dropFirst(offset).prefix(count))
    try #require(try file.read(count, at: offset) == expected, place)
  }

  /// A place that is at the edge of a chunk more often than chance has it.
  private func place(upTo limit: Int, _ generator: inout SeededGenerator) -> Int {
    let any = Int.random(in: 0...limit, using: &generator)
    guard Int.random(in: 0..<3, using: &generator) == 0 else { return any }
    return min(limit, max(0, any / 4096 * 4096 + Int.random(in: -1...1, using: &generator)))
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: max(0, count)) }
}
