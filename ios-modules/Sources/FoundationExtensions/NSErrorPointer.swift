public import Foundation

/// Where a method puts its error, as in `file.sync(&error)`; nil: nowhere.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
