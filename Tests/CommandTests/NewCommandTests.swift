import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// What `sluice new` begins runs as it is, and overwrites nothing.
  @Suite struct NewCommandTests {
    @Test(arguments: [
      ["app", "Echo"], ["extension", "Clip"], ["extension", "Loud", "--kind", "action"],
      ["extension", "Keys", "--kind", "keyboard"],
      ["extension", "Bell", "--kind", "notificationService"], ["scenario", "first"],
    ])
    func whatIsBegunRuns(arguments: [String]) throws {
      let desk = try Desk()
      let begun = try desk.run(Desk.program, ["new"] + arguments)
      #expect(begun.status == 0, "\(begun.errors)")
      let ran = try desk.sluice("run", "\(arguments[1]).yaml")
      #expect(ran.status == 0, "\(ran.output) \(ran.errors)")
      let again = try desk.run(Desk.program, ["new"] + arguments)
      #expect(again.status == 2)
      #expect(again.errors.contains("the file exists; choose another name [file]"))
    }
  }
}
