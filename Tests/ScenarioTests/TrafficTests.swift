import Encodings
import Model
import TestSupport
import Testing

@testable import Scenario

@Suite struct TrafficTests {
  private static let apps = """
    apps:
      shop-{1..20}: { bundle: "com.contoso.shop-{n}", schemes: ["shop{n}"] }
      clip: { bundle: com.contoso.shop-1.clip, extension: share, containingApp: shop-1 }
    steps:

    """

  private static func traffic(_ value: String) throws -> Action.Traffic {
    let steps = try ScenarioReadingTests.scenario(apps + "  - traffic: \(value)").cases[0].steps
    guard case .traffic(let traffic) = steps[0].action else { throw Unexpected() }
    return traffic
  }

  private struct Unexpected: Error {}

  private static func acts(_ traffic: Action.Traffic) -> [Action] { traffic.bursts.flatMap(\.acts) }

  private static let crowd =
    "{ seconds: 600, perApp: 2/min, kinds: { share: 5, paste: 3, openURL: 1, copy: 1 }, seed: 7 }"

  @Test func `traffic with the same seed has the same acts`() throws {
    let traffic = try Self.traffic(Self.crowd)
    #expect(traffic.bursts == traffic.bursts)
    #expect(try Self.traffic(Self.crowd).bursts == traffic.bursts)
    #expect(
      try Self.traffic(Self.crowd.replacing("seed: 7", with: "seed: 8")).bursts != traffic.bursts)
    #expect(traffic.text == "traffic of 20 guests for PT10M, 2/min each")
  }

  @Test
  func `each guest acts within the period, and kinds of act occur in proportion to their weights`()
    throws
  {
    let traffic = try Self.traffic(Self.crowd)
    let acts = Self.acts(traffic)
    #expect(acts.count == 20 * 20)
    for guest in traffic.guests {
      #expect(acts.count { $0.detail.actingGuest == guest } == 20)
    }
    let shares = acts.filter { if case .share = $0 { true } else { false } }
    #expect((140...260).contains(shares.count), "about half of 400")
    for share in shares {
      #expect(share.detail.receiver != share.detail.actingGuest)
      #expect(traffic.guests.contains(share.detail.receiver ?? ""))
    }
    #expect(traffic.bursts.reduce(0) { $0 + $1.delay } == 600)
    #expect(traffic.bursts.dropFirst().allSatisfy { $0.delay > 0 })
    #expect(traffic.bursts.last?.acts.isEmpty == true)
  }

  @Test func `a guest's traffic actions do not depend on other guests`() throws {
    let few = try Self.traffic("{ apps: [shop-1, shop-2], to: clip, seconds: 60, perApp: 1/s }")
    let more = try Self.traffic("{ apps: \"shop-{1..9}\", to: clip, seconds: 60, perApp: 1/s }")
    let first = { (traffic: Action.Traffic) in
      traffic.bursts.flatMap { burst in
        burst.acts.filter { $0.detail.actingGuest == "shop-1" }.map { (burst.time, $0) }
      }
    }
    #expect(first(few).map(\.0) == first(more).map(\.0))
    #expect(first(few).map(\.1) == first(more).map(\.1))
    #expect(Self.acts(few).allSatisfy { $0.detail.receiver == "clip" })
  }

  @Test func `a traffic step is converted to clock advances and concurrent acts`() throws {
    var step = Step(
      position: .init(line: 3, column: 5), action: .traffic(try Self.traffic(Self.crowd)))
    step.device = "phone"
    let parts = step.carriedOut
    #expect(parts.allSatisfy { $0.position == step.position && $0.count == 1 })
    var seconds = 0
    for part in parts {
      switch part.action {
      case .advance(let advance): seconds += advance.seconds
      case .concurrently(let acts):
        #expect(part.device == "phone")
        #expect(acts.steps.allSatisfy { $0.launchesApps && $0.device == "phone" })
      case .request(let request):
        #expect(request.detail is Action.Copy && part.launchesApps && part.device == "phone")
      default:  // open: other actions
        Issue.record("\(part.text)")
      }
    }
    #expect(seconds == 600)
    let acts = parts.reduce(0) { count, part in
      switch part.action {
      case .concurrently(let acts): count + acts.steps.count
      case .request: count + 1
      default: count  // open: advances
      }
    }
    #expect(acts == 400)
    #expect(parts.contains { $0.text.hasPrefix("traffic after PT") })
    let advance = Step(position: step.position, action: .advance(.init(seconds: 5)))
    #expect(advance.carriedOut == [advance])
  }

  @Test(arguments: [(15, 0, 60...140), (30, 0, 140...260), (105, 1, 260...340)])
  func `a fractional number of acts is the probability of one more act`(
    seconds: Int, whole: Int, more: ClosedRange<Int>
  ) throws {
    var count = 0
    for seed in 0..<20 {
      let traffic = try Self.traffic("{ seconds: \(seconds), perApp: 1/min, seed: \(seed) }")
      let acts = Self.acts(traffic)
      for guest in traffic.guests {
        let further = acts.count { $0.detail.actingGuest == guest } - whole
        #expect((0...1).contains(further))
        count += further
      }
    }
    #expect(more.contains(count), "a quarter, a half or three quarters of 400")
  }

  @Test(
    arguments: table(
      """
      { seconds: 60 }
      => traffic needs `perApp` [missing-key]
      { perApp: 1/s }
      => traffic needs `seconds` [missing-key]
      { seconds: 0, perApp: 1/s }
      => `seconds` must be from 1 to 86400, found `0` [invalid-value]
      { seconds: 60, perApp: 2 }
      => `perApp` must be a number per `s`, `min` or `h`, such as `2/min`, found `2` [invalid-value]
      { seconds: 60, perApp: 0/s }
      => `perApp` must be a number per `s`, `min` or `h`, such as `2/min`, found `0/s` [invalid-value]
      { seconds: 60, perApp: 1/s, kinds: {} }
      => `kinds` is empty [missing-key]
      { seconds: 60, perApp: 1/s, kinds: { shares: 1 } }
      => `kinds` cannot be `shares`; did you mean `share`? [invalid-value]
      { seconds: 60, perApp: 1/s, kinds: { share: 0 } }
      => `share` must be from 1 to 1000, found `0` [invalid-value]
      { seconds: 60, perApp: 200/s }
      => the traffic has 240000 acts; the maximum is 200000 [too-large]
      { seconds: 60, perApp: 1/s, apps: shop-1 }
      => a single app has no other app to share with; add `to` [missing-key]
      """))
  func `an invalid traffic step is an error`(value: String, expected: String) {
    do {
      _ = try Self.traffic(value)
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasSuffix("error: " + expected), "\(error)")
    }
  }

  @Test func `traffic with openURL requires an app with a URL scheme`() {
    do {
      _ = try ScenarioReadingTests.steps(
        "  - traffic: { seconds: 60, perApp: 1/s, kinds: { openURL: 1 } }")
      Issue.record("no error")
    } catch {
      #expect(
        "\(error)".hasSuffix(
          "error: `openURL` needs an app with `schemes`, and none has them [missing-key]"))
    }
  }

  @Test func `traffic cannot be part of concurrent steps`() {
    do {
      _ = try ScenarioReadingTests.steps(
        "  - concurrently: [{ traffic: { seconds: 60, perApp: 1/s } }]")
      Issue.record("no error")
    } catch {
      #expect(
        "\(error)".hasSuffix("error: `concurrently` cannot contain `traffic` [invalid-value]"))
    }
  }
}
