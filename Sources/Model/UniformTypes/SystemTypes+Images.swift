extension SystemTypes {
  static let images = """
    public.jpeg < public.image
     .jpeg .jpg .jpe image/jpeg image/jpg
    public.jpeg-2000 < public.image
     .jp2 .jpf .jpx .j2k .j2c image/jp2
    public.jpeg-xl < public.image
     .jxl image/jxl
    public.png < public.image
     .png image/png
    public.tiff < public.image
     .tiff .tif image/tiff
    public.heif-standard < public.image
    public.heic < public.heif-standard
     .heic image/heic
    public.heics < public.heif-standard
     .heics image/heic-sequence
    public.heif < public.heif-standard
     .heif .hif image/heif
    public.heifs < public.heif-standard
     .heifs image/heif-sequence
    public.avci < public.heif-standard
     .avci image/avci
    public.avcs < public.heif-standard
     .avcs image/avcs
    public.avif < public.heif-standard
     .avif image/avif
    public.svg-image < public.image public.xml
     .svg .svgz image/svg+xml
    com.compuserve.gif < public.image
     .gif image/gif
    org.webmproject.webp < public.image
     .webp image/webp
    com.microsoft.bmp < public.image
     .bmp .dib image/bmp
    com.microsoft.ico < public.image
     .ico image/vnd.microsoft.icon image/x-icon
    com.microsoft.cur < public.image
     .cur
    com.microsoft.dds < public.image
     .dds
    com.apple.icns < public.image
     .icns
    com.apple.pict < public.image
     .pict .pct .pic image/pict image/x-pict image/x-macpict
    com.apple.macpaint-image < public.image
     .pntg
    com.apple.quicktime-image < public.image
     .qtif .qti image/x-quicktime
    com.apple.drawing < public.image
     .drawing
    public.xbitmap-image < public.image
     .xbm image/x-xbitmap
    public.mpo-image < public.image
     .mpo
    public.pbm < public.image
     .pbm .pgm .ppm .pnm
    public.pvr < public.image
     .pvr
    public.radiance < public.image
     .hdr
    org.khronos.ktx < public.image
     .ktx
    org.khronos.astc < public.image
     .astc
    com.adobe.photoshop-image < public.image
     .psd image/vnd.adobe.photoshop image/photoshop image/x-photoshop image/psd
     application/photoshop
    com.adobe.photoshop-large-image < public.image
     .psb
    com.adobe.illustrator.ai-image < public.image
     .ai
    com.truevision.tga-image < public.image
     .tga image/targa image/tga application/tga
    com.sgi.sgi-image < public.image
     .sgi image/sgi
    com.ilm.openexr-image < public.image
     .exr
    com.kodak.flashpix-image < public.image
     .fpx image/fpx application/vnd.fpx
    ca.mcgill.mni.bic.mnc < public.image
     .mnc .minc
    public.fax < public.image public.message
    com.j2.jfx-fax < public.fax
     .jfx
    com.j2.efx-fax < public.fax
     .efx image/efax
    public.camera-raw-image < public.image
    com.adobe.raw-image < public.camera-raw-image
     .dng image/x-adobe-dng
    com.canon.cr2-raw-image < public.camera-raw-image
     .cr2 image/x-canon-cr2
    com.canon.cr3-raw-image < public.camera-raw-image
     .cr3 image/x-canon-cr3
    com.canon.crw-raw-image < public.camera-raw-image
     .crw image/x-canon-crw
    com.canon.tif-raw-image < public.camera-raw-image
     .tif
    com.nikon.raw-image < public.camera-raw-image
     .nef image/x-nikon-nef
    com.nikon.nrw-raw-image < public.camera-raw-image
     .nrw
    com.sony.raw-image < public.camera-raw-image
     .srf
    com.sony.sr2-raw-image < public.camera-raw-image
     .sr2
    com.sony.arw-raw-image < public.camera-raw-image
     .arw image/x-sony-arw
    com.fuji.raw-image < public.camera-raw-image
     .raf image/x-fuji-raf
    com.olympus.raw-image < public.camera-raw-image
     .orf image/x-olympus-orf
    com.olympus.or-raw-image < public.camera-raw-image
     .ori
    com.panasonic.raw-image < public.camera-raw-image
     .raw image/x-panasonic-raw
    com.panasonic.rw2-raw-image < public.camera-raw-image
     .rw2
    com.pentax.raw-image < public.camera-raw-image
     .pef
    com.samsung.raw-image < public.camera-raw-image
     .srw
    com.leica.raw-image < public.camera-raw-image
     .raw
    com.leica.rwl-raw-image < public.camera-raw-image
     .rwl
    com.leafamerica.raw-image < public.camera-raw-image
     .mos
    com.hasselblad.3fr-raw-image < public.camera-raw-image
     .3fr
    com.hasselblad.fff-raw-image < public.camera-raw-image
     .fff
    com.phaseone.raw-image < public.camera-raw-image
     .iiq
    com.konicaminolta.raw-image < public.camera-raw-image
     .mrw
    com.kodak.raw-image < public.camera-raw-image
     .dcr
    com.epson.raw-image < public.camera-raw-image
     .erf
    com.dxo.raw-image < public.camera-raw-image
     .dxo
    org.nema.dicom < public.data
     .dcm .dicom application/dicom
    gov.nih.nifti-1 < public.data
     .nii
    com.apple.private.live-photo-bundle < com.apple.live-photo com.apple.bundle com.apple.package
     .pvt
    public.alembic < public.3d-content public.data
     .abc
    public.geometry-definition-format < public.3d-content public.text
     .obj
    public.standard-tesselated-geometry-format < public.3d-content public.data
     .stl
    public.polygon-file-format < public.3d-content public.data
     .ply
    com.pixar.universal-scene-description < public.3d-content public.data
     .usd .usda .usdc
    com.pixar.universal-scene-description-mobile < public.3d-content public.data
     .usdz model/vnd.usdz+zip
    com.apple.reality < public.data
     .reality model/vnd.reality
    com.apple.scenekit.scene < public.data public.3d-content
     .scn .scnz
    com.apple.arobject < public.data
     .arobject
    org.khronos.collada.digital-asset-exchange < public.xml public.audiovisual-content \
    public.3d-content
     .dae
    """
}
