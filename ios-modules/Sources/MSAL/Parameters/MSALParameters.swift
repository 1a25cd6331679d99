public import Dispatch
public import Foundation

/// What all calls with a completion block take.
open class MSALParameters: NSObject, @unchecked Sendable {
  /// Where the completion block is called; nil: on the main thread after interactive calls and sign-outs, and on a
  /// thread of MSAL's choice after others.
  open var completionBlockQueue: DispatchQueue?

  public override init() {}
}
