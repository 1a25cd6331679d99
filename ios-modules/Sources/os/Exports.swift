@_exported public import OSLog
