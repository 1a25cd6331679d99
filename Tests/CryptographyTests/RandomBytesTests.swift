import Cryptography
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 12, 32, 4096]) func `as many random bytes are returned as requested`(
    count: Int
  ) {
    #expect(randomBytes(count).count == count)
  }

  @Test func `random bytes do not repeat`() {
    #expect(Set((0..<1000).map { _ in randomBytes(16) }).count == 1000)
  }
}
