public import Dispatch
public import Foundation

/// The parameters that all calls with a completion block have in common.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// The queue on which the completion block runs.
  ///
  /// If it is nil, the block runs on the main thread after interactive calls and sign-outs, and on a background thread
  /// after silent token requests. After other calls, it runs on the caller's thread.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
