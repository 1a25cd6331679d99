import UIKit

UIExtensionMain(ShareViewController.self)
