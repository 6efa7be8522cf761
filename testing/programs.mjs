import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { installArtifactClients } from './artifact-clients/install.mjs'
import { findGiteaRunner, findStandInRunner } from './gitea-runner/find.mjs'

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} tests What is skipped where it is missing.
 * @property {string} install
 * @property {() => Promise<string | undefined>} find Its path; undefined where it is not installed.
 * @property {boolean} [optional] Whether its tests may be skipped even where all others must run.
 * @property {boolean} [slow] Whether `npm run test:slow` alone uses it.
 */

/**
 * The programs beside Node.js and git that tests use where a machine has them.
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
    tests: 'the tests on a PostgreSQL server (the contract tests run on the embedded database)',
    install: 'install the postgresql package',
    find: findPostgresBinaries,
  },
  {
    name: "OpenSSH's client",
    tests: 'the tests with ssh, and with keys that ssh-keygen makes',
    install: 'install the openssh-client package',
    find: findSshKeygen,
  },
  {
    name: "OpenSSH's server",
    tests: 'the tests with sshd',
    install: 'install the openssh-server package',
    find: findSshd,
    slow: true,
  },
  {
    name: 'ssh-audit',
    tests: 'the check of the SSH server by ssh-audit',
    install: 'run: pipx install ssh-audit',
    find: findSshAudit,
    optional: true,
  },
  {
    name: '@actions/artifact',
    tests: 'the tests with the stock clients of artifacts',
    install: 'run the tests where the npm registry can be reached',
    find: installArtifactClients,
  },
  {
    name: 'The Gitea runner',
    tests: 'the tests with the Gitea runner itself',
    install: 'install Go 1.26 and run the tests where a Go module proxy has gitea.com/gitea/runner',
    find: findGiteaRunner,
    optional: true,
    slow: true,
  },
  {
    name: "The Gitea runner's executor",
    tests: 'the tests with a runner made of it',
    install: 'install Go 1.26 and run the tests where a Go module proxy can be reached',
    find: findStandInRunner,
    optional: true,
    slow: true,
  },
]

/**
 * The browser of the browser tests: Debian's, rather without windows, which needs a fifth less of the processor, else the
 * one that Playwright downloaded.
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const { chromium } = await import('playwright')
  const packaged = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  return [...packaged, chromium.executablePath()].find(path => existsSync(path))
}

/**
 * The directory with `initdb` and `postgres`: the newest packaged one, else the first on PATH.
 * @returns {Promise<string | undefined>}
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

/** @returns {Promise<string | undefined>} */
export async function findSshKeygen(path = process.env.PATH) {
  return findInPath('ssh-keygen', path)
}

/** @returns {Promise<string | undefined>} */
export async function findSshAudit(path = process.env.PATH) {
  return findInPath('ssh-audit', path)
}

/**
 * @param {string} program
 * @param {string | undefined} path
 */
function findInPath(program, path) {
  return directoriesOf(path)
    .map(directory => join(directory, program))
    .find(file => existsSync(file))
}

/**
 * OpenSSH's server, which wants to be called by its whole path.
 * @returns {Promise<string | undefined>}
 */
export async function findSshd(path = process.env.PATH) {
  return ['/usr/sbin', ...directoriesOf(path)]
    .map(directory => join(directory, 'sshd'))
    .find(file => existsSync(file))
}

/** @param {string | undefined} path */
function directoriesOf(path = '') {
  return path.split(delimiter).filter(directory => directory !== '')
}
