public import Dispatch
public import Foundation

/// The parameters of all calls with a completion block.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// The queue for the completion block. If it is nil, the block runs on the main thread after interactive calls and
  /// sign-outs, on a background thread after silent token requests, and on the caller's thread after other calls.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
