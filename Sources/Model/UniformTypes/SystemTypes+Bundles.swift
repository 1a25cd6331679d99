extension SystemTypes {
  /// Bundles, packages and executable code.
  static let bundles = """
    com.apple.package < public.directory
    com.apple.bundle < public.directory
    com.apple.localizable-name-bundle < com.apple.bundle
    com.apple.generic-bundle < com.apple.bundle com.apple.package
     .bundle
    com.apple.application < public.executable
    com.apple.application-bundle < com.apple.application com.apple.localizable-name-bundle \
    com.apple.package
     .app
    com.apple.application-file < com.apple.application public.data
    com.apple.application-placeholder < com.apple.application-bundle
     .placeholder
    com.apple.service-application < com.apple.application-bundle
     .service
    com.apple.framework < com.apple.bundle
     .framework
    com.apple.plugin < com.apple.bundle com.apple.package
     .plugin
    com.apple.xpc-service < com.apple.bundle com.apple.package
     .xpc
    com.apple.application-and-system-extension < com.apple.xpc-service
     .appex
    com.apple.pluginkit < com.apple.bundle com.apple.package
     .pluginkit
    com.apple.webkit-plugin < com.apple.plugin
     .webplugin
    com.apple.metadata-importer < com.apple.plugin
     .mdimporter
    com.apple.quicklook-generator < com.apple.plugin
     .qlgenerator
    com.apple.dashboard-widget < com.apple.localizable-name-bundle com.apple.package
     .wdgt
    com.apple.driver-extension < com.apple.localizable-name-bundle com.apple.package
     .dext
    com.apple.system-extension < com.apple.localizable-name-bundle com.apple.package
     .systemextension
    com.apple.kernel-extension < com.apple.bundle com.apple.package
     .kext
    com.apple.ppp-plug-in < com.apple.plugin
     .ppp
    com.apple.file-system-plug-in < com.apple.plugin
     .fs
    com.apple.menu-extra < com.apple.package com.apple.bundle
     .menu
    com.apple.systempreference.prefpane < com.apple.package com.apple.bundle
     .prefPane
    com.apple.systempreference.screen-saver < com.apple.package com.apple.bundle
     .saver
    com.apple.systempreference.screen-slide-saver < com.apple.package com.apple.bundle
     .slideSaver
    com.apple.installer-package < com.apple.bundle com.apple.package
     .pkg
    com.apple.installer-distribution-package < com.apple.bundle com.apple.package
     .dist .distz
    com.apple.installer-meta-package < com.apple.bundle com.apple.package
     .mpkg
    com.apple.applescript.script-bundle < com.apple.bundle com.apple.package
     .scptd
    com.apple.data-container < public.folder com.apple.localizable-name-bundle
    com.apple.intelligentsuggestions.assets < com.apple.bundle com.apple.package
     .suggestionsassets
    com.apple.xcode.dsym < com.apple.package
     .dsym
    com.apple.xcode.project < com.apple.package
     .xcodeproj
    com.apple.dt.playground < com.apple.package
     .playground
    public.unix-executable < public.data public.executable
    public.object-code < public.data public.executable
     .o
    public.elf-binary < public.data public.executable
    com.apple.pef-binary < public.data public.executable
    com.apple.mach-o-binary < public.unix-executable
    com.apple.mach-o-object < com.apple.mach-o-binary
    com.apple.mach-o-executable < com.apple.mach-o-binary
    com.apple.x11-mach-o-executable < com.apple.mach-o-binary
    com.apple.mach-o-core < com.apple.mach-o-binary
    com.apple.mach-o-dylib < com.apple.mach-o-binary
     .dylib
    com.apple.mach-o-bundle < com.apple.mach-o-binary
    com.microsoft.windows-executable < public.data public.executable
     .exe application/x-msdownload
    com.microsoft.windows-dynamic-link-library < public.data public.executable
     .dll application/x-msdownload
    com.sun.java-class < public.data public.executable
     .class
    com.sun.java-archive < public.zip-archive public.executable
     .jar application/java-archive
    com.sun.web-application-archive < com.sun.java-archive
     .war
    com.apple.quartz-composer-composition < public.data public.executable
     .qtz application/x-quartzcomposer
    """
}
