import IntuneLint
import Testing

@Suite struct APITableTests {
  @Test(
    arguments: [
      ("21.7.1", nil), ("9.0.3", nil), ("15.0", nil),
      ("99.9", "99.9 is newer than 21.7.1, the newest known release, which is used instead"),
      ("8.0.1", "8.0.1 is older than 9.0.3, the oldest known release"),
    ] as [(String, String?)])
  func `an SDK version outside the API table is reported`(version: String, caution: String?) throws
  {
    let version = try #require(SDKVersion(version))
    #expect(APITable.builtIn.caution(about: version) == caution)
  }
}
