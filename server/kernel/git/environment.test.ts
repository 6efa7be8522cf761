import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gitEnvironment } from './environment'
import { runGit } from './run'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-environment-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true, force: true })
})

it('gitEnvironment passes on none of the server’s environment variables except PATH', () => {
  vi.stubEnv('GIT_DIR', '/somewhere')
  vi.stubEnv('GIT_SSH_COMMAND', 'touch /tmp/x')
  vi.stubEnv('GUILDHALL_SECRET_KEY', 'secret')
  vi.stubEnv('DATABASE_URL', 'postgres://secret')
  const environment = gitEnvironment()
  expect(environment.PATH).toBe(process.env.PATH)
  for (const name of ['GIT_DIR', 'GIT_SSH_COMMAND', 'GUILDHALL_SECRET_KEY', 'DATABASE_URL']) {
    expect(environment).not.toHaveProperty(name)
  }
})

it('Git uses our configuration, but neither the system’s nor the user’s', async () => {
  await writeFile(join(directory, '.gitconfig'), '[core]\n\thooksPath = /from/home\n[user]\n\tname = Home\n')
  vi.stubEnv('HOME', directory)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(directory, '.gitconfig'))
  vi.stubEnv('GIT_CONFIG_PARAMETERS', "'user.email'='from@environment'")
  vi.stubEnv('GIT_CONFIG_COUNT', '1')
  vi.stubEnv('GIT_CONFIG_KEY_0', 'user.signingkey')
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'inherited')
  const listed = await runGit(['config', '--list'], {
    settings: { 'core.hookspath': '/ours; $(x) "y"', 'receive.hideRefs': ['a', 'b'] },
  })
  const ours = new Set((await runGit(['config', '--list'])).trim().split('\n'))
  expect(ours).toContain('safe.directory=*')
  const added = listed
    .trim()
    .split('\n')
    .filter(line => !ours.has(line))
  expect(added).toEqual(['core.hookspath=/ours; $(x) "y"', 'receive.hiderefs=a', 'receive.hiderefs=b'])
})

it.each(['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE'])(
  'Git runs no other program for a signature of the kind %s',
  async kind => {
    for (const program of ['gpg', 'gpgsm', 'ssh-keygen']) {
      const script = `#!/bin/sh\necho asked >${join(directory, `asked-${program}`)}\n`
      await writeFile(join(directory, program), script, { mode: 0o755 })
    }
    vi.stubEnv('PATH', `${directory}:${process.env.PATH}`)
    const repository = join(directory, 'signed.git')
    await runGit(['init', '--quiet', '--bare', '--', repository])
    const write = async (type: string, input: string) =>
      (await runGit(['hash-object', '-t', type, '-w', '--stdin'], { repository, input })).trim()
    const signature = `gpgsig -----BEGIN ${kind}-----\n \n -----END ${kind}-----\n`
    const people = 'author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n'
    const id = await write('commit', `tree ${await write('tree', '')}\n${people}${signature}\nSigned\n`)
    await runGit(['verify-commit', id], { repository }).catch(() => undefined)
    expect((await readdir(directory)).filter(name => name.startsWith('asked'))).toEqual([])
  },
)
