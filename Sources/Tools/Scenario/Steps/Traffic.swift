internal import Encodings
internal import Model

extension Action {
  /// Acts of apps at random times in a period of virtual time. An act is a share, a copy, a paste or the opening of a
  /// URL. The same seed gives the same acts.
  package struct Traffic: StepDetail {
    /// The names of the acting guests; at least one.
    package var guests: [String]
    /// The names of the guests that receive shares. If empty, each acting guest shares with the other acting guests.
    package var receivers: [String]
    /// The URL schemes of the scenario's apps.
    package var schemes: [String]
    /// The period, in seconds of the virtual clock.
    package var seconds: Int
    package var rate: Rate
    /// The kinds of acts with their weights; at least one.
    package var kinds: [Weight]
    package var seed: UInt64

    /// The number of acts of each guest per unit of time.
    package struct Rate: Sendable, Equatable {
      package var count: Int
      package var unit: Unit

      package enum Unit: String, Sendable, CaseIterable {
        case second = "s"
        case minute = "min"
        case hour = "h"

        var seconds: Int {
          switch self {
          case .second: 1
          case .minute: 60
          case .hour: 3_600
          }
        }
      }
    }

    package struct Weight: Sendable, Equatable {
      package var kind: Kind
      package var weight: Int
    }

    package enum Kind: String, Sendable, CaseIterable {
      case share, copy, paste, openURL
    }

    /// The maximum number of acts in one traffic step, for all guests together.
    package static let mostActs = 200_000
    /// The maximum period, in seconds.
    package static let longest = 86_400
  }
}

extension Action.Traffic {
  package var text: String {
    let who = guests.count == 1 ? guests[0] : "\(guests.count) guests"
    return
      "traffic of \(who) for \(ISODuration.text(seconds)), \(rate.count)/\(rate.unit.rawValue) each"
  }

  private var expectedActs: Int {
    let (acts, isMore) = (guests.count * rate.count).multipliedReportingOverflow(by: seconds)
    return isMore ? .max : acts / rate.unit.seconds
  }
}

// MARK: - Acts

extension Step {
  /// The steps to run, in order: for a `traffic` step, the steps for its acts; for any other step, only the step
  /// itself.
  package var carriedOut: [Step] {
    guard case .traffic(let traffic) = action else { return [self] }
    return traffic.bursts.flatMap { burst -> [Step] in
      var steps: [Step] = []
      if burst.delay > 0 {
        steps.append(Step(position: position, action: .advance(.init(seconds: burst.delay))))
      }
      func part(_ act: Action) -> Step {
        var part = Step(position: position, action: act)
        part.device = device
        part.launchesApps = true
        return part
      }
      let isCopy = { (act: Action) in act.detail is Action.Copy }
      let others = burst.acts.filter { !isCopy($0) }
      if !others.isEmpty {
        let title = "traffic after \(ISODuration.text(burst.time))"
        var acts = Step(
          position: position, action: .concurrently(.init(steps: others.map(part), title: title)))
        acts.device = device
        steps.append(acts)
      }
      // Simultaneous pastes and copies would have no defined order.
      return steps + burst.acts.filter(isCopy).map(part)
    }
  }
}

extension Action.Traffic {
  /// The acts of all guests in the same second of virtual time.
  struct Burst: Equatable {
    /// The time from the beginning of the step, in seconds.
    let time: Int
    /// The time since the previous burst or, for the first burst, since the beginning of the step, in seconds.
    let delay: Int
    /// The acts, in the order of the guests. Empty if the burst only advances the clock to the end of the period.
    var acts: [Action]
  }

  /// The acts in order of time, with one burst for each second that has acts. If the period ends after the last act, an
  /// empty burst follows. Each guest has its own random numbers, so its acts do not depend on other guests.
  var bursts: [Burst] {
    var acts: [Int: [Action]] = [:]
    for (index, guest) in guests.enumerated() {
      var numbers = SplitMix(seed: SplitMix.seed(seed, of: guest))
      for act in self.acts(of: guest, at: index, &numbers) {
        acts[act.time, default: []].append(act.action)
      }
    }
    var last = 0
    var bursts = acts.keys.sorted().map { time in
      defer { last = time }
      return Burst(time: time, delay: time - last, acts: acts[time] ?? [])
    }
    if last < seconds { bursts.append(Burst(time: seconds, delay: seconds - last, acts: [])) }
    return bursts
  }

  /// Returns a guest's acts in order of time.
  private func acts(
    of guest: String, at index: Int, _ numbers: inout SplitMix
  ) -> [(time: Int, action: Action)] {
    let all = rate.count * seconds
    var count = all / rate.unit.seconds
    // A fraction of an act becomes its probability.
    if numbers.below(rate.unit.seconds) < all % rate.unit.seconds { count += 1 }
    let times = (0..<count).map { _ in numbers.below(seconds) }.sorted()
    return times.enumerated().map { number, time in
      (time, action(number + 1, of: guest, at: index, &numbers))
    }
  }

  private func action(
    _ number: Int, of guest: String, at index: Int, _ numbers: inout SplitMix
  ) -> Action {
    let item = StepItem.stated(Item(text: "Item \(number) of \(guest)"))
    switch draw(&numbers) {
    case .share:
      let receiver: String
      if receivers.isEmpty {
        // Another guest than the sender.
        let other = numbers.below(guests.count - 1)
        receiver = guests[other < index ? other : other + 1]
      } else {
        receiver = receivers[numbers.below(receivers.count)]
      }
      return .share(
        .init(from: guest, to: receiver, content: .item(item), via: .sdk, way: .share))
    case .copy: return Action(Action.Copy(guest: guest, item: item))
    case .paste: return Action(Action.Paste(guest: guest))
    case .openURL:
      let scheme = schemes[numbers.below(schemes.count)]
      return Action(
        Action.OpenURL(from: guest, url: "\(scheme)://item/\(number)", isKnownManagedScheme: false))
    }
  }

  private func draw(_ numbers: inout SplitMix) -> Kind {
    var rest = numbers.below(kinds.reduce(0) { $0 + $1.weight })
    for kind in kinds {
      guard rest >= kind.weight else { return kind.kind }
      rest -= kind.weight
    }
    preconditionFailure("the drawn number must be below the sum of the weights")
  }
}

// MARK: - Reading

extension Action.Traffic {
  static let step = StepRow(
    "traffic",
    "Let apps share, copy, paste and open URLs at random for a period of virtual time; apps that are not running are launched, as by their users, and a seed gives the same acts every time",
    .mapping(MappingRow("traffic", Key.self)),
    example: #"{"seconds": 600, "perApp": "2/min", "kinds": {"share": 5, "paste": 3}, "seed": 7}"#,
    synonyms: ["crowd", "load", "random"],
    page: "#many-apps"
  ) { (value, names) throws(InputError) in .traffic(try Action.Traffic(value, names)) }

  private enum Key: String, MappingKey {
    case apps, to, seconds, perApp, kinds, seed

    var row: KeyRow {
      switch self {
      case .apps: .optional(.reference("guests"), "The acting guests. Default: those of all apps")
      case .to:
        .optional(
          .reference("guests"),
          "The guests, or extensions, that get shares. Default: another acting guest, at random")
      case .seconds:
        .required(
          .init(json: #""type": "integer", "minimum": 1, "maximum": 86400"#),
          "The period in seconds of the virtual clock", synonyms: ["duration", "time"])
      case .perApp:
        .required(
          .name(matching: "^[1-9][0-9]{0,3}/(s|min|h)$"),
          "The number of acts of each guest per second, minute or hour; 200,000 of all guests in the period at most",
          synonyms: ["rate"])
      case .kinds:
        .optional(
          .init(
            json: #""type": "object", "minProperties": 1, "propertyNames": "#
              + "{\(ValueShape.word(of: Kind.self).members)}, "
              + #""additionalProperties": {"type": "integer", "minimum": 1, "maximum": 1000}"#),
          "The kinds of acts with their weights. Default: share: 1")
      case .seed:
        .optional(
          .init(json: #""type": "integer", "minimum": 0"#),
          "The seed of the random numbers. Default: 0")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "traffic")
    let apps = names.apps.filter { $0.extensionKind == nil }
    let guests =
      try fields[.apps].map { value throws(InputError) in try names.guests(value) }
      ?? apps.flatMap(\.guests)
    self.init(
      guests: guests,
      receivers: try fields[.to].map { value throws(InputError) in try names.guests(value) } ?? [],
      schemes: apps.flatMap(\.schemes),
      seconds: try fields.required(.seconds).int(in: 1...Self.longest),
      rate: try Rate(fields.required(.perApp)),
      kinds: try Self.kinds(fields[.kinds]),
      seed: UInt64(try fields[.seed]?.int(in: 0 ... .max) ?? 0))
    try check(fields, value)
  }

  private func check(_ fields: Fields<Key>, _ value: YAMLValue) throws(InputError) {
    guard !guests.isEmpty else {
      throw value.mistake(.missingKey, "traffic needs apps, and the scenario has none")
    }
    guard expectedActs <= Self.mostActs else {
      throw value.mistake(
        .tooLarge, "the traffic has \(expectedActs) acts; the maximum is \(Self.mostActs)")
    }
    let position = fields[.kinds]?.position ?? value.position
    if kinds.contains(where: { $0.kind == .share }), receivers.isEmpty, guests.count < 2 {
      throw InputError(
        .missingKey, at: position, "a single app has no other app to share with; add `to`")
    }
    if kinds.contains(where: { $0.kind == .openURL }), schemes.isEmpty {
      throw InputError(
        .missingKey, at: position, "`openURL` needs an app with `schemes`, and none has them")
    }
  }

  private static func kinds(_ value: YAMLValue?) throws(InputError) -> [Weight] {
    guard let value else { return [Weight(kind: .share, weight: 1)] }
    let kinds = try value.mapping().readEach { member throws(InputError) in
      var kind = member.value
      kind.kind = .scalar(member.key, isPlain: true)
      kind.position = member.position
      kind.name = value.name
      return Weight(kind: try kind.word(), weight: try member.value.int(in: 1...1_000))
    }
    guard !kinds.isEmpty else { throw value.mistake(.missingKey, "`kinds` is empty") }
    return kinds
  }
}

extension Action.Traffic.Rate {
  fileprivate init(_ value: YAMLValue) throws(InputError) {
    let text = try value.text()
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), (1...9_999).contains(count),
      let unit = Unit(rawValue: String(parts[1]))
    else {
      throw value.mistake(
        .invalidValue,
        "`\(value.name)` must be a number per `s`, `min` or `h`, such as `2/min`, found `\(text)`")
    }
    self.init(count: count, unit: unit)
  }
}
