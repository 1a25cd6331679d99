extension SystemTypes {
  /// Archives and disk images.
  static let archives = """
    com.pkware.zip-archive < public.data public.archive
    public.zip-archive < com.pkware.zip-archive
     .zip application/zip application/x-zip-compressed
    org.gnu.gnu-zip-archive < public.data public.archive
     .gz .gzip application/x-gzip application/gzip
    org.gnu.gnu-zip-tar-archive < org.gnu.gnu-zip-archive
     .tgz
    org.gnu.gnu-tar-archive < public.data public.archive
     .gtar application/x-gtar
    public.tar-archive < org.gnu.gnu-tar-archive
     .tar application/x-tar application/tar
    public.bzip2-archive < public.data public.archive
     .bz2 .bz application/x-bzip2 application/x-bzip application/bzip2 application/bzip
     application/x-bz2
    public.tar-bzip2-archive < public.bzip2-archive
     .tbz2 .tbz
    org.tukaani.xz-archive < public.data public.archive
     .xz application/x-xz
    org.tukaani.tar-xz-archive < public.data public.archive
     .txz
    public.cpio-archive < public.data public.archive
     .cpio .pax
    public.z-archive < public.data public.archive
     .z application/x-compress
    public.uuencoded-archive < public.data public.archive
     .uu text/x-uuencode
    com.apple.archive < public.data public.archive
     .aar .yaa
    com.apple.encrypted-archive < public.data public.archive
     .aea
    com.apple.bom-archive < public.archive
    com.apple.bom-compressed-cpio < public.data com.apple.bom-archive
     .cpgz
    com.apple.binhex-archive < public.data public.archive
     .hqx application/mac-binhex40 application/mac-binhex application/binhex
    com.apple.macbinary-archive < public.data public.archive
     .bin application/macbinary application/x-macbinary
    com.apple.applesingle-archive < public.data public.archive
     .as
    com.apple.xar-archive < public.data public.archive
     .xar
    com.apple.xip-archive < com.apple.xar-archive
     .xip
    com.apple.installer-package-archive < public.data public.archive
     .pkg .mpkg
    com.apple.itunes.ipa < public.data public.archive
     .ipa
    com.apple.iphone.package-archive < public.data public.archive
     .ipa
    com.rarlab.rar-archive < public.data public.archive
     .rar application/vnd.rar application/x-rar-compressed
    org.7-zip.7-zip-archive < public.data public.archive
     .7z application/x-7z-compressed
    com.microsoft.cab < public.data public.archive
     .cab
    com.allume.stuffit-archive < public.data public.archive
    com.stuffit.archive.sitx < com.allume.stuffit-archive
     .sitx application/x-stuffitx application/x-sitx
    com.stuffit.archive.sidx < com.allume.stuffit-archive
     .sidx application/x-stuffitx-index application/x-sitx-index
    com.stuffit.archive.sit < com.allume.stuffit-archive
     .sit .sea application/x-stuffit application/x-sit
    vnd.android.package-archive < public.data public.archive
     .apk application/vnd.android.package-archive
    public.disk-image < public.archive
    com.apple.disk-image < public.disk-image
    com.apple.disk-image-udif < public.data com.apple.disk-image
     .dmg application/x-apple-diskimage
    com.apple.disk-image-sparse < public.data com.apple.disk-image
     .sparseimage
    com.apple.disk-image-ndif < public.data com.apple.disk-image
     .ndif
    public.iso-image < public.data public.disk-image
     .iso application/x-iso9660-image
    """
}
