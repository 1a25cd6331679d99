extension SystemTypes {
  /// Sound and moving pictures.
  static let audiovisual = """
    com.apple.quicktime-movie < public.movie
     .mov .qt video/quicktime
    public.mpeg < public.movie
     .mpg .mpeg .mpe .m75 .m15 video/mpeg video/mpg video/x-mpeg video/x-mpg
    public.mpeg-2-video < public.video
     .m2v video/mpeg2 video/mpeg2-video
    public.mpeg-4 < public.movie
     .mp4 .mpg4 video/mp4 video/mp4v-es
    com.apple.m4v-video < public.mpeg-4
     .m4v video/x-m4v
    com.apple.protected-mpeg-4-video < com.apple.m4v-video
    public.dv-movie < public.movie
     .dv .dif video/x-dv
    public.avi < public.movie
     .avi .vfw video/avi video/msvideo video/x-msvideo
    public.3gpp < public.movie
     .3gp .3gpp .sdv video/3gpp audio/3gpp
    public.3gpp2 < public.movie
     .3g2 .3gp2 video/3gpp2 audio/3gpp2
    public.flc-animation < public.movie
     .flc .fli .cel video/flc
    public.mpeg-2-transport-stream < public.movie
     .ts
    public.avchd-mpeg-2-transport-stream < public.movie
     .mts .m2ts
    public.avchd-collection < com.apple.package public.audiovisual-content-collection
     .avchd
    org.webmproject.webm < public.movie
     .webm video/webm audio/webm
    org.matroska.mkv < public.movie
     .mkv video/x-matroska
    org.smpte.mxf < public.movie
     .mxf application/mxf
    com.adobe.flash.video < public.movie
     .flv .f4v .f4p .f4a .f4b video/x-flv
    com.real.realmedia < public.movie
     .rm application/vnd.rn-realmedia
    com.real.realmedia-vbr < public.movie
     .rmvb application/vnd.rn-realmedia-vbr
    com.microsoft.advanced-systems-format < public.audiovisual-content
     .asf video/x-ms-asf
    com.microsoft.windows-media-wm < public.movie com.microsoft.advanced-systems-format
     .wm video/x-ms-wm
    com.microsoft.windows-media-wmv < public.movie com.microsoft.advanced-systems-format
     .wmv video/x-ms-wmv
    com.microsoft.windows-media-wmp < public.movie com.microsoft.advanced-systems-format
     .wmp video/x-ms-wmp
    com.microsoft.windows-media-wma < public.audio com.microsoft.advanced-systems-format
     .wma video/x-ms-wma
    com.microsoft.advanced-stream-redirector < public.audiovisual-content public.xml
     .asx video/x-ms-asx
    com.microsoft.windows-media-wmx < public.movie com.microsoft.advanced-stream-redirector
     .wmx video/x-ms-wmx
    com.microsoft.windows-media-wvx < public.movie com.microsoft.advanced-stream-redirector
     .wvx video/x-ms-wvx
    com.microsoft.windows-media-wax < public.audio com.microsoft.advanced-stream-redirector
     .wax video/x-ms-wax
    com.avid.open-media-framework < public.audiovisual-content
     .omf
    public.mp2 < public.audio
     .mp2
    public.mp3 < public.audio
     .mp3 .mpga audio/mpeg audio/mpeg3 audio/mpg audio/mp3 audio/x-mpeg audio/x-mpeg3 audio/x-mpg
     audio/x-mp3
    public.mpeg-4-audio < public.audio
     .mp4 .mpg4 audio/mp4 audio/mp4a-latm
    com.apple.m4a-audio < public.mpeg-4-audio
     .m4a audio/x-m4a
    com.apple.mpeg-4-ringtone < public.mpeg-4-audio
     .m4r audio/x-m4r
    com.apple.protected-mpeg-4-audio < public.audio
     .m4p
    com.apple.protected-mpeg-4-audio-b < com.apple.protected-mpeg-4-audio
     .m4b
    public.mp4a-loas < public.audio
     .loas .latm
    public.mp4a-latm < public.audio
     audio/mp4a-latm
    public.aac-audio < public.audio
     .aac .adts audio/aac audio/x-aac
    public.ulaw-audio < public.audio
     .ul .ulw .ulaw
    public.au-audio < public.audio
     .au .snd audio/basic
    public.aifc-audio < public.audio
     .aifc
    public.aiff-audio < public.aifc-audio
     .aiff .aif audio/aiff audio/x-aiff
    public.cdda-audio < public.aifc-audio
     .cdda
    public.midi-audio < public.audio
     .midi .mid .smf .kar audio/midi audio/x-midi
    public.downloadable-sound < public.audio
     .dls audio/dls
    public.ac3-audio < public.audio
     .ac3 audio/ac3
    public.enhanced-ac3-audio < public.audio
     .eac3 .ec3 audio/eac3
    com.apple.coreaudio-format < public.audio
     .caf
    com.microsoft.waveform-audio < public.audio
     .wav .wave .bwf audio/vnd.wave audio/wav audio/wave audio/x-wav
    org.xiph.flac < public.audio
     .flac audio/flac
    org.3gpp.adaptive-multi-rate-audio < public.audio
     .amr audio/amr
    com.audible.aa-audio < public.audio
    com.audible.aa-audiobook < com.audible.aa-audio
     .aa audio/audible audio/x-pn-audibleaudio audio/x-audible
    com.audible.aax-audiobook < com.audible.aa-audio
     .aax audio/vnd.audible.aax
    com.digidesign.sd2-audio < public.audio
     .sd2
    com.real.realaudio < public.audio
     .ram .ra audio/vnd.rn-realaudio audio/x-pn-realaudio audio/x-realaudio
    com.soundblaster.soundfont < public.audio
     .sf2
    com.sony.wave64 < public.audio
     .w64
    com.apple.audio-unit-preset < com.apple.xml-property-list
     .aupreset
    public.m3u-playlist < public.plain-text public.playlist
     .m3u .m3u8 audio/mpegurl application/vnd.apple.mpegurl audio/x-mpegurl
    public.pls-playlist < public.text public.playlist
     .pls audio/x-scpls
    com.apple.haptics.ahap < public.haptics-content public.json
     .ahap
    com.apple.shazamsignature < public.data
     .shazamsignature
    com.apple.shazamcatalog < public.data
     .shazamcatalog
    com.apple.garageband.project < com.apple.package public.audiovisual-content
     .band .gbProj
    com.apple.iMovieLibrary < com.apple.package
     .imovielibrary
    com.apple.iMovieTheater < com.apple.package
     .theater
    """
}
