extension SystemTypes {
  /// Links to places, and the places of a file system.
  static let places = """
    com.apple.internet-location < public.stored-url public.data
    com.apple.web-internet-location < com.apple.internet-location
     .webloc
    com.apple.vnc-internet-location < com.apple.internet-location
     .vncloc
    com.apple.mail-internet-location < com.apple.internet-location
     .mailloc
    com.apple.afp-internet-location < com.apple.internet-location
     .afploc
    com.apple.file-internet-location < com.apple.internet-location
     .fileloc
    com.apple.ftp-internet-location < com.apple.internet-location
     .ftploc
    com.apple.news-internet-location < com.apple.internet-location
     .newsloc
    com.apple.generic-internet-location < com.apple.internet-location
     .inetloc
    com.microsoft.internet-shortcut < public.stored-url public.data
     .url
    com.apple.itunes.store-url < public.url
     .itms
    com.apple.safari.bookmark < public.data public.bookmark
     .webbookmark
    com.apple.safari.history < public.data
     .webhistory
    com.apple.bookmark < public.data com.apple.resolvable
    com.apple.alias-file < public.data com.apple.resolvable
    com.apple.alias-record < public.data com.apple.resolvable
    com.apple.icloud-file-fault < public.data
     .icloud
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
    com.apple.iconset < public.folder
     .iconset
    com.apple.finder.smart-folder < public.data
     .savedSearch
    com.apple.finder.recent-items < com.apple.finder.smart-folder
    com.apple.finder.burn-folder < public.folder
     .fpbf
    com.apple.finder.clipping < public.data
    com.apple.finder.sound-clipping < com.apple.finder.clipping
     .sndClipping
    com.apple.finder.textclipping < com.apple.finder.clipping
     .textclipping
    com.apple.finder.pictclipping < com.apple.finder.clipping public.image
     .pictclipping
    """
}
