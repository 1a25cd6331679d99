extension SystemTypes {
  static let sourceCode = """
    public.source-code < public.plain-text
    public.source-code.preprocessed < public.source-code
    public.script < public.source-code
    public.c-source < public.source-code
     .c
    public.c-source.preprocessed < public.c-source public.source-code.preprocessed
     .i
    com.apple.iig-source < public.c-source
     .iig
    public.objective-c-source < public.source-code
     .m
    public.objective-c-source.preprocessed < public.objective-c-source public.source-code.preprocessed
     .mi
    public.c-plus-plus-source < public.source-code
     .cp .cpp .c++ .cc .cxx
    public.c-plus-plus-source.preprocessed < public.c-plus-plus-source public.source-code.preprocessed
     .ii
    public.objective-c-plus-plus-source < public.source-code
     .mm
    public.objective-c-plus-plus-source.preprocessed < public.objective-c-plus-plus-source \
    public.source-code.preprocessed
     .mii
    public.c-header < public.source-code
     .h
    public.precompiled-c-header < public.source-code
     .pch
    public.c-plus-plus-header < public.source-code
     .hh .hp .hpp .hxx .h++ .ipp
    public.c-plus-plus-inline-header < public.c-plus-plus-header
     .inl
    public.precompiled-c-plus-plus-header < public.source-code
     .pch++
    public.swift-source < public.source-code
     .swift
    public.rust-source < public.text public.source-code
     .rs text/x-rust text/rust
    com.sun.java-source < public.source-code
     .java .jav
    public.assembly-source < public.source-code
     .s
    com.apple.rez-source < public.source-code
     .r
    public.lex-source < public.source-code
     .l .lm .lmm .lpp .lxx .ll
    public.yacc-source < public.source-code
     .y .ym .ymm .ypp .yxx .yy
    public.mig-source < public.source-code
     .defs .mig
    com.apple.symbol-export < public.source-code
     .exp
    public.fortran-source < public.source-code
     .f .for
    public.fortran-77-source < public.fortran-source
     .f77
    public.fortran-90-source < public.fortran-source
     .f90
    public.fortran-95-source < public.fortran-source
     .f95
    public.pascal-source < public.source-code
     .pas
    public.ada-source < public.source-code
     .ada .adb .ads
    public.dylan-source < public.source-code
     .dylan .lid
    public.opencl-source < public.source-code
     .cl
    public.opengl-shader-language-source < public.source-code
     .glsl .vert .frag
    com.apple.metal < public.source-code
     .metal
    com.netscape.javascript-source < public.script public.executable
     .js .jscript .javascript .mjs text/javascript application/javascript
    public.shell-script < public.script
     .sh
    public.bash-script < public.shell-script
     .bash
    public.csh-script < public.shell-script
     .csh
    public.ksh-script < public.shell-script
     .ksh
    public.tcsh-script < public.shell-script
     .tcsh
    public.zsh-script < public.shell-script
     .zsh
    public.perl-script < public.shell-script
     .pl .pm text/x-perl-script
    public.python-script < public.shell-script
     .py text/x-python-script
    public.ruby-script < public.shell-script
     .rb .rbw text/x-ruby-script
    public.php-script < public.shell-script
     .php .php3 .php4 .ph3 .ph4 .phtml text/php text/x-php-script application/php
    public.make-source < public.script
     .make .mak .gmk .mk
    com.apple.applescript.text < public.script
     .applescript
    com.apple.applescript.script < public.data public.script
     .scpt
    com.apple.scripting-definition < public.xml
     .sdef
    com.sun.java-web-start < public.xml
     .jnlp application/x-java-jnlp-file application/jnlp
    """
}
