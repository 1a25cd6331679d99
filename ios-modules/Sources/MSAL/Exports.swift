// The framework's headers import both modules, so importing it makes them available.
@_exported public import Foundation
@_exported public import UIKit
