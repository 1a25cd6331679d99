extension SystemTypes {
  /// Fonts, certificates, profiles, and types that only a pasteboard holds.
  static let system = """
    public.opentype-font < public.font
     .otf font/otf
    public.opentype-collection-font < public.opentype-font
     .otc
    public.truetype-font < public.font
    public.truetype-ttf-font < public.truetype-font
     .ttf font/ttf
    public.truetype-collection-font < public.truetype-font
     .ttc
    com.apple.truetype-datafork-suitcase-font < public.truetype-font
     .dfont
    com.apple.font-suitcase < public.font
     .suit
    com.adobe.postscript-font < public.font
    com.adobe.postscript-lwfn-font < com.adobe.postscript-font
    com.adobe.postscript-pfb-font < com.adobe.postscript-font
     .pfb
    com.adobe.postscript-pfa-font < com.adobe.postscript-font
     .pfa
    public.x509-certificate < public.data
     .cer .der .crt .pem application/x-x509-ca-cert
    com.rsa.pkcs-12 < public.data
     .p12 .pfx application/x-pkcs12
    com.apple.mobileconfig < public.xml
     .mobileconfig .mobile application/x-apple-aspen-config
    com.apple.configprofile < public.xml
     .configprofile
    com.apple.mobileprovision < public.data
     .mobileprovision application/x-apple-aspen-mobileprovision
    com.apple.provisionprofile < public.xml
     .provisionprofile
    com.apple.csstore < public.data public.database
     .csstore
    com.apple.uikit.image < public.data
    com.apple.uikit.color < public.data
    com.apple.uikit.attributedstring < public.data
    com.apple.cocoa.pasteboard.color < public.data
    com.apple.cocoa.pasteboard.sound < public.data
    com.apple.cocoa.pasteboard.character-formatting < public.data
    com.apple.cocoa.pasteboard.paragraph-formatting < public.data
    com.apple.cocoa.pasteboard.multiple-text-selection < public.data
    com.apple.cocoa.pasteboard.find-panel-search-options < public.data
    com.apple.pasteboard.promised-file-url
    com.apple.pasteboard.promised-file-content-type
    """
}
