public import Foundation

/// A pointer through which an error is returned, as in `file.sync(&error)`. If it is nil, the error
/// is discarded.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
