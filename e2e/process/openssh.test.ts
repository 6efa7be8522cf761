// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { git, gitOk } from '@/testing/git'
import { commit, startLocal } from '@/testing/git-repository'
import { freePort, isListening } from '@/testing/ports'
import { findSshd } from '@/testing/programs.mjs'
import { generateKey, runProgram } from '@/testing/ssh'
import { addKey, adminHeaders, adminToken } from './api'
import { admin, adminEnvironment, dataDirectory, start, temporaryDirectory } from './guildhall'

const sshd = (await findSshd()) ?? ''
const login = userInfo().username

it.skipIf(!sshd)('OpenSSH’s sshd serves Git through the process to owners of registered keys', async () => {
  await using data = await dataDirectory()
  await using directory = await temporaryDirectory()
  const environment = {
    GUILDHALL_DATA_DIR: data.path,
    GUILDHALL_SSH_SOCKET: 'on',
    GUILDHALL_SSH_PUBLIC_PORT: '22',
    ...adminEnvironment,
  }
  const guildhall = await start(environment)
  const token = await adminToken(guildhall.url)
  const mine = await generateKey(directory.path)
  const others = await generateKey(directory.path)
  const addMine = async (): Promise<number> => {
    const added = await addKey(guildhall.url, token, { title: 'laptop', key: mine.publicKey })
    return ((await added.json()) as { id: number }).id
  }
  const keyId = await addMine()
  await fetch(`${guildhall.url}/api/v1/user/repos`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify({ name: 'site' }),
  })

  await using server = await startSshd(directory.path, data.path)
  const client = clientOf(server.port, mine.file)
  const settings = { 'core.sshCommand': ['ssh', ...client].join(' ') }
  const remote = `ssh://${login}@127.0.0.1/${admin.name}/site.git`
  const ssh = (...args: string[]) => runProgram('ssh', [...client, `${login}@127.0.0.1`, ...args])

  const greeting = await ssh()
  expect(greeting.stderr).toContain(`Hi ${admin.name}! You are signed in with the key “laptop”.`)
  expect(greeting.code).toBe(0)

  const local = join(directory.path, 'local')
  const first = await startLocal(local)
  await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
  for (const version of ['0', '2']) {
    const clone = join(directory.path, `clone-${version}`)
    await gitOk(['clone', '-q', remote, clone], { settings: { ...settings, 'protocol.version': version } })
    expect(await gitOk(['rev-parse', 'HEAD'], { cwd: clone })).toBe(first)
  }
  const second = await commit(local)
  await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
  expect(await gitOk(['ls-remote', remote, 'main'], { settings })).toContain(second)
  const upload = `git-upload-pack '/${admin.name}/site'`
  const asked = await ssh('-o', 'SetEnv=GIT_PROTOCOL=version=2', upload)
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(asked.stdout).toMatch(/^000eversion 2\n/)

  expect(await ssh('ls', '-l')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Only Git commands'),
  })
  const nowhere = await git(['clone', `ssh://${login}@127.0.0.1/${admin.name}/none`], { settings })
  expect(nowhere.stderr).toContain('not found')
  const refused = await runProgram('ssh', [...clientOf(server.port, others.file), `${login}@127.0.0.1`])
  expect(refused).toMatchObject({
    code: 255,
    stderr: expect.stringContaining('Permission denied (publickey)'),
  })

  // A client that is already connected can start more sessions, even after its key is deleted or Guildhall
  // stops.
  const shared = ['-o', `ControlPath=${join(directory.path, 'master')}`, '-o', 'ControlMaster=auto']
  const onShared = (...args: string[]) => ssh(...shared, '-o', 'ControlPersist=60', ...args)
  expect((await onShared()).code).toBe(0)
  await fetch(`${guildhall.url}/api/v1/user/keys/${keyId}`, { method: 'DELETE', headers: adminHeaders })
  expect(await onShared(upload)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This key no longer grants access.'),
  })
  expect((await ssh()).code).toBe(255)
  await ssh(...shared, '-O', 'exit')

  await addMine()
  expect((await onShared()).code).toBe(0)
  await guildhall.end('SIGKILL')
  expect(await onShared(upload)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Guildhall is not running. Try again later.'),
  })
  await ssh(...shared, '-O', 'exit')
  expect((await ssh()).code).toBe(255)
  const asking = await runProgram('npm', ['run', '--silent', 'ssh:keys', '--', ...mine.publicKey.split(' ')])
  expect(asking).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not running') })

  // The killed process left its socket file behind.
  const again = await start(environment, guildhall.url)
  expect((await ssh()).code).toBe(0)
  await again.end('SIGTERM')
})

const clientOf = (port: number, keyFile: string): string[] => [
  ...['-F', '/dev/null', '-i', keyFile, '-p', String(port)],
  ...['-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR', '-T'],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
]

/** Starts sshd for the current user, configured as described in docs/ssh.md. Disposing it stops sshd. */
async function startSshd(
  directory: string,
  dataDir: string,
): Promise<{ port: number; [Symbol.asyncDispose](): Promise<void> }> {
  const port = await freePort()
  const hostKey = await generateKey(directory)
  const keys = `${process.execPath} ${resolve('dist/ssh-keys.js')} %t %k`
  const config = `
    ListenAddress 127.0.0.1:${port}
    HostKey ${hostKey.file}
    PidFile none
    PermitRootLogin yes
    AuthorizedKeysFile none
    AuthorizedKeysCommand /usr/bin/env GUILDHALL_DATA_DIR=${dataDir} ${keys}
    AuthorizedKeysCommandUser ${login}
    AcceptEnv GIT_PROTOCOL
    PasswordAuthentication no
    KbdInteractiveAuthentication no
    DisableForwarding yes
    PermitTTY no
  `
  await writeFile(join(directory, 'sshd_config'), config.replace(/^ +/gm, ''))
  // As root, sshd requires this directory for privilege separation. A system service would have created it.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  const child = spawn(sshd, ['-D', '-e', '-f', join(directory, 'sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const ended = once(child, 'close')
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(said)
    await delay(20)
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
