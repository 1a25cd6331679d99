// On iOS, Foundation includes this API; on Linux, it is a separate module.
@_exported public import FoundationNetworking
