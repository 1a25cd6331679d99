/// The answers to the requests of one batch, which are sent together.
final class ControlBatch {
  private var answers: [[UInt8]?]
  private var remaining: Int
  private let done: ([UInt8]?) -> Void

  init(count: Int, _ done: @escaping ([UInt8]?) -> Void) {
    answers = Array(repeating: nil, count: count)
    remaining = count
    self.done = done
  }

  func settle(_ index: Int, _ answer: [UInt8]?) {
    answers[index] = answer
    remaining -= 1
    guard remaining == 0 else { return }
    let known = answers.compactMap(\.self)
    // A batch of notifications gets no answer, not even an empty list.
    done(
      known.isEmpty ? nil : Array("[".utf8) + known.joined(separator: ",".utf8) + Array("]".utf8))
  }
}
