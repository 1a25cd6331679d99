extension SystemTypes {
  static let text = """
    public.plain-text < public.text
     .txt .text text/plain
    public.utf8-plain-text < public.plain-text
     text/plain;charset=utf-8
    public.utf16-external-plain-text < public.plain-text
    public.utf16-plain-text < public.plain-text
     text/plain;charset=utf-16
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
     .csv text/csv text/comma-separated-values
    public.tab-separated-values-text < public.plain-text public.delimited-values-text
     .tsv text/tab-separated-values
    public.utf8-tab-separated-values-text < public.tab-separated-values-text public.utf8-plain-text
    public.rtf < public.text
     .rtf text/rtf
    public.html < public.text
     .html .htm .shtml .shtm text/html
    public.xml < public.text
     .xml application/xml text/xml
    public.xhtml < public.xml
     .xhtml .xhtm .xht application/xhtml+xml
    public.rss < public.xml
     .rss application/rss+xml
    public.xfd < public.xml
     .xfd
    public.css < public.text
     .css text/css
    public.patch-file < public.plain-text
     .patch .diff
    public.json < public.text
     .json application/json
    public.ndjson < public.text
     .ndjson application/x-ndjson
    public.yaml < public.text
     .yml .yaml application/x-yaml
    net.daringfireball.markdown < public.text
     .md .markdown .mdown text/markdown
    com.scenarist.closed-caption < public.text
     .scc
    org.w3.webvtt < public.text
     .vtt text/vtt
    public.vcard < public.text public.contact
     .vcf .vcard text/vcard text/directory text/x-vcard
    com.apple.ical.ics < public.text public.item public.calendar-event
     .ics text/calendar
    com.apple.ical.vcs < public.text public.item public.calendar-event
     .vcs .vcal text/x-vcalendar
    com.apple.mail.email < public.data public.email-message
     .eml message/rfc822
    com.apple.property-list < public.data
     .plist
    com.apple.xml-property-list < public.xml com.apple.property-list
     .plist
    com.apple.binary-property-list < com.apple.property-list
     .plist
    com.apple.ascii-property-list < public.text com.apple.property-list
     .plist
    com.apple.log < public.plain-text public.log
     .log
    com.apple.crashreport < public.utf8-plain-text public.log
     .crash
    com.apple.hangreport < public.utf8-plain-text public.log
     .hang
    com.apple.spinreport < public.utf8-plain-text public.log
     .spin
    com.apple.panicreport < public.utf8-plain-text public.log
     .panic
    com.apple.ktrace < public.data public.log
     .ktrace
    """
}
