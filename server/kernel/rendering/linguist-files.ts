// The well-known rules of GitHub's linguist for files that do not count toward the languages of a repository.

const vendoredFolders = new Set(
  '.github .idea .vscode .yarn 3rd-party 3rd_party 3rdparty bower_components cache carthage dist extern external externals godeps node_modules pods testdata third-party third_party thirdparty vendor vendors'.split(
    ' ',
  ),
)
const vendoredRoots = new Set(['dependencies', 'deps', 'debian'])
const vendoredNames = new Set(
  '.ds_store aclocal.m4 config.guess config.sub configure configure.ac erlang.mk gradlew gradlew.bat install-sh ltmain.sh mvnw mvnw.cmd'.split(
    ' ',
  ),
)
const vendoredName =
  /[.-]min\.(?:js|mjs|css)$|^(?:jquery|bootstrap|modernizr|angular|d3|react|vue|prototype|mootools)(?:[.-][\w.-]{1,40})?\.(?:js|css)$|^(?:font-?awesome|normalize|foundation|animate)(?:[.-][\w.-]{1,40})?\.(?:css|scss|less)$/

/** Whether a file is a copy of someone else's code by its path, such as one in `node_modules` or `vendor`. */
export function isVendored(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  return (
    parts.some(folder => vendoredFolders.has(folder)) ||
    (parts[0] !== undefined && vendoredRoots.has(parts[0])) ||
    parts.some((folder, at) => folder === 'fixtures' && /^(?:tests?|specs?)$/.test(parts[at - 1] ?? '')) ||
    parts.some((folder, at) => folder === 'wrapper' && parts[at - 1] === 'gradle') ||
    vendoredNames.has(name) ||
    isShort(name, vendoredName)
  )
}

const generatedFolders = new Set(['__generated__', 'node_modules', 'godeps', '__pycache__'])
const generatedNames = new Set(
  '.pnp.cjs .pnp.js .pnp.loader.mjs bun.lock bun.lockb cargo.lock composer.lock deno.lock flake.lock glide.lock go.sum go.work.sum gopkg.lock gradlew gradlew.bat mvnw mvnw.cmd npm-shrinkwrap.json package-lock.json package.resolved pdm.lock pipfile.lock pixi.lock pnpm-lock.yaml poetry.lock terraform.lock.hcl .terraform.lock.hcl uv.lock yarn.lock module.bazel.lock'.split(
    ' ',
  ),
)
const generatedName =
  /[.-]min\.(?:js|mjs|css)$|\.(?:js|css|mjs|cjs)\.map$|\.pb\.(?:go|cc|h|dart|swift|validate\.go)$|\.pb\.gw\.go$|_pb2(?:_grpc)?\.pyi?$|_pb(?:\.d)?\.(?:js|ts|rb)$|_grpc\.pb\.go$|\.(?:g|freezed|gr|mocks)\.dart$|\.designer\.(?:cs|vb)$|\.feature\.cs$|\.g\.(?:cs|i\.cs)$|\.(?:nib|xcworkspacedata|xcuserstate)$|\.zep\.(?:c|h|php)$|\.generated\.\w{1,10}$|_generated\.\w{1,10}$|(?:^|[._-])zz_generated/

/** Whether a program wrote a file, by its path: lock files, minified scripts, protocol buffers and the like. */
export function isGenerated(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  return (
    parts.some(folder => generatedFolders.has(folder)) ||
    generatedNames.has(name) ||
    isShort(name, generatedName)
  )
}

// Git limits no name, and file systems to 255 bytes.
const isShort = (name: string, pattern: RegExp): boolean => name.length <= 255 && pattern.test(name)
