import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findPostgresBinaries, findSshKeygen, programs } from '@/testing/programs.mjs'
import { findMissing } from './find-missing.mjs'

const nowhere = programs.map(program => ({ ...program, find: async () => undefined }))
const everywhere = programs.map(program => ({ ...program, find: async () => '/somewhere' }))

describe('findMissing', () => {
  it('returns a line for each missing program that names the skipped tests and how to install the program', async () => {
    const { missing, lines, fails } = await findMissing(nowhere, { required: false })
    expect(fails).toBe(false)
    expect([...missing]).toEqual(programs.map(({ name }) => name))
    expect(lines).toEqual([
      'Chromium was not found: skipping the browser tests. To get it, install the chromium-headless-shell package, or run: npx playwright install chromium',
      'PostgreSQL was not found: skipping the tests that need a PostgreSQL server (contract tests use the embedded database instead). To get it, install the postgresql package',
      "OpenSSH's client was not found: skipping the tests that use ssh or ssh-keygen. To get it, install the openssh-client package",
      "OpenSSH's server was not found: skipping the tests that use sshd. To get it, install the openssh-server package",
      'systemd-analyze was not found: skipping the test of the unit for systemd. To get it, install the systemd package',
      'nginx was not found: skipping the test of the example configuration for nginx. To get it, install the nginx-light package',
      'buildah (with debootstrap, as root) was not found: skipping the test of the container image. To get it, install the buildah and debootstrap packages, and run the tests as root',
      'Node.js 26 was not found: skipping the tests of the process on the recommended version of Node.js. To get it, run the tests with access to the npm registry',
      'Go was not found: skipping the test of modules with the go command. To get it, install Go 1.21 or later',
      'ssh-audit was not found: skipping the test of the SSH server with ssh-audit. To get it, run: pipx install ssh-audit',
      '@actions/artifact was not found: skipping the tests that use GitHub’s artifact clients. To get it, run the tests with access to the npm registry',
      'The Gitea runner was not found: skipping the tests that use the published Gitea runner. To get it, install Go 1.26 and run the tests with access to a Go module proxy that has gitea.com/gitea/runner',
      "The Gitea runner's executor was not found: skipping the tests that use a runner built from this executor. To get it, install Go 1.26 and run the tests with access to a Go module proxy",
    ])
  })

  it('makes the run fail for a missing program if programs are required', async () => {
    const [first = nowhere[0]!, ...others] = everywhere
    const { lines, fails } = await findMissing([{ ...first, find: async () => undefined }, ...others], {
      required: true,
    })
    expect(fails).toBe(true)
    expect(lines).toEqual([
      'Chromium was not found: CI is set, so the browser tests must not be skipped. To get it, install the chromium-headless-shell package, or run: npx playwright install chromium',
    ])
  })

  it('does not make the run fail for a missing optional program', async () => {
    const optional = nowhere.filter(program => program.optional)
    const { missing, fails } = await findMissing(optional, { required: true })
    expect(missing.size).toBe(optional.length)
    expect(fails).toBe(false)
  })

  it('returns no lines if all programs are installed', async () => {
    expect(await findMissing(everywhere, { required: true })).toEqual({
      missing: new Set(),
      lines: [],
      fails: false,
    })
  })
})

describe('the search for installed programs', () => {
  let home = ''
  afterAll(() => rm(home, { recursive: true, force: true }))

  async function withFiles(...files: string[]): Promise<string> {
    home = await mkdtemp(join(tmpdir(), 'guildhall-programs-'))
    for (const file of files) {
      await mkdir(dirname(join(home, file)), { recursive: true })
      await writeFile(join(home, file), '')
    }
    return home
  }

  it('finds the newest packaged PostgreSQL or, without packages, the first on PATH that has both initdb and postgres', async () => {
    const at = await withFiles(
      ...['debian/9/bin', 'debian/15/bin', 'local'].flatMap(folder => [
        `${folder}/initdb`,
        `${folder}/postgres`,
      ]),
      'clients/postgres',
    )
    const path = `${at}/clients:${at}/local`
    expect(await findPostgresBinaries(`${at}/debian`, path)).toBe(`${at}/debian/15/bin`)
    expect(await findPostgresBinaries(`${at}/nothing`, path)).toBe(`${at}/local`)
    expect(await findPostgresBinaries(`${at}/nothing`, '')).toBeUndefined()
  })

  it('finds the first ssh-keygen on PATH', async () => {
    const at = await withFiles('bin/ssh-keygen')
    expect(await findSshKeygen(`${at}/empty:${at}/bin`)).toBe(`${at}/bin/ssh-keygen`)
    expect(await findSshKeygen('')).toBeUndefined()
  })
})
