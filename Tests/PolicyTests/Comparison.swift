import Model
import Policy
import Testing

/// Asks the engine and the naive evaluator the same, counts what they answer, and keeps the first
/// mismatches, made as small as they can be.
struct Comparison {
  static let limit = 5

  private(set) var cases = 0
  private(set) var mismatches: [String] = []
  /// How often the engine gave each answer.
  private var counts: [Channel: [Outcome: Int]] = [:]

  var isFull: Bool { mismatches.count >= Self.limit }

  /// `origin` says where the request comes from, such as a seed and an index.
  mutating func check(_ request: TransferRequest, origin: @autoclosure () -> String = "") {
    cases += 1
    let outcome = evaluate(request).outcome
    counts[request.channel, default: [:]][outcome, default: 0] += 1
    guard outcome != NaiveEvaluator.outcome(of: request) else { return }
    let smallest = request.simplified { Self.mismatch($0) != nil }
    mismatches.append(
      "\(origin())\(Self.mismatch(smallest) ?? "")\n\(smallest.summary)")
  }

  /// What the two say where they disagree.
  private static func mismatch(_ request: TransferRequest) -> String? {
    let verdict = evaluate(request)
    let expected = NaiveEvaluator.outcome(of: request)
    guard verdict.outcome != expected else { return nil }
    let reasons = verdict.reasons.map { "\($0.side) \($0.rule)" }.joined(separator: ", ")
    return "engine \(verdict.outcome) (\(reasons)), naive \(expected)"
  }

  /// What the engine answered on a channel.
  func outcomes(on channel: Channel) -> Set<Outcome> { Set(counts[channel, default: [:]].keys) }

  /// That nothing was left out, and that every channel gave each of `outcomes`, or every answer that it
  /// has.
  func expectAgreement(on count: Int, channels: [Channel], outcomes: Set<Outcome>? = nil) {
    recordIssues(mismatches)
    guard !isFull else { return }
    #expect(cases == count)
    #expect(Set(counts.keys) == Set(channels))
    for channel in channels {
      #expect(self.outcomes(on: channel) == outcomes ?? channel.possibleOutcomes, "\(channel)")
    }
  }
}

/// One issue each, so that the whole text is printed once.
func recordIssues(_ texts: [String]) {
  for text in texts { Issue.record("\(text)") }
}

extension Channel {
  /// The answers that the channel has.
  var possibleOutcomes: Set<Outcome> {
    switch self {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      [.blocked, .encrypted, .allowed]
    case .fileEncryption: [.encrypted, .allowed]
    case .clipboard, .contactRead, .openURL, .universalLink, .appClip, .saveTo, .openFrom,
      .documentPickerExport, .documentPickerImport:
      [.blocked, .allowed]
    case .mailComposer, .messageComposer, .print, .notification, .contactSync, .widget,
      .spotlight, .siriIntents, .appIntents, .backup, .screenCapture, .writingTools, .genmoji,
      .keyboard, .webView, .safariExtension:
      [.blocked, .allowed]
    }
  }
}
