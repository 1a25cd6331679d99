// Foundation has it on iOS, and Linux has it in a module of its own.
@_exported public import FoundationNetworking
