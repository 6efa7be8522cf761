/** What GitHub's linguist calls the kind of a language. Data and prose do not count toward a repository's languages. */
export type LanguageType = 'programming' | 'markup' | 'data' | 'prose'

/** A language as GitHub's linguist names and colors it. */
export interface Language {
  name: string
  type: LanguageType
  /** CSS color. */
  color: string
  /** Identifier of the grammar that highlights it; undefined if there is none. */
  id: string | undefined
}

// GitHub's color for languages without one.
const defaultColor = '#8b949e'

// Name, type unless it is programming, color, grammar, and patterns: extensions, names of files, and after an
// exclamation mark interpreters.
const table = `
ABAP||#E8274B||.abap
ABNF|data||abnf|.abnf
ActionScript||#882B0F|actionscript|.as
Ada||#02f88c|ada|.adb .ada .ads
Agda||#315665||.agda
Alloy||#64C800||.als
AngelScript||#C7D7DC|angelscript|.angelscript
ANTLR||#9DC3FF||.g4
ApacheConf|data|#d12127|apache|.apacheconf .htaccess apache2.conf httpd.conf
Apex||#1797c0|java|.cls .apex
APL||#5A8164||.apl .dyalog !apl !aplx !dyalog
AppleScript||#101F1F|applescript|.applescript .scpt !osascript
AsciiDoc|prose|#73a0c5|asciidoc|.asciidoc .adoc .asc
Assembly||#6E4C13|x86asm|.asm .a51 .nas .nasm
Astro|markup|#ff5a03|xml|.astro
AutoHotkey||#6594b9|autohotkey|.ahk .ah1 .ah2 .ahkl
AutoIt||#1C3552|autoit|.au3
Awk||#c30e9b|awk|.awk .auk .gawk .mawk .nawk !awk !gawk !mawk !nawk
Ballerina||#FF5000||.bal
Batchfile||#C1F12E|dos|.bat .cmd gradlew.bat mvnw.cmd
BibTeX Style||||.bst
Bicep||#519aba||.bicep .bicepparam
Blade|markup|#f7523f|xml|.blade .blade.php
Brainfuck||#2F2530|brainfuck|.b .bf
C||#555555|c|.c .cats .h .h.in .idc !tcc
C#||#7355dd|csharp|.cs .cake .cs.pp .csx .linq
C++||#f34b7d|cpp|.cpp .c++ .cc .cp .cppm .cxx .h++ .hh .hpp .hxx .inl .ino .ipp .ixx .tcc .tpp
Caddyfile|data|#22b638||.caddyfile Caddyfile
Cairo||#ff4a48||.cairo
Cap'n Proto||#c42727|capnproto|.capnp
Carbon||#222222||.carbon
Chapel||#8dc63f||.chpl
Clojure||#db5855|clojure|.clj .boot .cl2 .cljc .cljs .cljs.hl .cljscm .cljx .hic riemann.config !bb
CMake||#DA3434|cmake|.cmake .cmake.in CMakeLists.txt
COBOL||||.cob .cbl .ccp .cobol .cpy
CoffeeScript||#244776|coffeescript|.coffee ._coffee .cjsx .coffee.erb .iced Cakefile !coffee
Common Lisp||#3fb68b|lisp|.lisp .asd .lsp .ny .podsl .sexp !lisp !sbcl !ccl !clisp !ecl
Common Workflow Language||#B5314C|yaml|.cwl !cwl-runner
Crystal||#000100|crystal|.cr !crystal
CSS|markup|#663399|css|.css
CSV|data|#237346||.csv
Cuda||#3A4E3A|cpp|.cu .cuh
CUE||#5886E1||.cue
Cython||#fedf5b|python|.pyx .pxd .pxi
D||#ba595e|d|.d .di
Dart||#00B4AB|dart|.dart !dart
desktop|data||ini|.desktop .desktop.in
Devicetree|data|#394f7b||.dts .dtsi
Dhall||#dfafff||.dhall
Diff|data||diff|.diff .patch
Dockerfile||#384d54|dockerfile|.dockerfile .containerfile Containerfile Dockerfile dockerfile
Dotenv|data|#e5d559|bash|.env .env.ci .env.dev .env.development .env.development.local .env.example .env.local .env.prod .env.production .env.sample .env.staging .env.template .env.test .env.testing
Dylan||#6c616e||.dylan .dyl .intr .lid
EBNF|data||ebnf|.ebnf
EditorConfig|data|#fff1f2|ini|.editorconfig
Eiffel||#4d6977||.e
EJS|markup|#a91e50|erb|.ejs .ect .ejs.t .jst
Elixir||#6e4a7e|elixir|.ex .exs mix.lock !elixir
Elm||#60B5CC|elm|.elm
Emacs Lisp||#c065db|lisp|.el .emacs .emacs.desktop .abbrev_defs .gnus .spacemacs .viper Cask Eask Project.ede _emacs abbrev_defs
Erlang||#B83998|erlang|.erl .app.src .escript .hrl .xrl .yrl Emakefile rebar.config rebar.config.lock rebar.lock !escript
F#||#b845fc|fsharp|.fs .fsi .fsx
Factor||#636746||.factor .factor-boot-rc .factor-rc
Fennel||#fff3d7||.fnl !fennel
fish||#4aae47||.fish !fish
Flix||#d44a45|flix|.flix
Forth||#341708||.fth .4th .forth .frt
Fortran||#4d41b1|fortran|.f .f77 .for .fpp
Fortran Free Form||#4d41b1|fortran|.f90 .f03 .f08 .f95
G-code||#D08CF2|gcode|.g .cnc .gco .gcode
GDScript||#355570||.gd
GDShader||#478CBF||.gdshader .gdshaderinc
Gettext Catalog|prose|||.po .pot
Gherkin||#5B2063|gherkin|.feature .story
Git Attributes|data|#F44D27||.gitattributes
Git Config|data|#F44D27|ini|.gitconfig .gitmodules .tgitconfig config.worktree
Gleam||#ffaff3||.gleam
GLSL||#5686a5|glsl|.glsl .fp .frag .frg .fsh .fshader .geo .geom .glslf .glslv .gshader .rchit .rmiss .shader .tesc .tese
Go||#00ADD8|go|.go
Go Checksums|data|#00ADD8||go.sum go.work.sum
Go Module|data|#00ADD8||go.mod go.work
Golo||#88562A|golo|.golo
Gradle|data|#02303a|gradle|.gradle
GraphQL|data|#e10098|graphql|.graphql .gql .graphqls
Graphviz (DOT)|data|#2596be||.dot .gv
Groovy||#4298b8|groovy|.groovy .grt .gtpl .gvy Jenkinsfile !groovy
Hack||#878787|php|.hack .hhi
Haml|markup|#ece2a9|haml|.haml .haml.deface
Handlebars|markup|#f7931e|handlebars|.handlebars .hbs
Haskell||#5e5086|haskell|.hs .hs-boot .hsc !runghc !runhaskell !runhugs
Haxe||#df7900|haxe|.hx .hxsl
HCL||#844FBA||.hcl .nomad .tf .tfvars .tofu .workflow
HLSL||#aace60||.hlsl .cginc .fx .fxh .hlsli
HTML|markup|#e34c26|xml|.html .hta .htm .html.hl .xht .xhtml
HTML+ERB|markup|#701516|erb|.erb .erb.deface .rhtml
HTTP|data|#005C9C||.http
Hy||#7790B2|hy|.hy !hy
Idris||#b30000||.idr .lidr
Ignore List|data|#000000||.gitignore .agignore .atomignore .babelignore .bzrignore .ckignore .coffeelintignore .cvsignore .dockerignore .easignore .eleventyignore .eslint-ignore .eslintignore .ignore .markdownlintignore .nodemonignore .npmignore .prettierignore .rgignore .stylelintignore .vercelignore .vscodeignore gitignore-global gitignore_global
Inform 7|||inform7|.ni .i7x
INI|data|#d1dbe0|ini|.conf .ini .cfg .cnf .container .dof .frm .lektorproject .mount .network .prefs .service .socket .target .timer .buckconfig .coveragerc .flake8 .gitreview .pylintrc HOSTS buildozer.spec pylintrc vlcrc
Inno Setup||#264b99||.iss .isl
Io||#a9188d||.io !io
Isabelle||#FEFE00||.thy
J||#9EEDFF||.ijs !jconsole
Java||#b07219|java|.java .jav .jsh
Java Properties|data|#2A6277|properties|.properties
Java Server Pages||#2A6277|xml|.jsp
JavaScript||#f1e05a|javascript|.js ._js .bones .cjs .es6 .gs .jake .javascript .jsb .jscad .jsfl .jslib .jsm .jspre .jss .jsx Jakefile !bun !chakra !d8 !deno !gjs !js !node !nodejs
Jinja|markup|#a52a22|django|.jinja .j2 .jinja2
JSON|data|#292929|json|.json .4dform .4dproject .avsc .geojson .gltf .har .ice .json-tmlanguage .json.example .jsonl .mcmeta .sarif .slnlaunch .tact .tfstate .all-contributorsrc .arcconfig .auto-changelog .c8rc .htmlhintrc .imgbotconfig .nycrc .releaserc .secrets.baseline .tern-config .tern-project .watchmanconfig MODULE.bazel.lock Package.resolved Pipfile.lock bun.lock composer.lock deno.lock flake.lock mcmod.info
JSON with Comments|data|#292929|json|.jsonc .code-snippets .code-workspace .hujson .sublime-build .sublime-color-scheme .sublime-commands .sublime-completions .sublime-keymap .sublime-macro .sublime-menu .sublime-mousemap .sublime-project .sublime-settings .sublime-theme .sublime-workspace .babelrc .devcontainer.json .eslintrc .eslintrc.json .jscsrc .jshintrc .jslintrc .oxlintrc.json .swcrc api-extractor.json devcontainer.json jsconfig.json language-configuration.json tsconfig.json tslint.json
JSON5|data|#267CB9|json|.json5
Jsonnet||#0064bd||.jsonnet .libsonnet
Julia||#a270ba|julia|.jl !julia
Jupyter Notebook|markup|#DA5B0B|json|.ipynb Notebook
Just||#384d54||.just .JUSTFILE JUSTFILE
KCL||#7ABABF||.k kcl.mod kcl.mod.lock
Kotlin||#A97BFF|kotlin|.kt .ktm .kts
Lean||||.lean
Less|markup|#1d365d|less|.less
Lex||#DBCA00||.l .lex Lexer.x
Linker Script||||.ld .lds ld.script
Liquid|markup|#67b8de|xml|.liquid
LiveScript||#499886|livescript|.ls ._ls Slakefile
LLVM||#185619|llvm|.ll
Logtalk||#295b9a||.lgt .logtalk
LSL||#3d9970|lsl|.lsl .lslp !lsl
Lua||#000080|lua|.lua .nse .p8 .pd_lua .rbxs .rockspec .wlua .luacheckrc !lua !luajit
M4||||.m4 .mc
Makefile||#427819|makefile|.mak .make .makefile .mk .mkfile BSDmakefile GNUmakefile Kbuild Makefile Makefile.am Makefile.boot Makefile.frag Makefile.in Makefile.inc Makefile.pc Makefile.wat makefile.sco mkfile !make
Markdown|prose|#083fa1|markdown|.md .livemd .markdown .mdown .mdwn .mkd .mkdn .mkdown .ronn .scd contents.lr
MATLAB||#e16737|matlab|.matlab
Max||#c4a79c|json|.maxpat .maxhelp .maxproj .mxt .pat
MDX|markup|#fcb32c|markdown|.mdx
Mercury||#ff2b2b|mercury|.moo !mmi
Mermaid|markup|#ff3670||.mmd .mermaid
Meson||#007800||meson.build meson_options.txt
Metal||#8f14e9||.metal
Modelica||#de1d31||.mo
Mojo||#ff4c1f|python|.mojo
Monkey|||monkey|.monkey .monkey2
MoonScript||#ff4585|moonscript|.moon !moon
Move||#4a137a||.move
Mustache|markup|#724b3b|handlebars|.mustache
Nginx|data|#009639|nginx|.nginx .nginxconf .vhost nginx.conf
Nim||#ffc200|nim|.nim .nim.cfg .nimble .nimrod .nims nim.cfg
Ninja|data|||.ninja
Nix||#7e7eff|nix|.nix
NSIS|||nsis|.nsi .nsh
Nunjucks|markup|#3d8137|django|.njk
Nushell||#4E9906||.nu !nu
Objective-C||#438eff|objectivec|.m
Objective-C++||#6866fb|objectivec|.mm
OCaml||#ef7a08|ocaml|.ml .eliom .eliomi .ml4 .mli .mll .mly !ocaml !ocamlrun !ocamlscript
Odin||#60AFFE||.odin
Open Policy Agent||#7d9199||.rego
OpenCL||#ed2e2d|c|.cl .opencl
OpenSCAD||#e5cd45|openscad|.scad
Org|prose|#77aa99||.org
Pascal||#E3F171|delphi|.pas .dfm .dpr .lpr .pascal !instantfpc
Perl||#0298c3|perl|.pl .al .perl .ph .plx .pm .psgi .t .latexmkrc Makefile.PL Rexfile ack cpanfile latexmkrc !cperl !perl
PHP||#4F5D95|php-template|.php .aw .ctp .php3 .php4 .php5 .phps .phpt .php_cs .php_cs.dist Phakefile !php
Pkl||#6b9543||.pkl !pkl
PlantUML|data|#fbbd16||.puml .iuml .plantuml
PLpgSQL||#336790|sql|.pgsql
PLSQL||#dad8d8|sql|.pls .bdy .fnc .pck .pkb .pks .plb .plsql .prc .spc .tpb .tps .trg .vw
Pony|||pony|.pony
PostScript|markup|#da291c||.ps .eps .epsi .pfa
PowerShell||#012456|powershell|.ps1 .psd1 .psm1 !pwsh
Processing||#0096D8|processing|.pde
Prolog||#74283c|prolog|.pro .prolog .yap !swipl !yap
Protocol Buffer|data||protobuf|.proto
Pug|markup|#a86454||.jade .pug
Puppet||#302B6D|puppet|.pp Modulefile
PureBasic||#5a6986|purebasic|.pb .pbi
PureScript||#1D222D|haskell|.purs
Python||#3572A5|python|.py .gyp .gypi .lmi .py3 .pyde .pyi .pyp .pyt .pyw .rpy .tac .wsgi .xpy .gclient DEPS SConscript SConstruct wscript !python !python2 !python3 !py !pypy !pypy3 !uv
q||#0040cd|q|.q
QML||#44a51c|qml|.qml .qbs
R||#198CE7|r|.r .rd .rhistory .rsx .Rapp.history .Rprofile expr-dist !Rscript
Racket||#3c5caa|scheme|.rkt .rktd .rktl .scrbl !racket
Raku||#0000fb||.6pl .6pm .nqp .p6 .p6l .p6m .pl6 .pm6 .raku .rakumod !perl6 !raku !rakudo
Reason||#ff5847|reasonml|.re .rei
Red||#f50000||.red .reds
ReScript||#ed5051|reasonml|.res .resi
reStructuredText|prose|#141414||.rst .rest .rest.txt .rst.txt
REXX||#d90e09||.rexx .pprx .rex !regina !rexx
Roc||#7c38f5||.roc
Rocq Prover||#d0b68c|coq|.coq
Roff|markup|#ecdebe||.man .ms .roff .1 .1in .1m .1x .2 .3 .3in .3m .3p .3pm .3qt .3x .4 .5 .6 eqnrc mmn mmt troffrc troffrc-end
RPM Spec|data|||.spec
Ruby||#701516|ruby|.rb .builder .eye .gemspec .god .jbuilder .mspec .podspec .prawn .rabl .rake .rbi .rbuild .rbw .rbx .ru .irbrc .pryrc .simplecov Appraisals Berksfile Brewfile Buildfile Capfile Dangerfile Deliverfile Fastfile Gemfile Guardfile Jarfile Mavenfile Podfile Puppetfile Rakefile Snapfile Steepfile Thorfile Vagrantfile !ruby !macruby !rake !jruby !rbx config.ru
Rust||#dea584|rust|.rs .rs.in !rust-script
SAS||#B34936|sas|.sas
Sass|markup|#a53b70||.sass
Scala||#c22d40|scala|.scala .kojo .sbt .sc !scala
Scheme||#1e4aec|scheme|.scm .sld .sps .ss !scheme !guile !bigloo !chicken !csi !gosh !r6rs
Scilab||#ca0f21|scilab|.sci .sce .tst
SCSS|markup|#c6538c|scss|.scss
sed||#64b970||.sed !gsed !minised !sed !ssed
Shell||#89e051|bash|.sh .bash .bats .command .ksh .pacscript .sbatch .sh.in .slurm .tmux .tool .trigger .zsh .zsh-theme .bash_aliases .bash_functions .bash_history .bash_logout .bash_profile .bashrc .cshrc .envrc .flaskenv .kshrc .login .profile .tmux.conf .xinitrc .xsession .zlogin .zlogout .zprofile .zshenv .zshrc PKGBUILD bash_aliases bash_logout bash_profile !ash !bash !dash !ksh !mksh !pdksh !rc !sh
ShellSession|||shell|.sh-session
Slim|markup|#2b2b2b||.slim
Smali|||smali|.smali
Smalltalk||#596706|smalltalk|.st
Smithy||#c44536||.smithy
Solidity||#AA6746||.sol
SQF||#3F3F3F|sqf|.sqf .hqf
SQL|data|#e38c00|sql|.sql .ddl .mysql .tab .udf .viw
SSH Config|data|||ssh-config ssh_config sshconfig sshconfig.snip sshd-config sshd_config
Stan||#b2011d|stan|.stan
Standard ML||#dc566d|sml|.fun .sig .sml
Starlark||#76d275|python|.bzl .star BUCK BUILD BUILD.bazel MODULE.bazel Tiltfile WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod
Stata||#1a5f91|stata|.do .ado .doh .ihlp .mata .matah .sthlp
Stylus|markup|#ff6347|stylus|.styl
Svelte|markup|#ff3e00|xml|.svelte
SVG|data|#ff9900|xml|.svg
Swift||#F05138|swift|.swift
SystemVerilog||#DAE1C2|verilog|.sv .svh .vh
Tcl||#e4cc98|tcl|.tcl .adp .sdc .tcl.in .xdc owh starfield !tclsh !wish
templ|markup|#66D0DD||.templ
Terraform Template|markup|#7b42bb||.tftpl
TeX|markup|#3D6117|latex|.tex .aux .bbx .cbx .dtx .ins .lbx .ltx .mkii .mkiv .mkvi .sty .toc
Text|prose|||.txt .ncl .no CITATION CITATIONS COPYING COPYING.regex COPYRIGHT.regex FONTLOG INSTALL INSTALL.mysql LICENSE LICENSE.mysql NEWS README.me README.mysql README.nss README.pc click.me delete.me keep.me package.mask package.use.mask package.use.stable.mask read.me readme.1st test.me
Thrift||#D12127|thrift|.thrift
TLA||#4b0079||.tla
TOML|data|#9c4221|ini|.toml .toml.example Cargo.lock Cargo.toml.orig Gopkg.lock Pipfile mise.local.lock mise.lock pdm.lock poetry.lock uv.lock
TSV|data|#237346||.tsv .vcf
TSX||#3178c6|typescript|.tsx
Twig|markup|#c1d026|twig|.twig
TypeScript||#3178c6|typescript|.ts .cts .mts !ts-node !tsx
Typst||#239dad||.typ
Unix Assembly|||x86asm|.s
Vala||#a56de2|vala|.vala .vapi
VBA||#867db1|vbnet|.bas .vba
VBScript||#15dcdc|vbscript|.vbs
Verilog||#b2b7f8|verilog|.v .veo
VHDL||#adb2cb|vhdl|.vhdl .vhd .vhf .vhi .vho .vhs .vht .vhw
Vim script||#199f4b|vim|.vim .vimrc .vmb .exrc .gvimrc .nvimrc _vimrc gvimrc nvimrc vimrc
Visual Basic .NET||#945db7|vbnet|.vb .vbhtml
Vue|markup|#41b883|xml|.vue
Vyper||#9F4CF2|python|.vy
WebAssembly||#04133b|wasm|.wast .wat
WGSL||#1a5e9a||.wgsl
Windows Registry Entries|data|#52d5ff||.reg
Wolfram Language||#dd1100|mathematica|.mathematica .cdf .ma .nb .nbp .wl .wls .wlt !wolfram !WolframKernel !wolframscript !math !MathKernel !MathematicaScript !WolframNB !Mathematica
Wren||#383838|wren|.wren
XML|data|#0060ac|xml|.ditamap .props .xml .adml .admx .ant .axaml .axml .ccproj .ccxml .clixml .cproject .cscfg .csdef .csproj .ct .depproj .dita .classpath .project App.config NuGet.config Settings.StyleCop Web.Debug.config Web.Release.config Web.config packages.config
Xonsh||#285EEF|python|.xsh
XQuery||#5232e7|xquery|.xquery .xq .xql .xqm .xqy
XSLT||#EB8CEB|xml|.xslt .xsl
Yacc||#4B6C4B||.y .yacc .yy
YAML|data|#cb171e|yaml|.yml .mir .reek .rviz .sublime-syntax .syntax .yaml .yaml-tmlanguage .yaml.sed .yml.mysql .clang-format .clang-tidy .clangd .eslintrc .gemrc .releaserc CITATION.cff glide.lock pixi.lock yarn.lock
Zephir||#118f9e|zephir|.zep
Zig||#ec915c||.zig .zig.zon
`

/** Languages by pattern in lowercase: `.ts`, `makefile`, and `!python3` for an interpreter. */
export const languagesByPattern: ReadonlyMap<string, Language> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap(line => {
      const [name = '', type, color, id, patterns = ''] = line.split('|')
      const language: Language = {
        name,
        type: (type || 'programming') as LanguageType,
        color: color || defaultColor,
        id: id || undefined,
      }
      const own = patterns.split(' ').filter(pattern => pattern !== '')
      return [...own, `#${name}`].map(pattern => [pattern.toLowerCase(), language] as const)
    }),
)
