public import Foundation

/// A pointer for returning an error, as in `file.sync(&error)`; nil discards the error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
