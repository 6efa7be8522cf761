import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { installArtifactClients } from './artifact-clients/install.mjs'
import { currentNodeMajor, findCurrentNode } from './current-node.mjs'
import { findGiteaRunner, findStandInRunner } from './gitea-runner/find.mjs'

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} tests The tests that are skipped without the program.
 * @property {string} install How to install the program.
 * @property {() => Promise<string | undefined>} find Returns the path of the program; undefined if it is not installed.
 * @property {boolean} [optional] Whether the tests can be skipped even if `CI` is set.
 * @property {boolean} [slow] Whether only `npm run test:slow` uses the program.
 */

/**
 * The programs besides Node.js and Git that some tests use if they are installed.
 * @type {Program[]}
 */
export const programs = [
  {
    name: 'Chromium',
    tests: 'the browser tests',
    install: 'install the chromium-headless-shell package, or run: npx playwright install chromium',
    find: findChromium,
  },
  {
    name: 'PostgreSQL',
    tests: 'the tests that need a PostgreSQL server (contract tests use the embedded database instead)',
    install: 'install the postgresql package',
    find: findPostgresBinaries,
  },
  {
    name: "OpenSSH's client",
    tests: 'the tests that use ssh or ssh-keygen',
    install: 'install the openssh-client package',
    find: findSshKeygen,
  },
  {
    name: "OpenSSH's server",
    tests: 'the tests that use sshd',
    install: 'install the openssh-server package',
    find: findSshd,
    slow: true,
  },
  {
    name: 'systemd-analyze',
    tests: 'the test of the unit for systemd',
    install: 'install the systemd package',
    find: findSystemdAnalyze,
  },
  {
    name: 'nginx',
    tests: 'the test of the example configuration for nginx',
    install: 'install the nginx-light package',
    find: findNginx,
    slow: true,
  },
  {
    name: 'buildah (with debootstrap, as root)',
    tests: 'the test of the container image',
    install: 'install the buildah and debootstrap packages, and run the tests as root',
    find: findBuildah,
    slow: true,
  },
  {
    name: `Node.js ${currentNodeMajor}`,
    tests: 'the tests of the process on the recommended version of Node.js',
    install: 'run the tests with access to the npm registry',
    find: findCurrentNode,
    slow: true,
  },
  {
    name: 'Go',
    tests: 'the test of modules with the go command',
    install: 'install Go 1.21 or later',
    find: findGo,
    optional: true,
  },
  {
    name: 'ssh-audit',
    tests: 'the test of the SSH server with ssh-audit',
    install: 'run: pipx install ssh-audit',
    find: findSshAudit,
    optional: true,
  },
  {
    name: '@actions/artifact',
    tests: 'the tests that use GitHub’s artifact clients',
    install: 'run the tests with access to the npm registry',
    find: installArtifactClients,
  },
  {
    name: 'The Gitea runner',
    tests: 'the tests that use the published Gitea runner',
    install:
      'install Go 1.26 and run the tests with access to a Go module proxy that has gitea.com/gitea/runner',
    find: findGiteaRunner,
    optional: true,
    slow: true,
  },
  {
    name: "The Gitea runner's executor",
    tests: 'the tests that use a runner built from this executor',
    install: 'install Go 1.26 and run the tests with access to a Go module proxy',
    find: findStandInRunner,
    optional: true,
    slow: true,
  },
]

/**
 * Finds a browser for the browser tests. Prefers Debian's packages, and among them the headless shell, which
 * needs 20% less CPU time. Falls back to the browser that Playwright downloaded.
 * @returns {Promise<string | undefined>} The path of the program; undefined if none is installed.
 */
export async function findChromium() {
  const { chromium } = await import('playwright')
  const packaged = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  return [...packaged, chromium.executablePath()].find(path => existsSync(path))
}

/**
 * Finds the directory with `initdb` and `postgres`. Prefers the newest Debian package and falls back to PATH.
 * @returns {Promise<string | undefined>} The directory; undefined if PostgreSQL is not installed.
 */
export async function findPostgresBinaries(debianRoot = '/usr/lib/postgresql', path = process.env.PATH) {
  const versions = await readdir(debianRoot).catch(() => [])
  const packaged = versions
    .filter(version => /^\d+$/.test(version))
    .sort((a, b) => Number(b) - Number(a))
    .map(version => join(debianRoot, version, 'bin'))
  return [...packaged, ...directoriesOf(path)].find(
    directory => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres')),
  )
}

/**
 * Finds ssh-keygen on PATH.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findSshKeygen(path = process.env.PATH) {
  return findInPath('ssh-keygen', path)
}

/**
 * Finds ssh-audit on PATH.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findSshAudit(path = process.env.PATH) {
  return findInPath('ssh-audit', path)
}

/**
 * Finds the go command. Prefers PATH to where its installer puts it.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findGo(path = process.env.PATH) {
  return findInPath('go', `${path ?? ''}${delimiter}/usr/local/go/bin`)
}

/**
 * Finds a program in the directories of PATH.
 * @param {string} program
 * @param {string | undefined} path The value of PATH.
 * @returns {string | undefined} The path of the program; undefined if it is not installed.
 */
function findInPath(program, path) {
  return directoriesOf(path)
    .map(directory => join(directory, program))
    .find(file => existsSync(file))
}

/**
 * Finds the program that checks units for systemd.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findSystemdAnalyze(path = process.env.PATH) {
  return findInPath('systemd-analyze', path)
}

/**
 * Finds nginx.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findNginx(path = process.env.PATH) {
  return findInPath('nginx', `/usr/sbin${delimiter}${path ?? ''}`)
}

/**
 * Finds what the test of the container image needs: buildah, and debootstrap for the base image.
 * @returns {Promise<string | undefined>} The path of buildah; undefined if something is missing.
 */
export async function findBuildah(path = process.env.PATH) {
  const everywhere = `/usr/sbin${delimiter}${path ?? ''}`
  const isRoot = process.getuid?.() === 0
  return isRoot && findInPath('debootstrap', everywhere) ? findInPath('buildah', everywhere) : undefined
}

/**
 * Finds OpenSSH's server. Returns an absolute path, because sshd refuses to start without one.
 * @returns {Promise<string | undefined>} The path of the program; undefined if it is not installed.
 */
export async function findSshd(path = process.env.PATH) {
  return ['/usr/sbin', ...directoriesOf(path)]
    .map(directory => join(directory, 'sshd'))
    .find(file => existsSync(file))
}

/**
 * Splits the value of PATH into directories.
 * @param {string | undefined} path
 */
function directoriesOf(path = '') {
  return path.split(delimiter).filter(directory => directory !== '')
}
