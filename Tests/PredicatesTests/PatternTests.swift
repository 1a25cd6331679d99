import Testing

@testable import Predicates

struct PatternTests {
  @Test(
    arguments: [
      ("", "", false), ("", "a", false), ("abc", "abc", true), ("abc", "xabcx", false),
      ("a.c", "abc", true), ("a.c", "a\nc", false), ("a|bc|", "bc", true), ("a|bc|", "", true),
      ("(a|b)*c", "ababc", true), ("(a|b)*c", "abd", false), ("(?:ab)+", "abab", true),
      ("(?:ab)+", "", false),
      ("(?<name>a)b?", "ab", true), ("a{2}", "aa", true), ("a{2}", "aaa", false),
      ("a{2,}", "aaaa", true),
      ("a{1,2}", "aaa", false), ("a{0}b", "b", true), ("a*?b+?", "aab", true),
      ("[a-c]+", "abc", true),
      ("[^a-c]+", "abc", false), ("[^a-c]+", "xyz", true), ("[]a]+", "]a", true),
      ("[a\\]-]+", "-]a", true),
      ("[\\d.]+", "1.2", true), ("\\w+\\s\\D", "a_1 x", true), ("\\S\\W", "a b", false),
      ("\\u0041", "A", true), ("public\\.[a-z]+(-[a-z0-9]+)*", "public.mpeg-4-audio", true),
      ("^a$", "a", true), ("\\Aa\\z", "a", true), ("a^b", "ab", false), ("(?i)ABC", "aBc", true),
      ("\\w+", "e\u{301}x", true), ("\\s", "\u{0B}", false), ("\\s", "\u{2003}", true),
      ("(a*)*", "aaaa", true), ("(a|a)*b", "aaaa", false), ("é", "é", true), ("x\\t", "x\t", true),
    ])
  func `a regular expression matches whole strings`(pattern: String, text: String, matches: Bool)
    throws
  {
    var budget = WorkBudget()
    #expect(try Pattern(pattern, options: []).matches(text, &budget) == matches)
  }

  @Test(
    arguments: [
      ("b", "abc", true), ("b", "ac", false), ("", "", true), ("", "abc", true),
      ("^b", "abc", false), ("^a", "abc", true), ("b$", "abc", false), ("c$", "abc", true),
      ("^abc$", "abc", true), ("^ab$", "abc", false), ("b|x", "abc", true), ("b", "a\nb\nc", true),
      ("^$", "", true), ("^$", "a", false), ("a{3}", "aaaa", true),
    ])
  func `a regular expression can match at any offset`(pattern: String, text: String, matches: Bool)
    throws
  {
    var budget = WorkBudget()
    #expect(try Pattern(findingIn: pattern).matches(text, &budget) == matches)
  }

  @Test(
    arguments: [
      ("ABC", "abc", TextOptions.caseInsensitive, true),
      ("[A-C]+", "abc", .caseInsensitive, true), ("[^a]", "A", .caseInsensitive, false),
      ("é", "E", [.caseInsensitive, .diacriticInsensitive], true),
      ("e", "É", [.caseInsensitive, .diacriticInsensitive], true), ("e", "é", [], false),
    ] as [(String, String, TextOptions, Bool)])
  func `the options for case and diacritics apply to regular expressions`(
    pattern: String, text: String, options: TextOptions, matches: Bool
  ) throws {
    var budget = WorkBudget()
    #expect(try Pattern(pattern, options: options).matches(text, &budget) == matches)
  }

  @Test(
    arguments: [
      ("(", "`(` without `)`"), (")", "`)` without `(`"), ("[a", "`[` without `]`"),
      ("*", "`*` with nothing to repeat"), ("{2}", "`{` with nothing to repeat"),
      ("a{", "`{` without a number"),
      ("a{1", "`{` without `}`"), ("a{3,2}", "repetition counts that descend or exceed 1000"),
      ("a{99999999999999999999}", "repetition counts that descend or exceed 1000"),
      ("a**", "two repetition operators in a row"),
      ("a++", "a possessive `+`, which is not supported"),
      ("\\", "`\\` at its end"), ("\\b", "`\\b`, which is not supported"),
      ("\\1", "`\\1`, which is not supported"), ("\\p{L}", "`\\p`, which is not supported"),
      ("\\u12", "`\\u` without the four hexadecimal digits of a character"),
      ("(?=a)", "`(?=`, which is not supported"),
      ("(?<!a)", "`(?<!`, which is not supported"),
      ("(?x)", "a `(?` group other than `(?:` and `(?i)`, which is not supported"),
      ("(?<name", "`(` without `)`"),
      ("[[:alpha:]]", "a set within `[…]`, which is not supported"),
      ("[!--z]", "`--` within `[…]`, which is not supported"),
      ("[z-a]", "a range whose last character comes before its first"),
      ("((a{1000}){1000}){1000}", "too many repetitions"),
    ])
  func `an invalid or unsupported regular expression is an error with the reason`(
    pattern: String, message: String
  ) {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern, options: []) }
    #expect(error?.message == message)
  }

  @Test func `the length, group depth and matching time of regular expressions are limited`() throws
  {
    #expect(throws: PatternError(message: "more than 1000 characters")) {
      try Pattern(String(repeating: "a", count: 1_001), options: [])
    }
    #expect(throws: PatternError(message: "groups nested deeper than 64 levels")) {
      try Pattern(String(repeating: "(", count: 500), options: [])
    }
    // A backtracking matcher would take 2 to the power of 2,000 steps.
    let text = String(repeating: "a", count: 2_000)
    var budget = WorkBudget()
    #expect(try !Pattern("((a+)+)+b", options: []).matches(text, &budget))
  }

  @Test func `nested repetitions of an empty regular expression are matched in bounded work`()
    throws
  {
    let nothing = String(repeating: "(", count: 60) + String(repeating: "){1000}", count: 60) + "a"
    var budget = WorkBudget()
    #expect(try Pattern(nothing, options: []).matches("a", &budget))
  }

  @Test func `the cost of matching grows linearly with pattern and text`() throws {
    let pattern = { (count: Int) in String(repeating: "(a|aa)*", count: count) + "b" }
    let steps = { (patterns: Int, letters: Int) in
      var budget = WorkBudget(elements: 10_000_000)
      let pattern = try Pattern(pattern(patterns), options: [])
      #expect(!pattern.matches(String(repeating: "a", count: letters), &budget))
      return budget.steps
    }
    let once = try steps(30, 500)
    #expect(try steps(30, 2_000) < 5 * once)
    #expect(try steps(120, 500) < 5 * once)
  }

  @Test func `matching a regular expression stops when the work budget is exhausted`() throws {
    let pattern = try Pattern(String(repeating: "(a|aa)*", count: 140), options: [])
    var budget = WorkBudget(elements: 1_000)
    #expect(!pattern.matches(String(repeating: "a", count: 100_000), &budget))
    #expect(budget.isExhausted)
    #expect(budget.elements < 1_100)
  }
}
