import Cryptography
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 12, 32, 4096])
  func `randomBytes returns exactly the requested number of bytes`(
    count: Int
  ) {
    #expect(randomBytes(count).count == count)
  }

  @Test func `1,000 arrays of 16 random bytes are all different`() {
    #expect(Set((0..<1000).map { _ in randomBytes(16) }).count == 1000)
  }
}
