import Cryptography
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 12, 32, 4096]) func `as many random bytes are returned as requested`(
    count: Int
  ) {
    #expect(randomBytes(count).count == count)
  }

  @Test func `1,000 results of random bytes all differ`() {
    #expect(Set((0..<1000).map { _ in randomBytes(16) }).count == 1000)
  }
}
