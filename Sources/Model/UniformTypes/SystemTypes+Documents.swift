extension SystemTypes {
  static let documents = """
    com.adobe.pdf < public.data public.composite-content
     .pdf application/pdf
    com.adobe.postscript < public.data public.composite-content
     .ps application/postscript
    com.adobe.encapsulated-postscript < com.adobe.postscript
     .eps
    com.adobe.xfdf < public.data public.composite-content
     .xfdf
    com.adobe.fdf < public.data
     .fdf
    com.adobe.edn < public.data
     .edn
    com.adobe.etd < public.data
     .etd
    public.ofd < public.data public.composite-content
     .ofd application/ofd
    com.apple.rtfd < com.apple.package public.composite-content
     .rtfd
    com.apple.flat-rtfd < public.data public.composite-content
    com.apple.txn.text-multimedia-data < public.data public.composite-content
    com.apple.webarchive < public.data public.composite-content
     .webarchive application/x-webarchive
    com.apple.localized-pdf-bundle < com.apple.localizable-name-bundle com.apple.package \
    public.composite-content
     .lpdf
    org.idpf.epub-container < public.data public.composite-content
     .epub application/epub+zip
    org.aafassociation.advanced-authoring-format < public.data public.composite-content
     .aaf
    com.apple.ink.inktext < public.data
    com.apple.mapkit.map-item < public.data
    com.apple.linkpresentation.metadata < public.data
    com.apple.groupactivities.activity < public.data
     .groupactivity
    com.apple.coreml.model < public.data
     .mlmodel .mlkitmodel
    com.apple.coreml.mlpackage < com.apple.package
     .mlpackage
    com.apple.watchface < public.data public.content
     .watchface
    com.apple.pkpass < com.apple.bundle com.apple.package
     .pkpass application/vnd.apple.pkpass
    com.apple.pkpass-data < public.data
     .pkpass
    com.apple.pkpasses-data < public.data
     .pkpasses application/vnd.apple.pkpasses
    com.apple.help-document < public.data
    com.apple.generic-stationery < public.data
    com.apple.colorsync-profile < public.data
     .icc .icm .pf
    com.apple.color-file < public.data
     .clr .ccl
    """
}
