/// How far something has come that is being loaded, and the way to do without it (`Progress`).
public final class LoadProgress {
  /// 0 to 1. Whoever provides a representation sets it; whoever loads one reads it.
  public var fractionCompleted: Double = 0 {
    didSet { onChange?(fractionCompleted) }
  }
  public private(set) var isCancelled = false
  /// Called once, when nobody wants the representation any longer.
  public var cancellationHandler: (() -> Void)?
  /// Called whenever more has come.
  public var onChange: ((Double) -> Void)?

  public init() {}

  /// Nobody wants it any longer. A load that has ended stays as it is.
  public func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    cancellationHandler?()
    cancellationHandler = nil
  }
}
