// Apple's framework exports these names itself.
@_exported public import enum Model.ManagedAppError
@_exported public import enum Model.SignatureAlgorithm
