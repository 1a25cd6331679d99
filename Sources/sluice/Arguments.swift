public import ArgumentParser
public import Transfer

// The words of the engine are the words of the command line.

extension Channel: ExpressibleByArgument {}
extension SharingPath: ExpressibleByArgument {}
extension StorageLocation: ExpressibleByArgument {}
