/// The types of documents, images, audio and video.
extension SystemTypes {
  static let images = """
    public.jpeg < public.image : .jpeg .jpg .jpe image/jpeg image/jpg
    public.jpeg-2000 < public.image : .jp2 .jpf .jpx .j2k .j2c image/jp2
    public.jpeg-xl < public.image : .jxl image/jxl
    public.png < public.image : .png image/png
    public.tiff < public.image : .tiff .tif image/tiff
    public.heif-standard < public.image
    public.heic < public.heif-standard : .heic image/heic
    public.heics < public.heif-standard : .heics image/heic-sequence
    public.heif < public.heif-standard : .heif .hif image/heif
    public.heifs < public.heif-standard : .heifs image/heif-sequence
    public.avci < public.heif-standard : .avci image/avci
    public.avcs < public.heif-standard : .avcs image/avcs
    public.avif < public.heif-standard : .avif image/avif
    public.svg-image < public.image public.xml : .svg .svgz image/svg+xml
    com.compuserve.gif < public.image : .gif image/gif
    org.webmproject.webp < public.image : .webp image/webp
    com.microsoft.bmp < public.image : .bmp .dib image/bmp
    com.microsoft.ico < public.image : .ico image/vnd.microsoft.icon image/x-icon
    com.microsoft.cur < public.image : .cur
    com.microsoft.dds < public.image : .dds
    com.apple.icns < public.image : .icns
    com.apple.pict < public.image : .pict .pct .pic image/pict image/x-pict image/x-macpict
    com.apple.macpaint-image < public.image : .pntg
    com.apple.quicktime-image < public.image : .qtif .qti image/x-quicktime
    com.apple.drawing < public.image : .drawing
    public.xbitmap-image < public.image : .xbm image/x-xbitmap
    public.mpo-image < public.image : .mpo
    public.pbm < public.image : .pbm .pgm .ppm .pnm
    public.pvr < public.image : .pvr
    public.radiance < public.image : .hdr
    org.khronos.ktx < public.image : .ktx
    org.khronos.astc < public.image : .astc
    com.adobe.photoshop-image < public.image
     : .psd image/vnd.adobe.photoshop image/photoshop image/x-photoshop image/psd
     : application/photoshop
    com.adobe.photoshop-large-image < public.image : .psb
    com.adobe.illustrator.ai-image < public.image : .ai
    com.truevision.tga-image < public.image : .tga image/targa image/tga application/tga
    com.sgi.sgi-image < public.image : .sgi image/sgi
    com.ilm.openexr-image < public.image : .exr
    com.kodak.flashpix-image < public.image : .fpx image/fpx application/vnd.fpx
    ca.mcgill.mni.bic.mnc < public.image : .mnc .minc
    public.fax < public.image public.message
    com.j2.jfx-fax < public.fax : .jfx
    com.j2.efx-fax < public.fax : .efx image/efax
    public.camera-raw-image < public.image
    com.adobe.raw-image < public.camera-raw-image : .dng image/x-adobe-dng
    com.canon.cr2-raw-image < public.camera-raw-image : .cr2 image/x-canon-cr2
    com.canon.cr3-raw-image < public.camera-raw-image : .cr3 image/x-canon-cr3
    com.canon.crw-raw-image < public.camera-raw-image : .crw image/x-canon-crw
    com.canon.tif-raw-image < public.camera-raw-image : .tif
    com.nikon.raw-image < public.camera-raw-image : .nef image/x-nikon-nef
    com.nikon.nrw-raw-image < public.camera-raw-image : .nrw
    com.sony.raw-image < public.camera-raw-image : .srf
    com.sony.sr2-raw-image < public.camera-raw-image : .sr2
    com.sony.arw-raw-image < public.camera-raw-image : .arw image/x-sony-arw
    com.fuji.raw-image < public.camera-raw-image : .raf image/x-fuji-raf
    com.olympus.raw-image < public.camera-raw-image : .orf image/x-olympus-orf
    com.olympus.or-raw-image < public.camera-raw-image : .ori
    com.panasonic.raw-image < public.camera-raw-image : .raw image/x-panasonic-raw
    com.panasonic.rw2-raw-image < public.camera-raw-image : .rw2
    com.pentax.raw-image < public.camera-raw-image : .pef
    com.samsung.raw-image < public.camera-raw-image : .srw
    com.leica.raw-image < public.camera-raw-image : .raw
    com.leica.rwl-raw-image < public.camera-raw-image : .rwl
    com.leafamerica.raw-image < public.camera-raw-image : .mos
    com.hasselblad.3fr-raw-image < public.camera-raw-image : .3fr
    com.hasselblad.fff-raw-image < public.camera-raw-image : .fff
    com.phaseone.raw-image < public.camera-raw-image : .iiq
    com.konicaminolta.raw-image < public.camera-raw-image : .mrw
    com.kodak.raw-image < public.camera-raw-image : .dcr
    com.epson.raw-image < public.camera-raw-image : .erf
    com.dxo.raw-image < public.camera-raw-image : .dxo
    org.nema.dicom < public.data : .dcm .dicom application/dicom
    gov.nih.nifti-1 < public.data : .nii
    com.apple.private.live-photo-bundle < com.apple.live-photo com.apple.bundle com.apple.package
     : .pvt
    public.alembic < public.3d-content public.data : .abc
    public.geometry-definition-format < public.3d-content public.text : .obj
    public.standard-tesselated-geometry-format < public.3d-content public.data : .stl
    public.polygon-file-format < public.3d-content public.data : .ply
    com.pixar.universal-scene-description < public.3d-content public.data : .usd .usda .usdc
    com.pixar.universal-scene-description-mobile < public.3d-content public.data
     : .usdz model/vnd.usdz+zip
    com.apple.reality < public.data : .reality model/vnd.reality
    com.apple.scenekit.scene < public.data public.3d-content : .scn .scnz
    com.apple.arobject < public.data : .arobject
    org.khronos.collada.digital-asset-exchange < public.xml public.audiovisual-content \
    public.3d-content
     : .dae
    """

  static let audiovisual = """
    com.apple.quicktime-movie < public.movie : .mov .qt video/quicktime
    public.mpeg < public.movie
     : .mpg .mpeg .mpe .m75 .m15 video/mpeg video/mpg video/x-mpeg video/x-mpg
    public.mpeg-2-video < public.video : .m2v video/mpeg2 video/mpeg2-video
    public.mpeg-4 < public.movie : .mp4 .mpg4 video/mp4 video/mp4v-es
    com.apple.m4v-video < public.mpeg-4 : .m4v video/x-m4v
    com.apple.protected-mpeg-4-video < com.apple.m4v-video
    public.dv-movie < public.movie : .dv .dif video/x-dv
    public.avi < public.movie : .avi .vfw video/avi video/msvideo video/x-msvideo
    public.3gpp < public.movie : .3gp .3gpp .sdv video/3gpp audio/3gpp
    public.3gpp2 < public.movie : .3g2 .3gp2 video/3gpp2 audio/3gpp2
    public.flc-animation < public.movie : .flc .fli .cel video/flc
    public.mpeg-2-transport-stream < public.movie : .ts
    public.avchd-mpeg-2-transport-stream < public.movie : .mts .m2ts
    public.avchd-collection < com.apple.package public.audiovisual-content-collection : .avchd
    org.webmproject.webm < public.movie : .webm video/webm audio/webm
    org.matroska.mkv < public.movie : .mkv video/x-matroska
    org.smpte.mxf < public.movie : .mxf application/mxf
    com.adobe.flash.video < public.movie : .flv .f4v .f4p .f4a .f4b video/x-flv
    com.real.realmedia < public.movie : .rm application/vnd.rn-realmedia
    com.real.realmedia-vbr < public.movie : .rmvb application/vnd.rn-realmedia-vbr
    com.microsoft.advanced-systems-format < public.audiovisual-content : .asf video/x-ms-asf
    com.microsoft.windows-media-wm < public.movie com.microsoft.advanced-systems-format
     : .wm video/x-ms-wm
    com.microsoft.windows-media-wmv < public.movie com.microsoft.advanced-systems-format
     : .wmv video/x-ms-wmv
    com.microsoft.windows-media-wmp < public.movie com.microsoft.advanced-systems-format
     : .wmp video/x-ms-wmp
    com.microsoft.windows-media-wma < public.audio com.microsoft.advanced-systems-format
     : .wma video/x-ms-wma
    com.microsoft.advanced-stream-redirector < public.audiovisual-content public.xml
     : .asx video/x-ms-asx
    com.microsoft.windows-media-wmx < public.movie com.microsoft.advanced-stream-redirector
     : .wmx video/x-ms-wmx
    com.microsoft.windows-media-wvx < public.movie com.microsoft.advanced-stream-redirector
     : .wvx video/x-ms-wvx
    com.microsoft.windows-media-wax < public.audio com.microsoft.advanced-stream-redirector
     : .wax video/x-ms-wax
    com.avid.open-media-framework < public.audiovisual-content : .omf
    public.mp2 < public.audio : .mp2
    public.mp3 < public.audio
     : .mp3 .mpga audio/mpeg audio/mpeg3 audio/mpg audio/mp3 audio/x-mpeg audio/x-mpeg3 audio/x-mpg
     : audio/x-mp3
    public.mpeg-4-audio < public.audio : .mp4 .mpg4 audio/mp4 audio/mp4a-latm
    com.apple.m4a-audio < public.mpeg-4-audio : .m4a audio/x-m4a
    com.apple.mpeg-4-ringtone < public.mpeg-4-audio : .m4r audio/x-m4r
    com.apple.protected-mpeg-4-audio < public.audio : .m4p
    com.apple.protected-mpeg-4-audio-b < com.apple.protected-mpeg-4-audio : .m4b
    public.mp4a-loas < public.audio : .loas .latm
    public.mp4a-latm < public.audio : audio/mp4a-latm
    public.aac-audio < public.audio : .aac .adts audio/aac audio/x-aac
    public.ulaw-audio < public.audio : .ul .ulw .ulaw
    public.au-audio < public.audio : .au .snd audio/basic
    public.aifc-audio < public.audio : .aifc
    public.aiff-audio < public.aifc-audio : .aiff .aif audio/aiff audio/x-aiff
    public.cdda-audio < public.aifc-audio : .cdda
    public.midi-audio < public.audio : .midi .mid .smf .kar audio/midi audio/x-midi
    public.downloadable-sound < public.audio : .dls audio/dls
    public.ac3-audio < public.audio : .ac3 audio/ac3
    public.enhanced-ac3-audio < public.audio : .eac3 .ec3 audio/eac3
    com.apple.coreaudio-format < public.audio : .caf
    com.microsoft.waveform-audio < public.audio
     : .wav .wave .bwf audio/vnd.wave audio/wav audio/wave audio/x-wav
    org.xiph.flac < public.audio : .flac audio/flac
    org.3gpp.adaptive-multi-rate-audio < public.audio : .amr audio/amr
    com.audible.aa-audio < public.audio
    com.audible.aa-audiobook < com.audible.aa-audio
     : .aa audio/audible audio/x-pn-audibleaudio audio/x-audible
    com.audible.aax-audiobook < com.audible.aa-audio : .aax audio/vnd.audible.aax
    com.digidesign.sd2-audio < public.audio : .sd2
    com.real.realaudio < public.audio
     : .ram .ra audio/vnd.rn-realaudio audio/x-pn-realaudio audio/x-realaudio
    com.soundblaster.soundfont < public.audio : .sf2
    com.sony.wave64 < public.audio : .w64
    com.apple.audio-unit-preset < com.apple.xml-property-list : .aupreset
    public.m3u-playlist < public.plain-text public.playlist
     : .m3u .m3u8 audio/mpegurl application/vnd.apple.mpegurl audio/x-mpegurl
    public.pls-playlist < public.text public.playlist : .pls audio/x-scpls
    com.apple.haptics.ahap < public.haptics-content public.json : .ahap
    com.apple.shazamsignature < public.data : .shazamsignature
    com.apple.shazamcatalog < public.data : .shazamcatalog
    com.apple.garageband.project < com.apple.package public.audiovisual-content : .band .gbProj
    com.apple.iMovieLibrary < com.apple.package : .imovielibrary
    com.apple.iMovieTheater < com.apple.package : .theater
    """

  static let documents = """
    com.adobe.pdf < public.data public.composite-content : .pdf application/pdf
    com.adobe.postscript < public.data public.composite-content : .ps application/postscript
    com.adobe.encapsulated-postscript < com.adobe.postscript : .eps
    com.adobe.xfdf < public.data public.composite-content : .xfdf
    com.adobe.fdf < public.data : .fdf
    com.adobe.edn < public.data : .edn
    com.adobe.etd < public.data : .etd
    public.ofd < public.data public.composite-content : .ofd application/ofd
    com.apple.rtfd < com.apple.package public.composite-content : .rtfd
    com.apple.flat-rtfd < public.data public.composite-content
    com.apple.txn.text-multimedia-data < public.data public.composite-content
    com.apple.webarchive < public.data public.composite-content
     : .webarchive application/x-webarchive
    com.apple.localized-pdf-bundle < com.apple.localizable-name-bundle com.apple.package \
    public.composite-content
     : .lpdf
    org.idpf.epub-container < public.data public.composite-content : .epub application/epub+zip
    org.aafassociation.advanced-authoring-format < public.data public.composite-content : .aaf
    com.apple.ink.inktext < public.data
    com.apple.mapkit.map-item < public.data
    com.apple.linkpresentation.metadata < public.data
    com.apple.groupactivities.activity < public.data : .groupactivity
    com.apple.coreml.model < public.data : .mlmodel .mlkitmodel
    com.apple.coreml.mlpackage < com.apple.package : .mlpackage
    com.apple.watchface < public.data public.content : .watchface
    com.apple.pkpass < com.apple.bundle com.apple.package : .pkpass application/vnd.apple.pkpass
    com.apple.pkpass-data < public.data : .pkpass
    com.apple.pkpasses-data < public.data : .pkpasses application/vnd.apple.pkpasses
    com.apple.help-document < public.data
    com.apple.generic-stationery < public.data
    com.apple.colorsync-profile < public.data : .icc .icm .pf
    com.apple.color-file < public.data : .clr .ccl
    """

  /// The formats of Microsoft Office, iWork, OpenDocument, and the formats that preceded OpenDocument.
  static let office = """
    org.openxmlformats.openxml < public.data
    com.microsoft.word.doc < public.data public.composite-content : .doc application/msword
    com.microsoft.word.dot < public.data public.composite-content : .dot application/msword
    com.microsoft.word.wordml < public.xml public.composite-content : .xml
    org.openxmlformats.wordprocessingml.document < org.openxmlformats.openxml \
    public.composite-content
     : .docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
    org.openxmlformats.wordprocessingml.document.macroenabled < org.openxmlformats.openxml \
    public.composite-content public.executable
     : .docm application/vnd.ms-word.document.macroEnabled.12
    org.openxmlformats.wordprocessingml.template < org.openxmlformats.openxml \
    public.composite-content
     : .dotx application/vnd.openxmlformats-officedocument.wordprocessingml.template
    org.openxmlformats.wordprocessingml.template.macroenabled < org.openxmlformats.openxml \
    public.composite-content public.executable
     : .dotm application/vnd.ms-word.template.macroEnabled.12
    com.microsoft.excel.xls < public.data public.composite-content public.spreadsheet
     : .xls application/vnd.ms-excel application/msexcel
    com.microsoft.excel.xlt < public.data public.spreadsheet
     : .xlt application/vnd.ms-excel application/msexcel
    com.microsoft.excel.xlw < public.data public.spreadsheet
     : .xlw application/vnd.ms-excel application/msexcel
    com.microsoft.excel.xla < public.data : .xla
    org.openxmlformats.spreadsheetml.sheet < org.openxmlformats.openxml public.composite-content \
    public.spreadsheet
     : .xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    org.openxmlformats.spreadsheetml.sheet.macroenabled < org.openxmlformats.openxml \
    public.composite-content public.spreadsheet public.executable
     : .xlsm application/vnd.ms-excel.sheet.macroEnabled.12
    com.microsoft.excel.sheet.binary.macroenabled < public.zip-archive public.composite-content \
    public.spreadsheet public.executable
     : .xlsb application/vnd.ms-excel.sheet.binary.macroEnabled.12
    org.openxmlformats.spreadsheetml.template < org.openxmlformats.openxml \
    public.composite-content public.spreadsheet
     : .xltx application/vnd.openxmlformats-officedocument.spreadsheetml.template
    org.openxmlformats.spreadsheetml.template.macroenabled < org.openxmlformats.openxml \
    public.composite-content public.spreadsheet public.executable
     : .xltm application/vnd.ms-excel.template.macroEnabled.12
    com.microsoft.powerpoint.ppt < public.data public.presentation
     : .ppt application/vnd.ms-powerpoint application/mspowerpoint
    com.microsoft.powerpoint.pot < public.data public.presentation
     : .pot application/vnd.ms-powerpoint application/mspowerpoint
    com.microsoft.powerpoint.pps < public.data public.presentation
     : .pps application/vnd.ms-powerpoint application/mspowerpoint
    org.openxmlformats.presentationml.presentation < org.openxmlformats.openxml public.presentation
     : .pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
    org.openxmlformats.presentationml.presentation.macroenabled < org.openxmlformats.openxml \
    public.presentation public.executable
     : .pptm application/vnd.ms-powerpoint.presentation.macroEnabled.12
    org.openxmlformats.presentationml.slideshow < org.openxmlformats.openxml public.presentation
     : .ppsx application/vnd.openxmlformats-officedocument.presentationml.slideshow
    org.openxmlformats.presentationml.slideshow.macroenabled < org.openxmlformats.openxml \
    public.presentation public.executable
     : .ppsm application/vnd.ms-powerpoint.slideshow.macroEnabled.12
    org.openxmlformats.presentationml.template < org.openxmlformats.openxml public.presentation
     : .potx application/vnd.openxmlformats-officedocument.presentationml.template
    org.openxmlformats.presentationml.template.macroenabled < org.openxmlformats.openxml \
    public.presentation public.executable
     : .potm application/vnd.ms-powerpoint.template.macroEnabled.12
    com.apple.keynote.key < com.apple.package public.presentation
    com.apple.keynote.kth < com.apple.package public.presentation
    com.apple.iWork.Keynote.key < com.apple.package public.presentation com.apple.keynote.key : .key
    com.apple.iWork.Keynote.key-tef < com.apple.package public.presentation com.apple.keynote.key
     : .key-tef
    com.apple.iWork.Keynote.sffkey < public.data public.presentation
     : .key application/x-iwork-keynote-sffkey
    com.apple.iWork.Keynote.kth < com.apple.package public.presentation com.apple.keynote.kth : .kth
    com.apple.iWork.Keynote.sffkth < public.data public.presentation
     : .kth application/x-iwork-keynote-sffkth
    com.apple.iWork.Pages.pages < com.apple.package public.composite-content : .pages
    com.apple.iWork.Pages.pages-tef < com.apple.package public.composite-content : .pages-tef
    com.apple.iWork.Pages.sffpages < public.data public.composite-content
     : .pages application/x-iwork-pages-sffpages
    com.apple.iWork.Pages.template < com.apple.package public.composite-content : .template
    com.apple.iWork.Pages.sfftemplate < public.data public.composite-content
     : .template application/x-iwork-pages-sfftemplate
    com.apple.iWork.Numbers.numbers < com.apple.package public.composite-content public.spreadsheet
     : .numbers
    com.apple.iWork.Numbers.numbers-tef < com.apple.package public.composite-content \
    public.spreadsheet
     : .numbers-tef
    com.apple.iWork.Numbers.sffnumbers < public.data public.composite-content public.spreadsheet
     : .numbers application/x-iwork-numbers-sffnumbers
    com.apple.iWork.Numbers.template < com.apple.package public.composite-content public.spreadsheet
     : .nmbtemplate
    com.apple.iWork.Numbers.sfftemplate < public.data public.composite-content public.spreadsheet
     : .nmbtemplate application/x-iwork-numbers-sfftemplate
    org.oasis-open.opendocument < public.data
    org.oasis-open.opendocument.text < org.oasis-open.opendocument public.composite-content
     : .odt application/vnd.oasis.opendocument.text
    org.oasis-open.opendocument.text-template < org.oasis-open.opendocument public.composite-content
     : .ott application/vnd.oasis.opendocument.text-template
    org.oasis-open.opendocument.text-master < org.oasis-open.opendocument public.composite-content
     : .odm application/vnd.oasis.opendocument.text-master
    org.oasis-open.opendocument.text-web < org.oasis-open.opendocument public.composite-content
     : .oth application/vnd.oasis.opendocument.text-web
    org.oasis-open.opendocument.spreadsheet < org.oasis-open.opendocument public.composite-content \
    public.spreadsheet
     : .ods application/vnd.oasis.opendocument.spreadsheet
    org.oasis-open.opendocument.spreadsheet-template < org.oasis-open.opendocument \
    public.composite-content public.spreadsheet
     : .ots application/vnd.oasis.opendocument.spreadsheet-template
    org.oasis-open.opendocument.presentation < org.oasis-open.opendocument \
    public.composite-content public.presentation
     : .odp application/vnd.oasis.opendocument.presentation
    org.oasis-open.opendocument.presentation-template < org.oasis-open.opendocument \
    public.composite-content public.presentation
     : .otp application/vnd.oasis.opendocument.presentation-template
    org.oasis-open.opendocument.graphics < org.oasis-open.opendocument public.composite-content
     : .odg application/vnd.oasis.opendocument.graphics
    org.oasis-open.opendocument.graphics-template < org.oasis-open.opendocument \
    public.composite-content
     : .otg application/vnd.oasis.opendocument.graphics-template
    org.oasis-open.opendocument.chart < org.oasis-open.opendocument public.composite-content
     : .odc application/vnd.oasis.opendocument.chart
    org.oasis-open.opendocument.chart-template < org.oasis-open.opendocument \
    public.composite-content
     : .otc application/vnd.oasis.opendocument.chart-template
    org.oasis-open.opendocument.image < org.oasis-open.opendocument public.image
     : .odi application/vnd.oasis.opendocument.image
    org.oasis-open.opendocument.image-template < org.oasis-open.opendocument public.image
     : .oti application/vnd.oasis.opendocument.image-template
    org.oasis-open.opendocument.formula < org.oasis-open.opendocument public.content
     : .odf application/vnd.oasis.opendocument.formula
    org.oasis-open.opendocument.formula-template < org.oasis-open.opendocument public.content
     : .otf application/vnd.oasis.opendocument.formula-template
    org.oasis-open.opendocument.database < public.data public.content public.database
     : .odb application/vnd.oasis.opendocument.database
    org.openoffice.text < public.data public.content
     : .sxw .sdw application/vnd.sun.xml.writer application/vnd.stardivision.writer
    org.openoffice.text-template < public.data public.content
     : .stw application/vnd.sun.xml.writer.template
    org.openoffice.text-master < public.data public.content
     : .sxg application/vnd.sun.xml.writer.global
    org.openoffice.spreadsheet < public.data public.spreadsheet
     : .sxc .sdc application/vnd.sun.xml.calc application/vnd.stardivision.calc
    org.openoffice.spreadsheet-template < public.data public.spreadsheet
     : .stc application/vnd.sun.xml.calc.template
    org.openoffice.presentation < public.data public.content public.presentation
     : .sxi .sdd .sdp application/vnd.sun.xml.impress application/vnd.stardivision.impress
     : application/vnd.stardivision.impress-packed
    org.openoffice.presentation-template < public.data public.content public.presentation
     : .sti application/vnd.sun.xml.impress.template
    org.openoffice.graphics < public.data public.content
     : .sxd .sda application/vnd.sun.xml.draw application/vnd.stardivision.draw
    org.openoffice.graphics-template < public.data public.content
     : .std application/vnd.sun.xml.draw.template
    org.openoffice.formula < public.data public.content
     : .sxm .smf application/vnd.sun.xml.math application/vnd.stardivision.math
    """
}
