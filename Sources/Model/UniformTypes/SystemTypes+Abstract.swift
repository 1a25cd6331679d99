extension SystemTypes {
  /// Roots, and kinds that have no format of their own.
  static let abstract = """
    public.item
    public.content
    public.data < public.item
     application/octet-stream
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
}
