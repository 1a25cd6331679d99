// The framework's headers import both, so that whoever imports it has them.
@_exported public import Foundation
@_exported public import UIKit
