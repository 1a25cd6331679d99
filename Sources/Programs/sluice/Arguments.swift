public import ArgumentParser
public import Host
public import Leaks
public import Model
internal import Simulation
public import SystemCalls

// The words of the engine are the words of the command line.

extension SharingPath: ExpressibleByArgument {}
extension StorageLocation: ExpressibleByArgument {}
extension SystemCallProfile.Strictness: ExpressibleByArgument {}
extension DeviceConfiguration.Lineage: ExpressibleByArgument {}
extension LeakSearch.Behaviour: ExpressibleByArgument {}
extension SignInChoice: ExpressibleByArgument {}
extension DeviceChoice: ExpressibleByArgument {}
