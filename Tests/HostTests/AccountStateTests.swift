import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// An account's state is one fact: the device and every API of the SDK report the same.
  @Suite struct AccountStateTests {
    static let bob = Account(upn: "bob@example.org")

    /// Does what a URL says, and gives those who import from it the SDK's lists of accounts and the statuses that its
    /// delegate has heard.
    private static let script = """
      local heard, done = {}, 0
      app.enrollmentStatus(function(request, account, code) heard[#heard + 1] = request .. code end)
      app.opened(function(url)
        local call, account = url:match("^scripted:(%w+)/(.*)$")
        if call == "leave" then accounts.unenroll(account, true)
        else accounts[call](account) end
        done = done + 1
      end)
      app.provides(function()
        local function list(names) table.sort(names) return table.concat(names, ",") end
        return list(accounts.registered()) .. ";" .. list(accounts.enrolled()) .. ";"
          .. table.concat(heard, ",") .. ";" .. done
      end)
      """

    private let folder: Workspace
    private let lab: Lab

    init() throws {
      folder = try Workspace()
      lab = try Lab(policy: Settings()) { $0.accounts.append(Self.bob) }
      try lab.device.install(
        AppDescription(
          name: "scripted", bundleID: "com.example.managed",
          program: .script(path: try folder.write(Self.script, to: "scripted.lua")),
          integratesSDK: true, isMultiIdentity: true, schemes: ["scripted"]))
      try lab.app("other")
      lab.launch(["scripted"])
    }

    /// Has the script call the SDK, and waits until it has its answer.
    private func call(_ name: String, _ account: Account) {
      let before = answers().last
      lab.perform(.openURL(OpenURL("scripted:\(name)/\(account.upn)")), on: "other")
      while lab.device.guests.isRunning("scripted"), answers().last == before {}
    }

    /// The SDK's lists of registered and of enrolled accounts, and the statuses.
    private func told() -> [String] { Array(answers().prefix(3)) }

    private func answers() -> [String] {
      lab.perform(.import(source: "scripted", via: .sdk), on: "other")
      return (lab.inbox(of: "other").last ?? "")
        .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }

    private func state(of account: Account) -> String {
      lab.device.enrollment.view(of: account, in: "scripted")?.state ?? ""
    }

    private func check(after step: String) {
      let names = [Self.bob, Lab.anna].map { (name: $0.objectID ?? $0.upn, state: state(of: $0)) }
        .sorted { $0.name < $1.name }
      let told = told()
      #expect(told.count == 3, "after \(step)")
      let registered = names.filter { $0.state != "unregistered" }.map(\.name)
      let enrolled = names.filter { $0.state == "enrolled" }.map(\.name)
      #expect(told.first == registered.joined(separator: ","), "after \(step)")
      #expect(told.dropFirst().first == enrolled.joined(separator: ","), "after \(step)")
    }

    @Test func `a sign-in of a targeted account registers and enrolls it`() throws {
      call("signIn", Lab.anna)
      let anna = try #require(Lab.anna.objectID)
      #expect(state(of: Lab.anna) == "enrolled")
      #expect(told() == [anna, anna, "enrollment100"])
      call("enroll", Lab.anna)
      #expect(told() == [anna, anna, "enrollment100,enrollment208"])
      lab.close()
    }

    @Test func `the SDK does not know an account at which nothing is targeted`() throws {
      call("signIn", Self.bob)
      #expect(state(of: Self.bob) == "unregistered")
      #expect(told() == ["", "", ""])
      call("enroll", Self.bob)
      #expect(told() == [Self.bob.upn, "", "enrollment225"])
      call("signIn", Self.bob)
      #expect(state(of: Self.bob) == "waiting")
      #expect(told() == [Self.bob.upn, "", "enrollment225"])
      lab.close()
    }

    @Test func `a policy that is assigned after the sign-in enrolls the account`() throws {
      lab.device.enrollment.assign([], to: Lab.anna)
      call("signIn", Lab.anna)
      #expect(state(of: Lab.anna) == "unregistered")
      lab.device.enrollment.assign([Self.assignment], to: Lab.anna)
      #expect(state(of: Lab.anna) == "enrolled")
      check(after: "assign")
      #expect(told().last == "enrollment100")
      lab.close()
    }

    @Test func `an account that was signed in before the app started is enrolled`() throws {
      lab.stop("scripted")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "scripted")
      lab.launch(["scripted"])
      #expect(state(of: Lab.anna) == "enrolled")
      check(after: "launch")
      lab.close()
    }

    private static let assignment = PolicyAssignment(
      document: PolicyDocument(displayName: "lab", file: "lab.json", settings: Settings()),
      account: Lab.anna, apps: ["com.example.managed"])

    @Test(arguments: UInt64(1)...4)
    func `the device and scripts agree after every step of a random walk`(seed: UInt64) throws {
      var numbers = SeededGenerator(seed: seed)
      for number in 1...40 {
        let account = Bool.random(using: &numbers) ? Lab.anna : Self.bob
        let step = Int.random(in: 0..<9, using: &numbers)
        switch step {
        case 0, 1: call("signIn", account)
        case 2: call("enroll", account)
        case 3: call("signOut", account)
        case 4: call("unenroll", account)
        case 5: call("leave", account)
        case 6:
          let isTargeted = Bool.random(using: &numbers)
          lab.device.enrollment.assign(isTargeted ? [Self.assignment] : [], to: Lab.anna)
        case 7: try lab.device.enrollment.checkIn(account, in: "scripted")
        default:  // open: the last of the steps
          lab.stop("scripted")
          lab.launch(["scripted"])
        }
        check(after: "step \(number), \(step) of \(account.upn), seed \(seed)")
      }
      lab.close()
    }
  }
}
