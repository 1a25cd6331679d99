// On iOS, Foundation includes this API. On Linux, it is a separate module.
@_exported public import FoundationNetworking
