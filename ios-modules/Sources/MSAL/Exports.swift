// The framework's headers import both modules, so an import of the framework makes them available.
@_exported public import Foundation
@_exported public import UIKit
