// On iOS, Foundation includes this API. On Linux, it is a separate module.
@_exported public import FoundationNetworking
// On iOS, Foundation re-exports this module, so `@Observable` needs no other import.
@_exported public import Observation
