public import Dispatch
public import Foundation

/// The parameters of all calls with a completion block.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// The queue for the completion block.
  ///
  /// If it is nil, the block runs on the main thread after interactive calls and sign-outs. After silent token
  /// requests, it runs on a background thread; after other calls, on the caller's thread.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
