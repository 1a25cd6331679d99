import Bundle
import Testing

@Suite struct XcodeProjectTests {
  private static let project = """
    // !$*UTF8*$!
    {
    	objects = {
    		A1 /* Debug */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				SWIFT_VERSION = 5.0;
    			};
    			name = Debug;
    		};
    		A2 /* Debug */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				INFOPLIST_FILE = Mail/Info.plist;
    				LD_RUNPATH_SEARCH_PATHS = (
    					"$(inherited)",
    				);
    				PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail.debug;
    			};
    			name = Debug;
    		};
    		A3 /* Release */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				INFOPLIST_FILE = Mail/Info.plist;
    				PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail;
    			};
    			name = Release;
    		};
    		A4 /* Release */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				BASE_ID = com.contoso.mail;
    				INFOPLIST_FILE = "$(SRCROOT)/Save Mail/Info.plist";
    				PRODUCT_BUNDLE_IDENTIFIER = "$(BASE_ID).save";
    			};
    			name = Release;
    		};
    		A5 /* Release */ = {
    			isa = XCBuildConfiguration;
    			buildSettings = {
    				INFOPLIST_FILE = Notes/Info.plist;
    				PRODUCT_BUNDLE_IDENTIFIER = "$(ORGANISATION).notes";
    			};
    			name = Release;
    		};
    	};
    }
    """

  @Test(arguments: [
    ("Mail/Info.plist", "com.contoso.mail"), ("Save Mail/Info.plist", "com.contoso.mail.save"),
    ("Notes/Info.plist", nil), ("Info.plist", nil),
  ])
  func `an Xcode target's bundle id is found by the path of its Info.plist`(
    infoPlist: String, bundleID: String?
  ) {
    #expect(XcodeProject(Self.project).bundleID(ofTargetWith: infoPlist) == bundleID)
  }

  @Test(arguments: ["", "{", "buildSettings = {", "name = Release;", "}\n}\nINFOPLIST_FILE = a;"])
  func `a file that is not an Xcode project has no targets`(text: String) {
    #expect(XcodeProject(text).bundleID(ofTargetWith: "a") == nil)
  }
}
