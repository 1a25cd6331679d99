import Testing

@Suite struct MemberTests {
  @Test(arguments: [
    "IntuneMAMEnrollmentManager.instance().registerAndEnrollAccount(upn)",
    "let m = IntuneMAMPolicyManager.instance(); _ = m.isIdentityManaged(upn)",
    "let m: IntuneMAMPolicyManager = make(); m.setProcessIdentity(upn)",
    "IntuneMAMPolicyManager.instance().setUIPolicyIdentity(upn) { _ in }",
    "let p = IntuneMAMPolicyManager.instance().policy(); p?.isSaveToAllowed(for: .other, withAccountName: upn)",
    "if let p = IntuneMAMPolicyManager.instance().policy() { p.getSaveToLocations(forAccount: upn) }",
    "_ = IntuneMAMPolicyManager.instance().primaryUser",
  ])
  func `the use of a removed SDK member is reported`(body: String) throws {
    #expect(try Linting.codes(inFunction: body) == ["removedMember:1"])
  }

  @Test(arguments: [
    "registerAndEnrollAccount(call)", "plugin.registerAndEnrollAccount(call)",
    "IntuneMAMEnrollmentManager.instance().registerAndEnrollAccountId(id)",
    "IntuneMAMEnrollmentManager.instance().loginAndEnrollAccount(nil)",
    "IntuneMAMPolicyManager.instance().setUIPolicyAccountId(id) { _ in }",
    "user.primaryUser = upn",
  ])
  func `current SDK members and members of non-SDK types are not reported as removed`(body: String)
    throws
  {
    #expect(try Linting.codes(inFunction: body) == [])
  }

  @Test func `a removed member's name on a receiver of unclear type is not reported`() throws {
    let text = """
      func f() { let m = IntuneMAMPolicyManager.instance(); m.setProcessIdentity(upn) }
      func g(m: Mine) { m.setProcessIdentity(upn) }
      """
    #expect(try Linting.codes(text) == [])
  }

  @Test(arguments: [("21.7.1", nil), ("15.3.0", "tooNewMember:1")])
  func `a member newer than the SDK version is reported`(sdk: String, code: String?) throws {
    let text = "let p = IntuneMAMPolicyManager.instance().policy(forAccountId: id)"
    #expect(try Linting.codes(text, sdk: sdk) == (code.map { [$0] } ?? []))
  }
}
