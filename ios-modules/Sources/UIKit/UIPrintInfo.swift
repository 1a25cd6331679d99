public import Foundation

/// The properties of a print job, which have no effect.
@preconcurrency @MainActor open class UIPrintInfo: NSObject {
  open var jobName = ""
  open var outputType = OutputType.general

  public override init() { super.init() }

  public class func printInfo() -> UIPrintInfo { UIPrintInfo() }

  public enum OutputType: Int, Sendable {
    case general
    case photo
    case grayscale
    case photoGrayscale
  }
}
