@_exported public import Foundation
@_exported public import FoundationExtensions
@_exported public import UniformTypeIdentifiers
// On iOS, UIKit re-exports this module.
@_exported public import UserNotifications
