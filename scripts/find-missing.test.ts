import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findPostgresBinaries, findSshKeygen, programs } from '@/testing/programs.mjs'
import { findMissing } from './find-missing.mjs'

const nowhere = programs.map(program => ({ ...program, find: async () => undefined }))
const everywhere = programs.map(program => ({ ...program, find: async () => '/somewhere' }))

describe('the look for programs that tests need', () => {
  it('says in one line for each missing one what is skipped and how to get it', async () => {
    const { missing, lines, fails } = await findMissing(nowhere, { required: false })
    expect(fails).toBe(false)
    expect([...missing]).toEqual(programs.map(({ name }) => name))
    expect(lines).toEqual([
      'Chromium was not found: skipping the browser tests. To get it, install the chromium-headless-shell package, or run: npx playwright install chromium',
      'PostgreSQL was not found: skipping the tests on a PostgreSQL server (the contract tests run on the embedded database). To get it, install the postgresql package',
      "OpenSSH's client was not found: skipping the tests with ssh, and with keys that ssh-keygen makes. To get it, install the openssh-client package",
      "OpenSSH's server was not found: skipping the tests with sshd. To get it, install the openssh-server package",
      'ssh-audit was not found: skipping the check of the SSH server by ssh-audit. To get it, run: pipx install ssh-audit',
      '@actions/artifact was not found: skipping the tests with the stock clients of artifacts. To get it, run the tests where the npm registry can be reached',
      'The Gitea runner was not found: skipping the tests with the Gitea runner itself. To get it, install Go 1.26 and run the tests where a Go module proxy has gitea.com/gitea/runner',
      "The Gitea runner's executor was not found: skipping the tests with a runner made of it. To get it, install Go 1.26 and run the tests where a Go module proxy can be reached",
    ])
  })

  it('fails the run for a missing one where CI is set', async () => {
    const [first = nowhere[0]!, ...others] = everywhere
    const { lines, fails } = await findMissing([{ ...first, find: async () => undefined }, ...others], {
      required: true,
    })
    expect(fails).toBe(true)
    expect(lines).toEqual([
      'Chromium was not found: CI is set, and these would be skipped: the browser tests. To get it, install the chromium-headless-shell package, or run: npx playwright install chromium',
    ])
  })

  it('does not fail the run for a missing one that is optional', async () => {
    const optional = nowhere.filter(program => program.optional)
    const { missing, fails } = await findMissing(optional, { required: true })
    expect(missing.size).toBe(optional.length)
    expect(fails).toBe(false)
  })

  it('says nothing where all are there', async () => {
    expect(await findMissing(everywhere, { required: true })).toEqual({
      missing: new Set(),
      lines: [],
      fails: false,
    })
  })
})

describe('a program is found', () => {
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

  it('as the newest PostgreSQL that is packaged, else as the first on PATH that can make a database', async () => {
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

  it('as the first ssh-keygen on PATH', async () => {
    const at = await withFiles('bin/ssh-keygen')
    expect(await findSshKeygen(`${at}/empty:${at}/bin`)).toBe(`${at}/bin/ssh-keygen`)
    expect(await findSshKeygen('')).toBeUndefined()
  })
})
