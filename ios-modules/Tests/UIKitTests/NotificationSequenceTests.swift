internal import FoundationExtensions
internal import Foundation
internal import Testing

@Suite struct NotificationSequenceTests {
  @Test
  func `a notification sequence omits earlier notifications and those of other names or senders`()
    async
  {
    let (center, sender) = (NotificationCenter(), NSObject())
    func post(_ name: String, _ number: Int, by object: NSObject?) {
      center.post(name: Notification.Name(name), object: object, userInfo: ["number": number])
    }
    post("a", 1, by: sender)
    let notifications = center.notifications(named: Notification.Name("a"), object: sender)
    post("a", 2, by: sender)
    post("b", 3, by: sender)
    post("a", 4, by: nil)
    post("a", 5, by: sender)
    var numbers: [Int] = []
    for await notification in notifications {
      numbers.append(notification.userInfo?["number"] as? Int ?? 0)
      if numbers.count == 2 { break }
    }
    #expect(numbers == [2, 5])
  }
}
