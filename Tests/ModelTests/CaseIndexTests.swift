import Model
import Testing

struct CaseIndexTests {
  @Test func `the index of an enum case is its position in allCases`() {
    #expect(Setting.allCases.map(\.index) == Array(Setting.allCases.indices))
    #expect(Rule.allCases.map(\.index) == Array(Rule.allCases.indices))
    #expect(Side.allCases.map(\.index) == Array(Side.allCases.indices))
  }
}
