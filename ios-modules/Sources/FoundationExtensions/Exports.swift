// On iOS, Foundation includes this API. On Linux, it is a separate module.
@_exported public import FoundationNetworking
// So does Foundation on Apple's systems: `@Observable` needs no other import.
@_exported public import Observation
