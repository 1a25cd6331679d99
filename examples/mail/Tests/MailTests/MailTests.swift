import SluiceTesting
import Testing
import XCTest

/// Tests the app's own code: each test has a fresh phone with the accounts, policies and apps of mail.yaml.
@Suite struct MailTests {
  @Test func `the mailbox is shown once the policies have arrived`() async throws {
    let phone = try await Phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await mail.received(.newPoliciesReceived, for: "anna")
    try await mail.said("the mailbox is shown: true")
  }

  @Test func `a forwarded mail reaches managed apps only`() async throws {
    let phone = try await Phone()
    let mail = try await phone.launch("mail")
    let notes = try await phone.launch("notes")
    try await phone.enroll("anna", in: mail)
    try await mail.said("the mailbox is shown: true")
    try await notes.open("org-example-mail:forward")
    let forward = try await phone.step("chooseActivity: { app: mail, to: notes }")
    #expect(forward.verdict == .blocked)
    #expect(forward.verdict.rule == "sendManagedAppsToUnmanaged")
  }

  @Test func `another policy is read again`() async throws {
    let phone = try await Phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await mail.said("attachments may be saved on the phone: false")
    try await phone.apply(policy: "relaxed", to: "anna")
    try await mail.said("attachments may be saved on the phone: true")
  }
}

/// The same with XCTest.
final class MailboxTests: XCTestCase {
  func testAWipeDeletesTheMailbox() async throws {
    let phone = try await Phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await phone.wipe("anna", in: mail)
    try await mail.received(.wipeData, for: "anna")
    try await mail.said("the mailbox was wiped: true")
  }

  func testOrgDataIsNotSharedWithUnmanagedApps() async throws {
    let phone = try await Phone()
    let mail = try await phone.launch("mail")
    let notes = try await phone.launch("notes")
    try await phone.enroll("anna", in: mail)
    let share = try await mail.share("Quarterly figures", with: notes, as: "anna")
    XCTAssertEqual(share.verdict, .blocked)
  }
}
