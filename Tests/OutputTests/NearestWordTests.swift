import Output
import Testing

@Suite struct NearestWordTests {
  @Test(
    arguments: [
      ("allapps", "allApps"), ("allApp", "allApps"), ("al1Aps", "allApps"), (" none", "none"),
      ("nome", "none"), ("md", "mdm"), ("managed", nil), ("", nil), ("x", nil), ("mdn", "mdm"),
      ("zzz", nil),
    ] as [(String, String?)])
  func `what is nearly right is recognised`(word: String, meant: String?) {
    #expect(NearestWord.to(word, among: ["allApps", "managedApps", "none", "mdm"]) == meant)
  }

  @Test(arguments: [
    ("aps", "apps"), ("APPS", "apps"), ("acounts", "accounts"), ("acconuts", "accounts"),
    ("polices", "policies"),
  ])
  func `a letter may be missing, exchanged or swapped`(word: String, meant: String) {
    #expect(
      NearestWord.to(word, among: ["accounts", "apps", "policies"], within: 1) == meant)
  }

  @Test(arguments: [(1, nil), (2, nil), (3, "sitting")] as [(Int, String?)])
  func `the limit counts letters`(limit: Int, meant: String?) {
    #expect(NearestWord.to("kitten", among: ["sitting"], within: limit) == meant)
  }

  @Test func `of words at the same distance the order of the candidates does not matter`() {
    #expect(NearestWord.to("bat", among: ["cat", "bar"]) == "bar")
    #expect(NearestWord.to("bat", among: ["bar", "cat"]) == "bar")
  }

  @Test func `the nearest counts, wherever it stands`() {
    #expect(NearestWord.to("account", among: ["acct", "accounts", "amounts"]) == "accounts")
  }
}
