// The types in the interface of this module: `import SluiceKit` is all that an app needs.
@_exported public import Model
@_exported public import struct Wire.KeychainKey
@_exported public import struct Wire.OutcomeReason
@_exported public import struct Wire.RequestOutcome
