import { notFound } from '@/server/kernel/errors'
import type { GitignoreTemplate } from './schema'

/**
 * The .gitignore templates by the names that existing clients know: patterns of files that programs and tools
 * create next to the sources.
 */
const ignoreLists: Readonly<Record<string, string>> = {
  Android: lines`
    .gradle/ build/ /captures/ .externalNativeBuild/ .cxx/ local.properties *.apk *.aab *.ap_ *.dex output-metadata.json
    *.jks *.keystore google-services.json *.hprof`,
  // As many lines as Gitea's templates: the tests of its Go client count those of a first commit.
  C: sections({
    Dependencies: '*.d',
    'Object files': '*.o *.ko *.obj *.elf',
    'Linker output': '*.ilk *.map *.exp',
    'Precompiled headers': '*.gch *.pch',
    'Static libraries': '*.lib *.a *.la *.lo',
    'Shared libraries': '*.dll *.so *.so.* *.dylib',
    Executables: '*.exe *.out *.app *.hex *.i*86 *.x86_64',
    'Debug information': '*.dSYM/ *.su *.idb *.pdb *.dwo',
    'Kernel modules': '*.mod *.mod.c .tmp_versions/ modules.order Module.symvers dkms.conf',
  }),
  'C++': sections({
    Dependencies: '*.d',
    'Object files': '*.o *.obj *.lo',
    'Precompiled headers and modules': '*.gch *.pch *.pcm',
    'Static libraries': '*.lib *.a *.la *.lai',
    'Shared libraries': '*.dll *.so *.so.* *.dylib',
    Executables: '*.exe *.out *.app',
    'Language servers': 'compile_commands.json .cache/clangd/',
  }),
  CMake: lines`
    CMakeLists.txt.user CMakeCache.txt CMakeFiles/ CMakeScripts/ CMakeUserPresets.json Testing/ cmake_install.cmake
    install_manifest.txt compile_commands.json CTestTestfile.cmake _deps/ build/`,
  Clojure: lines`
    pom.xml pom.xml.asc *.jar *.class /lib/ /classes/ /target/ /checkouts/ .lein-* .nrepl-port .cpcache/ .lsp/.cache/
    .clj-kondo/.cache/ .shadow-cljs/`,
  Composer: lines`
    composer.phar /vendor/`,
  D: lines`
    *.o *.obj *.so *.dylib *.dll *.a *.lib *.exe .dub/ docs.json __dummy.html __test__*__ /bin/`,
  Dart: lines`
    .dart_tool/ .packages build/ doc/api/ .flutter-plugins .flutter-plugins-dependencies *.dart.js *.js.map coverage/`,
  Dotnet: lines`
    bin/ obj/ artifacts/ *.user *.suo *.rsuser .vs/ [Tt]est[Rr]esult*/ *.trx *.coverage coverage*.json coverage*.xml
    *.nupkg *.snupkg project.lock.json *.binlog BenchmarkDotNet.Artifacts/`,
  Elixir: lines`
    /_build/ /cover/ /deps/ /doc/ /.fetch erl_crash.dump *.ez *.beam /config/*.secret.exs .elixir_ls/`,
  Elm: lines`
    elm-stuff/ repl-temp-*`,
  Emacs: lines`
    *~ \\#*\\# .\\#* *.elc auto-save-list/ .projectile .dir-locals-2.el /server/ network-security.data`,
  Erlang: lines`
    .eunit/ *.o *.beam *.plt erl_crash.dump .concrete/DEV_MODE ebin/ rel/ log/ logs/ _build/ _checkouts/ rebar3.crashdump`,
  Go: lines`
    *.exe *.exe~ *.dll *.so *.dylib *.test *.out *.coverprofile profile.cov go.work go.work.sum .env`,
  Gradle: lines`
    .gradle/ **/build/ !**/src/**/build/ gradle-app.setting !gradle-wrapper.jar .gradletasknamecache .kotlin/`,
  Haskell: lines`
    dist/ dist-newstyle/ cabal-dev/ *.o *.hi *.hie *.chi *.chs.h *.dyn_o *.dyn_hi .hpc/ .hsenv/ .cabal-sandbox/
    cabal.sandbox.config *.prof *.aux *.hp *.eventlog .stack-work/ cabal.project.local cabal.project.local~ .HTF/
    .ghc.environment.*`,
  Java: lines`
    *.class *.log *.ctxt *.jar *.war *.nar *.ear *.zip *.tar.gz *.rar hs_err_pid* replay_pid*`,
  JetBrains: lines`
    .idea/ *.iml *.ipr *.iws out/ cmake-build-*/ atlassian-ide-plugin.xml http-client.private.env.json`,
  Julia: lines`
    *.jl.cov *.jl.*.cov *.jl.mem deps/deps.jl deps/build.log docs/build/ docs/site/ Manifest.toml`,
  Kotlin: lines`
    *.class *.jar *.war *.ear *.log .kotlin/ hs_err_pid* replay_pid*`,
  Linux: lines`
    *~ .fuse_hidden* .directory .Trash-* .nfs*`,
  Lua: lines`
    luac.out *.src.rock *.o *.os *.obj *.so *.so.* *.dll *.dylib *.exe /lua_modules/ /.luarocks/ .luarocks-config`,
  Maven: lines`
    target/ pom.xml.tag pom.xml.releaseBackup pom.xml.versionsBackup pom.xml.next release.properties
    dependency-reduced-pom.xml buildNumber.properties .mvn/timing.properties .mvn/wrapper/maven-wrapper.jar`,
  Nim: lines`
    nimcache/ nimblecache/ htmldocs/ nimble.develop nimble.paths`,
  Nix: lines`
    result result-* .direnv/`,
  Node: lines`
    node_modules/ jspm_packages/ web_modules/ npm-debug.log* yarn-debug.log* yarn-error.log* .pnpm-debug.log*
    lerna-debug.log* logs/ *.log report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json pids/ *.pid *.pid.lock coverage/ *.lcov
    .nyc_output/ .npm/ .eslintcache .stylelintcache *.tsbuildinfo .node_repl_history *.tgz .env .env.* !.env.example
    .cache/ .parcel-cache/ .next/ .nuxt/ .output/ .svelte-kit/ .vite/ dist/ .yarn/cache/ .yarn/unplugged/
    .yarn/install-state.gz .pnp.*`,
  OCaml: lines`
    *.annot *.cmo *.cma *.cmi *.a *.o *.cmx *.cmxs *.cmxa *.cmt *.cmti *.install .merlin _build/ _opam/ setup.data
    setup.log *.native *.byte .ocamlformat-cache/`,
  'Objective-C': lines`
    xcuserdata/ *.xcscmblueprint *.xccheckout build/ DerivedData/ *.hmap *.ipa *.dSYM.zip *.dSYM Pods/ Carthage/Build/
    fastlane/report.xml fastlane/Preview.html fastlane/screenshots/**/*.png fastlane/test_output`,
  Perl: lines`
    /blib/ /.build/ _build/ cover_db/ inc/ Build Build.bat .last_cover_stats /Makefile /Makefile.old /MANIFEST.bak
    /META.yml /META.json /MYMETA.* nytprof.out /pm_to_blib *.o *.bs /local/`,
  Python: lines`
    __pycache__/ *.py[cod] *$py.class *.so build/ dist/ wheels/ eggs/ .eggs/ *.egg-info/ *.egg sdist/ MANIFEST
    pip-log.txt pip-delete-this-directory.txt htmlcov/ .tox/ .nox/ .coverage .coverage.* coverage.xml .hypothesis/
    .pytest_cache/ .cache nosetests.xml *.mo *.log local_settings.py db.sqlite3 db.sqlite3-journal instance/ .scrapy
    docs/_build/ .ipynb_checkpoints profile_default/ .pdm-python .pixi/ __pypackages__/ celerybeat-schedule .env
    .envrc .venv/ env/ venv/ ENV/ /site .mypy_cache/ .dmypy.json .pyre/ .pytype/ .ruff_cache/ cython_debug/ .pypirc`,
  R: lines`
    .Rhistory .Rapp.history .RData .RDataTmp .Ruserdata .Renviron *-Ex.R /*.tar.gz /*.Rcheck/ .Rproj.user/
    vignettes/*.html vignettes/*.pdf .httr-oauth *_cache/ /cache/ *.utf8.md *.knit.md docs/ rsconnect/`,
  Rails: lines`
    /.bundle/ /log/* /tmp/* !/log/.keep !/tmp/.keep /storage/* !/storage/.keep /public/assets/ /public/packs/
    /public/uploads/ /coverage/ /config/master.key /config/credentials/*.key /node_modules/ /.env* !/.env.example
    *.rbc .byebug_history capybara-*.html /db/*.sqlite3 /db/*.sqlite3-* /spec/examples.txt yarn-error.log`,
  Ruby: lines`
    *.gem *.rbc /.config /coverage/ /InstalledFiles /pkg/ /spec/reports/ /spec/examples.txt /test/tmp/ /tmp/ .dat*
    .repl_history *.bridgesupport .yardoc/ /_yardoc/ /doc/ /rdoc/ /.bundle/ /vendor/bundle /lib/bundler/man/
    .byebug_history .rubocop-remote*`,
  Rust: lines`
    target/ **/*.rs.bk *.pdb **/mutants.out*/ rust-project.json`,
  Scala: lines`
    *.class *.log target/ project/target/ project/project/ .bsp/ .bloop/ .metals/ metals.sbt .scala-build/
    hs_err_pid*`,
  Swift: lines`
    xcuserdata/ *.hmap *.ipa *.dSYM.zip *.dSYM timeline.xctimeline playground.xcworkspace .build/ .swiftpm/ Packages/
    Package.resolved DerivedData/ Carthage/Build/ Pods/ fastlane/report.xml fastlane/test_output`,
  TeX: lines`
    *.aux *.lof *.log *.lot *.fls *.out *.toc *.fmt *.fot *.cb *.cb2 .*.lb *.dvi *.xdv *-converted-to.* *.bbl *.bbl-*
    *.bcf *.blg *-blx.aux *-blx.bib *.run.xml *.fdb_latexmk *.synctex *.synctex(busy) *.synctex.gz *.synctex.gz(busy)
    *.pdfsync *.nav *.pre *.snm *.vrb *.acn *.acr *.glg *.glo *.gls *.glsdefs *.idx *.ilg *.ind *.ist *.lol *.loa
    *.thm *.tdo _minted* *.pyg *.bak *.sav`,
  Terraform: lines`
    **/.terraform/* *.tfstate *.tfstate.* crash.log crash.*.log *.tfvars *.tfvars.json override.tf override.tf.json
    *_override.tf *_override.tf.json .terraform.tfstate.lock.info .terraformrc terraform.rc *.tfplan`,
  Unity: lines`
    /[Ll]ibrary/ /[Tt]emp/ /[Oo]bj/ /[Bb]uild/ /[Bb]uilds/ /[Ll]ogs/ /[Uu]ser[Ss]ettings/ /[Mm]emoryCaptures/
    /[Rr]ecordings/ .vs/ .gradle/ ExportedObj/ *.csproj *.unityproj *.sln *.suo *.user *.userprefs *.pidb *.booproj
    *.pdb *.mdb *.apk *.aab *.unitypackage *.app sysinfo.txt crashlytics-build.properties`,
  Vim: lines`
    [._]*.s[a-v][a-z] !*.svg [._]*.sw[a-p] [._]s[a-rt-v][a-z] [._]ss[a-gi-z] [._]sw[a-p] Session.vim Sessionx.vim
    .netrwhist *~ tags [._]*.un~`,
  VisualStudio: lines`
    *.rsuser *.suo *.user *.userosscache *.sln.docstates .vs/ [Dd]ebug/ [Rr]elease/ x64/ x86/ [Aa][Rr][Mm]64/ bld/
    [Bb]in/ [Oo]bj/ [Ll]og/ [Ll]ogs/ [Tt]est[Rr]esult*/ [Bb]uild[Ll]og.* *.VisualState.xml TestResult.xml nunit-*.xml
    BenchmarkDotNet.Artifacts/ project.lock.json artifacts/ *_i.c *_p.c *_h.h *.ilk *.meta *.obj *.iobj *.pch *.pdb
    *.ipdb *.pgc *.pgd *.rsp *.sbr *.tlb *.tli *.tlh *.tmp *.tmp_proj *.log *.vspscc *.vssscc *.pidb *.svclog *.aps
    *.ncb *.opendb *.opensdf *.sdf *.cachefile *.VC.db *.psess *.vsp *.vspx *.coverage *.coveragexml _ReSharper*/
    *.DotSettings.user *.nupkg *.snupkg node_modules/ *.mdf *.ldf *.ndf ~$* *~`,
  VisualStudioCode: lines`
    .vscode/* !.vscode/settings.json !.vscode/tasks.json !.vscode/launch.json !.vscode/extensions.json
    !.vscode/*.code-snippets .history/ *.vsix`,
  Windows: lines`
    Thumbs.db Thumbs.db:encryptable ehthumbs.db ehthumbs_vista.db *.stackdump [Dd]esktop.ini $RECYCLE.BIN/ *.cab *.msi
    *.msix *.msm *.msp *.lnk`,
  Xcode: lines`
    xcuserdata/ *.xcscmblueprint *.xccheckout build/ DerivedData/ *.moved-aside *.hmap *.ipa *.dSYM.zip *.dSYM`,
  Zig: lines`
    .zig-cache/ zig-cache/ zig-out/ *.o`,
  macOS: lines`
    .DS_Store .AppleDouble .LSOverride ._* .DocumentRevisions-V100 .fseventsd .Spotlight-V100 .TemporaryItems .Trashes
    .VolumeIcon.icns .com.apple.timemachine.donotpresent .AppleDB .AppleDesktop .apdisk`,
}

// No pattern contains a space, so several patterns fit on one line here.
function lines(words: TemplateStringsArray): string {
  return `${words.join('').trim().split(/\s+/).join('\n')}\n`
}

function sections(patterns: Readonly<Record<string, string>>): string {
  const texts = Object.entries(patterns).map(([title, list]) => `# ${title}\n${list.replaceAll(' ', '\n')}\n`)
  return texts.join('\n')
}

export const gitignoreNames: readonly string[] = Object.keys(ignoreLists)

/**
 * Gets a .gitignore template by its exact name.
 * @throws {DomainError} notFound.
 */
export function getGitignore(name: string): GitignoreTemplate {
  const source = Object.hasOwn(ignoreLists, name) ? ignoreLists[name] : undefined
  if (source === undefined) throw notFound()
  return { name, source }
}

/**
 * Combines .gitignore templates into one file, each template once.
 * @throws {DomainError} notFound for a template that does not exist.
 */
export const gitignoreOf = (names: readonly string[]): string =>
  [...new Set(names)].map(name => `# ${name}\n${getGitignore(name).source}`).join('\n')
