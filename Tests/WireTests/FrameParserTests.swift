import Testing
import Wire

@Suite struct FrameParserTests {
  private static let contents = Samples.guestBodies.map { content(frame(GuestMessage($0))) }
  private static let stream = contents.flatMap { frame($0) }

  @Test func `the frame parser finds all frames in order`() throws {
    let collector = FrameCollector()
    try collector.consume(Self.stream)
    #expect(collector.frames == Self.contents)
    #expect(collector.parser.keptCount == 0)
    #expect(throws: Never.self) { try collector.parser.finish() }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 64, 1000])
  func `the frame parser finds the same frames in chunks of any size`(size: Int) throws {
    let collector = FrameCollector()
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      try collector.consume(Self.stream[start..<min(start + size, Self.stream.count)])
    }
    #expect(collector.frames == Self.contents)
    #expect(throws: Never.self) { try collector.parser.finish() }
  }

  @Test func `a frame parser that pauses after each frame finds the same frames`() throws {
    let collector = FrameCollector(pausingAfterEach: true)
    try collector.consume(Self.stream)
    for count in 1...Self.contents.count {
      #expect(collector.frames.count == count)
      let rest = Self.contents[count...].reduce(0) { $0 + 4 + $1.count }
      #expect(collector.parser.keptCount == rest)
      try collector.resume()
    }
    #expect(collector.frames == Self.contents)
    #expect(collector.parser.keptCount == 0)
  }

  @Test func `bytes that arrive while the frame parser pauses are appended to its buffer`() throws {
    let collector = FrameCollector(pausingAfterEach: true)
    for start in stride(from: 0, to: Self.stream.count, by: 100) {
      try collector.consume(Self.stream[start..<min(start + 100, Self.stream.count)])
    }
    while collector.frames.count < Self.contents.count { try collector.resume() }
    #expect(collector.frames == Self.contents)
  }

  @Test func `a truncated stream yields its whole frames and reports the missing bytes`() throws {
    let contents = Array(Self.contents.prefix(12))
    let stream = contents.flatMap { frame($0) }
    let ends = contents.indices.map { contents[...$0].reduce(0) { $0 + 4 + $1.count } }
    for count in 0...stream.count {
      let collector = FrameCollector()
      try collector.consume(stream.prefix(count))
      let whole = ends.prefix { $0 <= count }
      #expect(collector.frames == Array(contents.prefix(whole.count)))
      expectFinish(collector.parser, at: count - (whole.last ?? 0), of: contents, whole.count)
    }
  }

  private func expectFinish(
    _ parser: FrameParser, at offset: Int, of contents: [[UInt8]], _ index: Int
  ) {
    #expect(parser.keptCount == offset)
    guard offset > 0 else {
      #expect(throws: Never.self) { try parser.finish() }
      return
    }
    let missing = offset < 4 ? 4 - offset : 4 + contents[index].count - offset
    #expect(throws: WireError.truncated(missing: missing)) { try parser.finish() }
  }

  @Test(arguments: [101, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func `a frame with an oversized length is rejected before it is buffered`(length: UInt32) throws {
    let header = withUnsafeBytes(of: length.littleEndian) { Array($0) }
    let error = WireError.frameTooLarge(length: Int(length), limit: 100)
    for split in 0...4 {
      let collector = FrameCollector(limit: 100)
      try collector.consume(header.prefix(split == 4 ? 0 : split))
      #expect(throws: error) { try collector.consume(header.dropFirst(split == 4 ? 0 : split)) }
      #expect(collector.parser.keptCount == 0)
      #expect(collector.frames.isEmpty)
    }
  }

  @Test func `frames before a frame with an oversized length are delivered`() {
    let collector = FrameCollector(limit: 2)
    #expect(throws: WireError.frameTooLarge(length: 3, limit: 2)) {
      try collector.consume(frame([1, 2]) + frame([]) + frame([1, 2, 3]) + frame([4]))
    }
    #expect(collector.frames == [[1, 2], []])
  }

  @Test func `after a pause, a frame with an oversized length is rejected before it is buffered`() {
    var parser = FrameParser(limit: 100)
    let bytes = frame([1]) + [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: WireError.frameTooLarge(length: 0xFFFF_FFFF, limit: 100)) {
      try bytes.withUnsafeBytes { try parser.consume($0) { _ in .pause } }
    }
    #expect(parser.keptCount == 0)
  }

  @Test(arguments: [0, 1, 100]) func `a frame of the maximum size is accepted`(limit: Int) throws {
    let collector = FrameCollector(limit: limit)
    let largest = [UInt8](repeating: 7, count: limit)
    try collector.consume(frame(largest))
    #expect(collector.frames == [largest])
  }

  @Test func `a large frame may arrive byte by byte`() throws {
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let stream = frame(large) + frame([1])
    let collector = FrameCollector()
    for index in stream.indices { try collector.consume(stream[index...index]) }
    #expect(collector.frames == [large, [1]])
  }

  @Test func `an error of the frame handler ends parsing`() {
    struct Enough: Error {}
    var parser = FrameParser()
    var count = 0
    #expect(throws: Enough.self) {
      try (frame([1]) + frame([2])).withUnsafeBytes { bytes in
        try parser.consume(bytes) { _ in
          count += 1
          throw Enough()
        }
      }
    }
    #expect(count == 1)
  }

  @Test func `an empty buffer contains no frame`() throws {
    let collector = FrameCollector()
    try collector.consume([])
    try collector.resume()
    #expect(collector.frames.isEmpty)
    #expect(throws: Never.self) { try collector.parser.finish() }
  }
}
