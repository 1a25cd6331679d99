import Model
import Testing

struct CaseIndexTests {
  @Test func `the index of a case is its position among all cases`() {
    #expect(Setting.allCases.map(\.index) == Array(Setting.allCases.indices))
    #expect(Rule.allCases.map(\.index) == Array(Rule.allCases.indices))
    #expect(Side.allCases.map(\.index) == Array(Side.allCases.indices))
  }
}
