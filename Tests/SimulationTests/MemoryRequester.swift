import JSON

@testable import Simulation

/// A client without a connection, which keeps what it is answered.
final class MemoryRequester: ControlRequester {
  var isGone = false
  var isClosed: Bool { isGone }
  var follower: JournalFollower?
  /// In the order in which they came; nil: nobody waited for it.
  private(set) var answers: [JSONValue?] = []
  private(set) var settledCount = 0

  func settled() { settledCount += 1 }

  /// Asks for something.
  ///
  /// - Parameter id: nil: without waiting for an answer.
  func job(_ method: String = "launch", id: Int? = 1) throws -> ControlJob {
    let name = id.map { #""id":\#($0),"# } ?? ""
    let text = #"{"jsonrpc":"2.0",\#(name)"method":"\#(method)"}"#
    guard case .one(let request) = ControlRequest.read(Array(text.utf8)) else {
      throw ControlError(.invalidRequest, "no single request")
    }
    do {
      return ControlJob(try request.get(), of: self) { [weak self] answer in
        self?.answers.append(answer.flatMap { try? JSONReader.read($0) })
      }
    } catch {
      throw error.error
    }
  }

  /// Codes of the errors that it was answered with.
  var codes: [Int?] { answers.map { $0?["error"]?["code"]?.int } }
}
