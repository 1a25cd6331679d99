import Testing
import Wire

@testable import Host

@Suite struct MailboxTests {
  private let mailbox = Mailbox(DeviceConfiguration.Limits())

  private func errand(_ done: @escaping () -> Void = {}) -> PendingCall {
    .perform { _ in done() }
  }

  @Test func `what follows a guest's errands is done at once where it has none`() {
    var order: [String] = []
    mailbox.calls[1] = .item { _ in }
    mailbox.afterErrands { order.append("followed") }
    #expect(order == ["followed"])
  }

  @Test func `what follows a guest's errands waits for the last of them, and is done once`() {
    var order: [String] = []
    mailbox.calls[1] = errand()
    mailbox.calls[2] = errand()
    mailbox.afterErrands { order.append("first") }
    mailbox.afterErrands { order.append("second") }
    mailbox.calls[1] = nil
    mailbox.endedErrand()
    #expect(order == [])
    mailbox.calls[2] = nil
    mailbox.endedErrand()
    mailbox.endedErrand()
    #expect(order == ["first", "second"])
  }
}
