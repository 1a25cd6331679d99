public import Dispatch
public import Foundation

/// The parameters of all calls with a completion block.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// The queue for the completion block. If nil, the block runs on the main thread after interactive calls and
  /// sign-outs, and on a thread of MSAL's choice after other calls.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
