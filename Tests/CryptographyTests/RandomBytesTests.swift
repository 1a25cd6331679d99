import Cryptography
import Testing

@Suite struct RandomBytesTests {
  @Test(arguments: [0, 1, 12, 32, 4096]) func thereAreAsManyAsAskedFor(count: Int) {
    #expect(randomBytes(count).count == count)
  }

  @Test func noTwoAreAlike() {
    #expect(Set((0..<1000).map { _ in randomBytes(16) }).count == 1000)
  }
}
