/// The types that iOS and macOS declare, with their supertypes and tags.
///
/// Each type has a line `identifier < supertype … : tag …`. Tags that do not fit follow on the next lines. A tag is a
/// file name extension with a dot, or a MIME type. The tags of a type are in order of preference, and so are the types
/// that share a tag.
///
/// Source: Apple's System-Declared Uniform Type Identifiers, the headers `UTCoreTypes.h` and `UniformTypeIdentifiers`,
/// and the systems' own declarations. Types that items cannot have are omitted: devices, icons, categories of apps.
enum SystemTypes {
  static let declarations: [TypeDeclaration] = [
    abstract, text, sourceCode, images, audiovisual, documents, system, office, archives, places,
    bundles,
  ].flatMap(declarations(in:))

  private static func declarations(in table: String) -> [TypeDeclaration] {
    var declarations: [TypeDeclaration] = []
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      let types = words.prefix { $0 != ":" }
      if let identifier = types.first {
        declarations.append(
          TypeDeclaration(
            identifier: String(identifier), conformsTo: types.dropFirst(2).map(String.init),
            origin: .system))
      }
      add(words.dropFirst(types.count + 1), to: &declarations[declarations.count - 1])
    }
    return declarations
  }

  private static func add(_ tags: ArraySlice<Substring>, to declaration: inout TypeDeclaration) {
    for tag in tags {
      if tag.hasPrefix(".") {
        declaration.filenameExtensions.append(String(tag.dropFirst()))
      } else {
        declaration.mimeTypes.append(String(tag))
      }
    }
  }

  // MARK: Tables

  /// The types at the top of the hierarchy, and other types without a format of their own.
  private static let abstract = """
    public.item
    public.content
    public.data < public.item : application/octet-stream
    public.directory < public.item
    public.composite-content < public.content
    public.named-pipe < public.item
    public.character-special < public.item
    public.block-special < public.item
    public.socket < public.item
    public.executable
    public.archive
    public.bookmark
    public.database
    public.presentation < public.composite-content
    public.spreadsheet < public.content
    public.3d-content < public.content
    public.message
    public.email-message < public.message
    public.to-do-item
    public.calendar-event
    public.contact
    public.log < public.item
    public.playlist
    public.haptics-content
    public.audiovisual-content-collection
    public.image < public.data public.content
    public.audiovisual-content < public.data public.content
    public.movie < public.audiovisual-content
    public.video < public.movie
    public.audio < public.audiovisual-content
    public.font < public.data
    public.text < public.data public.content
    public.url < public.data
    public.file-url < public.url
    public.url-name < public.data
    public.stored-url
    com.apple.resolvable
    com.apple.active-webpage
    com.apple.live-photo
    """

  private static let text = """
    public.plain-text < public.text : .txt .text text/plain
    public.utf8-plain-text < public.plain-text : text/plain;charset=utf-8
    public.utf16-external-plain-text < public.plain-text
    public.utf16-plain-text < public.plain-text : text/plain;charset=utf-16
    com.apple.traditional-mac-plain-text < public.plain-text
    public.case-insensitive-text < public.text
    public.filename-extension < public.case-insensitive-text
    public.mime-type < public.case-insensitive-text
    com.apple.ostype < public.text
    com.apple.nspboard-type < public.text
    com.apple.device-model-code < public.text
    com.apple.structured-text < public.plain-text
    com.apple.structured-text.date < com.apple.structured-text
    com.apple.structured-text.address < com.apple.structured-text
    com.apple.structured-text.telephone-number < com.apple.structured-text
    com.apple.structured-text.transit-information < com.apple.structured-text
    public.delimited-values-text < public.text
    public.comma-separated-values-text < public.plain-text public.delimited-values-text
     : .csv text/csv text/comma-separated-values
    public.tab-separated-values-text < public.plain-text public.delimited-values-text
     : .tsv text/tab-separated-values
    public.utf8-tab-separated-values-text < public.tab-separated-values-text public.utf8-plain-text
    public.rtf < public.text : .rtf text/rtf
    public.html < public.text : .html .htm .shtml .shtm text/html
    public.xml < public.text : .xml application/xml text/xml
    public.xhtml < public.xml : .xhtml .xhtm .xht application/xhtml+xml
    public.rss < public.xml : .rss application/rss+xml
    public.xfd < public.xml : .xfd
    public.css < public.text : .css text/css
    public.patch-file < public.plain-text : .patch .diff
    public.json < public.text : .json application/json
    public.ndjson < public.text : .ndjson application/x-ndjson
    public.yaml < public.text : .yml .yaml application/x-yaml
    net.daringfireball.markdown < public.text : .md .markdown .mdown text/markdown
    com.scenarist.closed-caption < public.text : .scc
    org.w3.webvtt < public.text : .vtt text/vtt
    public.vcard < public.text public.contact : .vcf .vcard text/vcard text/directory text/x-vcard
    com.apple.ical.ics < public.text public.item public.calendar-event : .ics text/calendar
    com.apple.ical.vcs < public.text public.item public.calendar-event : .vcs .vcal text/x-vcalendar
    com.apple.mail.email < public.data public.email-message : .eml message/rfc822
    com.apple.property-list < public.data : .plist
    com.apple.xml-property-list < public.xml com.apple.property-list : .plist
    com.apple.binary-property-list < com.apple.property-list : .plist
    com.apple.ascii-property-list < public.text com.apple.property-list : .plist
    com.apple.log < public.plain-text public.log : .log
    com.apple.crashreport < public.utf8-plain-text public.log : .crash
    com.apple.hangreport < public.utf8-plain-text public.log : .hang
    com.apple.spinreport < public.utf8-plain-text public.log : .spin
    com.apple.panicreport < public.utf8-plain-text public.log : .panic
    com.apple.ktrace < public.data public.log : .ktrace
    """

  private static let sourceCode = """
    public.source-code < public.plain-text
    public.source-code.preprocessed < public.source-code
    public.script < public.source-code
    public.c-source < public.source-code : .c
    public.c-source.preprocessed < public.c-source public.source-code.preprocessed : .i
    com.apple.iig-source < public.c-source : .iig
    public.objective-c-source < public.source-code : .m
    public.objective-c-source.preprocessed < public.objective-c-source \
    public.source-code.preprocessed
     : .mi
    public.c-plus-plus-source < public.source-code : .cp .cpp .c++ .cc .cxx
    public.c-plus-plus-source.preprocessed < public.c-plus-plus-source \
    public.source-code.preprocessed
     : .ii
    public.objective-c-plus-plus-source < public.source-code : .mm
    public.objective-c-plus-plus-source.preprocessed < public.objective-c-plus-plus-source \
    public.source-code.preprocessed : .mii
    public.c-header < public.source-code : .h
    public.precompiled-c-header < public.source-code : .pch
    public.c-plus-plus-header < public.source-code : .hh .hp .hpp .hxx .h++ .ipp
    public.c-plus-plus-inline-header < public.c-plus-plus-header : .inl
    public.precompiled-c-plus-plus-header < public.source-code : .pch++
    public.swift-source < public.source-code : .swift
    public.rust-source < public.text public.source-code : .rs text/x-rust text/rust
    com.sun.java-source < public.source-code : .java .jav
    public.assembly-source < public.source-code : .s
    com.apple.rez-source < public.source-code : .r
    public.lex-source < public.source-code : .l .lm .lmm .lpp .lxx .ll
    public.yacc-source < public.source-code : .y .ym .ymm .ypp .yxx .yy
    public.mig-source < public.source-code : .defs .mig
    com.apple.symbol-export < public.source-code : .exp
    public.fortran-source < public.source-code : .f .for
    public.fortran-77-source < public.fortran-source : .f77
    public.fortran-90-source < public.fortran-source : .f90
    public.fortran-95-source < public.fortran-source : .f95
    public.pascal-source < public.source-code : .pas
    public.ada-source < public.source-code : .ada .adb .ads
    public.dylan-source < public.source-code : .dylan .lid
    public.opencl-source < public.source-code : .cl
    public.opengl-shader-language-source < public.source-code : .glsl .vert .frag
    com.apple.metal < public.source-code : .metal
    com.netscape.javascript-source < public.script public.executable
     : .js .jscript .javascript .mjs text/javascript application/javascript
    public.shell-script < public.script : .sh
    public.bash-script < public.shell-script : .bash
    public.csh-script < public.shell-script : .csh
    public.ksh-script < public.shell-script : .ksh
    public.tcsh-script < public.shell-script : .tcsh
    public.zsh-script < public.shell-script : .zsh
    public.perl-script < public.shell-script : .pl .pm text/x-perl-script
    public.python-script < public.shell-script : .py text/x-python-script
    public.ruby-script < public.shell-script : .rb .rbw text/x-ruby-script
    public.php-script < public.shell-script
     : .php .php3 .php4 .ph3 .ph4 .phtml text/php text/x-php-script application/php
    public.make-source < public.script : .make .mak .gmk .mk
    com.apple.applescript.text < public.script : .applescript
    com.apple.applescript.script < public.data public.script : .scpt
    com.apple.scripting-definition < public.xml : .sdef
    com.sun.java-web-start < public.xml : .jnlp application/x-java-jnlp-file application/jnlp
    """

  /// Fonts, certificates, profiles, and pasteboard types.
  private static let system = """
    public.opentype-font < public.font : .otf font/otf
    public.opentype-collection-font < public.opentype-font : .otc
    public.truetype-font < public.font
    public.truetype-ttf-font < public.truetype-font : .ttf font/ttf
    public.truetype-collection-font < public.truetype-font : .ttc
    com.apple.truetype-datafork-suitcase-font < public.truetype-font : .dfont
    com.apple.font-suitcase < public.font : .suit
    com.adobe.postscript-font < public.font
    com.adobe.postscript-lwfn-font < com.adobe.postscript-font
    com.adobe.postscript-pfb-font < com.adobe.postscript-font : .pfb
    com.adobe.postscript-pfa-font < com.adobe.postscript-font : .pfa
    public.x509-certificate < public.data : .cer .der .crt .pem application/x-x509-ca-cert
    com.rsa.pkcs-12 < public.data : .p12 .pfx application/x-pkcs12
    com.apple.mobileconfig < public.xml : .mobileconfig .mobile application/x-apple-aspen-config
    com.apple.configprofile < public.xml : .configprofile
    com.apple.mobileprovision < public.data
     : .mobileprovision application/x-apple-aspen-mobileprovision
    com.apple.provisionprofile < public.xml : .provisionprofile
    com.apple.csstore < public.data public.database : .csstore
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

  /// Archives and disk images.
  private static let archives = """
    com.pkware.zip-archive < public.data public.archive
    public.zip-archive < com.pkware.zip-archive : .zip application/zip application/x-zip-compressed
    org.gnu.gnu-zip-archive < public.data public.archive
     : .gz .gzip application/x-gzip application/gzip
    org.gnu.gnu-zip-tar-archive < org.gnu.gnu-zip-archive : .tgz
    org.gnu.gnu-tar-archive < public.data public.archive : .gtar application/x-gtar
    public.tar-archive < org.gnu.gnu-tar-archive : .tar application/x-tar application/tar
    public.bzip2-archive < public.data public.archive
     : .bz2 .bz application/x-bzip2 application/x-bzip application/bzip2 application/bzip
     : application/x-bz2
    public.tar-bzip2-archive < public.bzip2-archive : .tbz2 .tbz
    org.tukaani.xz-archive < public.data public.archive : .xz application/x-xz
    org.tukaani.tar-xz-archive < public.data public.archive : .txz
    public.cpio-archive < public.data public.archive : .cpio .pax
    public.z-archive < public.data public.archive : .z application/x-compress
    public.uuencoded-archive < public.data public.archive : .uu text/x-uuencode
    com.apple.archive < public.data public.archive : .aar .yaa
    com.apple.encrypted-archive < public.data public.archive : .aea
    com.apple.bom-archive < public.archive
    com.apple.bom-compressed-cpio < public.data com.apple.bom-archive : .cpgz
    com.apple.binhex-archive < public.data public.archive
     : .hqx application/mac-binhex40 application/mac-binhex application/binhex
    com.apple.macbinary-archive < public.data public.archive
     : .bin application/macbinary application/x-macbinary
    com.apple.applesingle-archive < public.data public.archive : .as
    com.apple.xar-archive < public.data public.archive : .xar
    com.apple.xip-archive < com.apple.xar-archive : .xip
    com.apple.installer-package-archive < public.data public.archive : .pkg .mpkg
    com.apple.itunes.ipa < public.data public.archive : .ipa
    com.apple.iphone.package-archive < public.data public.archive : .ipa
    com.rarlab.rar-archive < public.data public.archive
     : .rar application/vnd.rar application/x-rar-compressed
    org.7-zip.7-zip-archive < public.data public.archive : .7z application/x-7z-compressed
    com.microsoft.cab < public.data public.archive : .cab
    com.allume.stuffit-archive < public.data public.archive
    com.stuffit.archive.sitx < com.allume.stuffit-archive
     : .sitx application/x-stuffitx application/x-sitx
    com.stuffit.archive.sidx < com.allume.stuffit-archive
     : .sidx application/x-stuffitx-index application/x-sitx-index
    com.stuffit.archive.sit < com.allume.stuffit-archive
     : .sit .sea application/x-stuffit application/x-sit
    vnd.android.package-archive < public.data public.archive
     : .apk application/vnd.android.package-archive
    public.disk-image < public.archive
    com.apple.disk-image < public.disk-image
    com.apple.disk-image-udif < public.data com.apple.disk-image
     : .dmg application/x-apple-diskimage
    com.apple.disk-image-sparse < public.data com.apple.disk-image : .sparseimage
    com.apple.disk-image-ndif < public.data com.apple.disk-image : .ndif
    public.iso-image < public.data public.disk-image : .iso application/x-iso9660-image
    """

  /// Links, file system locations and volumes.
  private static let places = """
    com.apple.internet-location < public.stored-url public.data
    com.apple.web-internet-location < com.apple.internet-location : .webloc
    com.apple.vnc-internet-location < com.apple.internet-location : .vncloc
    com.apple.mail-internet-location < com.apple.internet-location : .mailloc
    com.apple.afp-internet-location < com.apple.internet-location : .afploc
    com.apple.file-internet-location < com.apple.internet-location : .fileloc
    com.apple.ftp-internet-location < com.apple.internet-location : .ftploc
    com.apple.news-internet-location < com.apple.internet-location : .newsloc
    com.apple.generic-internet-location < com.apple.internet-location : .inetloc
    com.microsoft.internet-shortcut < public.stored-url public.data : .url
    com.apple.itunes.store-url < public.url : .itms
    com.apple.safari.bookmark < public.data public.bookmark : .webbookmark
    com.apple.safari.history < public.data : .webhistory
    com.apple.bookmark < public.data com.apple.resolvable
    com.apple.alias-file < public.data com.apple.resolvable
    com.apple.alias-record < public.data com.apple.resolvable
    com.apple.icloud-file-fault < public.data : .icloud
    com.apple.mount-point < public.item com.apple.resolvable
    public.symlink < public.item com.apple.resolvable
    public.folder < public.directory
    public.volume < public.folder
    com.apple.drop-folder < public.folder
    com.apple.applications-folder < public.folder
    com.apple.library-folder < public.folder
    com.apple.sites-folder < public.folder
    com.apple.desktop-folder < public.folder
    com.apple.documents-folder < public.folder
    com.apple.downloads-folder < public.folder
    com.apple.movie-folder < public.folder
    com.apple.music-folder < public.folder
    com.apple.pictures-folder < public.folder
    com.apple.public-folder < public.folder
    com.apple.home-folder < public.folder
    com.apple.developer-folder < public.folder
    com.apple.users-folder < public.folder
    com.apple.utilities-folder < public.folder
    com.apple.iconset < public.folder : .iconset
    com.apple.finder.smart-folder < public.data : .savedSearch
    com.apple.finder.recent-items < com.apple.finder.smart-folder
    com.apple.finder.burn-folder < public.folder : .fpbf
    com.apple.finder.clipping < public.data
    com.apple.finder.sound-clipping < com.apple.finder.clipping : .sndClipping
    com.apple.finder.textclipping < com.apple.finder.clipping : .textclipping
    com.apple.finder.pictclipping < com.apple.finder.clipping public.image : .pictclipping
    """

  /// Bundles, packages and executable code.
  private static let bundles = """
    com.apple.package < public.directory
    com.apple.bundle < public.directory
    com.apple.localizable-name-bundle < com.apple.bundle
    com.apple.generic-bundle < com.apple.bundle com.apple.package : .bundle
    com.apple.application < public.executable
    com.apple.application-bundle < com.apple.application com.apple.localizable-name-bundle \
    com.apple.package : .app
    com.apple.application-file < com.apple.application public.data
    com.apple.application-placeholder < com.apple.application-bundle : .placeholder
    com.apple.service-application < com.apple.application-bundle : .service
    com.apple.framework < com.apple.bundle : .framework
    com.apple.plugin < com.apple.bundle com.apple.package : .plugin
    com.apple.xpc-service < com.apple.bundle com.apple.package : .xpc
    com.apple.application-and-system-extension < com.apple.xpc-service : .appex
    com.apple.pluginkit < com.apple.bundle com.apple.package : .pluginkit
    com.apple.webkit-plugin < com.apple.plugin : .webplugin
    com.apple.metadata-importer < com.apple.plugin : .mdimporter
    com.apple.quicklook-generator < com.apple.plugin : .qlgenerator
    com.apple.dashboard-widget < com.apple.localizable-name-bundle com.apple.package : .wdgt
    com.apple.driver-extension < com.apple.localizable-name-bundle com.apple.package : .dext
    com.apple.system-extension < com.apple.localizable-name-bundle com.apple.package
     : .systemextension
    com.apple.kernel-extension < com.apple.bundle com.apple.package : .kext
    com.apple.ppp-plug-in < com.apple.plugin : .ppp
    com.apple.file-system-plug-in < com.apple.plugin : .fs
    com.apple.menu-extra < com.apple.package com.apple.bundle : .menu
    com.apple.systempreference.prefpane < com.apple.package com.apple.bundle : .prefPane
    com.apple.systempreference.screen-saver < com.apple.package com.apple.bundle : .saver
    com.apple.systempreference.screen-slide-saver < com.apple.package com.apple.bundle : .slideSaver
    com.apple.installer-package < com.apple.bundle com.apple.package : .pkg
    com.apple.installer-distribution-package < com.apple.bundle com.apple.package : .dist .distz
    com.apple.installer-meta-package < com.apple.bundle com.apple.package : .mpkg
    com.apple.applescript.script-bundle < com.apple.bundle com.apple.package : .scptd
    com.apple.data-container < public.folder com.apple.localizable-name-bundle
    com.apple.intelligentsuggestions.assets < com.apple.bundle com.apple.package
     : .suggestionsassets
    com.apple.xcode.dsym < com.apple.package : .dsym
    com.apple.xcode.project < com.apple.package : .xcodeproj
    com.apple.dt.playground < com.apple.package : .playground
    public.unix-executable < public.data public.executable
    public.object-code < public.data public.executable : .o
    public.elf-binary < public.data public.executable
    com.apple.pef-binary < public.data public.executable
    com.apple.mach-o-binary < public.unix-executable
    com.apple.mach-o-object < com.apple.mach-o-binary
    com.apple.mach-o-executable < com.apple.mach-o-binary
    com.apple.x11-mach-o-executable < com.apple.mach-o-binary
    com.apple.mach-o-core < com.apple.mach-o-binary
    com.apple.mach-o-dylib < com.apple.mach-o-binary : .dylib
    com.apple.mach-o-bundle < com.apple.mach-o-binary
    com.microsoft.windows-executable < public.data public.executable : .exe application/x-msdownload
    com.microsoft.windows-dynamic-link-library < public.data public.executable
     : .dll application/x-msdownload
    com.sun.java-class < public.data public.executable : .class
    com.sun.java-archive < public.zip-archive public.executable : .jar application/java-archive
    com.sun.web-application-archive < com.sun.java-archive : .war
    com.apple.quartz-composer-composition < public.data public.executable
     : .qtz application/x-quartzcomposer
    """
}
