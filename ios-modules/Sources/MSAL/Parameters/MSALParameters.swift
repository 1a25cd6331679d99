public import Dispatch
public import Foundation

/// The parameters of all calls with a completion block.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// The queue for the completion block. If it is nil, the block runs on the main thread after
  /// interactive calls and sign-outs. After other calls, it runs on a thread that MSAL chooses.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
