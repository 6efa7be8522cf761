import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { afterAll, beforeAll } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { defaultSshLimits, type SshLimits, type SshServer, startSshServer } from '@/server/ssh/server'
import type { GitResult } from './git'
import type { Person } from './people'
import { findSshKeygen } from './programs.mjs'
import type { Site } from './site'

/** Whether OpenSSH's client, which includes ssh-keygen, is installed. */
export const hasSsh: boolean = (await findSshKeygen()) !== undefined

/** An SSH identity: the path of a private key, or the socket of an agent. */
export type Identity = string | { agent: string }

/** The SSH server of a site, and a directory for files of its clients. */
export interface SshSite extends SshServer {
  directory: string
  /** Returns the SSH URL of a repository, whose path is like `/owner/name`. */
  address(path: string): string
  /** Returns the Git settings for signing in with this identity. Additional options are passed to ssh. */
  settings(identity: Identity, ...options: string[]): Record<string, string>
  /** Runs ssh with this identity and returns its output and exit code. */
  run(identity: Identity, ...args: string[]): Promise<GitResult>
}

/**
 * Starts the SSH server of a site before the tests of the current `describe` block or file, and stops it
 * after them.
 */
export function useSsh(
  site: Site,
  limits: Partial<SshLimits> = {},
  hostKeyTypes: readonly ('ed25519' | 'rsa')[] = ['ed25519'],
): SshSite {
  const holder = {} as SshSite
  beforeAll(async () => void Object.assign(holder, await startSsh(site, limits, hostKeyTypes)))
  afterAll(async () => {
    await holder.stop?.(0)
    if (holder.directory) await rm(holder.directory, { recursive: true, force: true })
  })
  return holder
}

async function startSsh(
  site: Site,
  limits: Partial<SshLimits>,
  hostKeyTypes: readonly ('ed25519' | 'rsa')[],
): Promise<SshSite> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-ssh-'))
  const hostKeys = hostKeyTypes.map(type => {
    // One in 256 Ed25519 keys that the library generates is malformed, and the library cannot parse it.
    for (;;) {
      const { private: privateKey } = ssh2.utils.generateKeyPairSync(type as 'rsa', { bits: 2048 })
      if (!(ssh2.utils.parseKey(privateKey) instanceof Error))
        return { algorithm: `ssh-${type}`, publicKey: '', privateKey }
    }
  })
  const at = { host: '127.0.0.1', port: 0 }
  const server = await startSshServer(site.services, hostKeys, at, { ...defaultSshLimits, ...limits })
  const optionsOf = (identity: Identity): string[] => sshOptions(identity, server.port)
  return {
    ...server,
    directory,
    address: path => `ssh://git@127.0.0.1:${server.port}${path}.git`,
    settings: (identity, ...options) => ({
      'core.sshCommand': ['ssh', ...optionsOf(identity), ...options].join(' '),
    }),
    run: (identity, ...args) => runProgram('ssh', [...optionsOf(identity), ...args]),
  }
}

/**
 * Returns the ssh options for signing in with this identity on a port of the local host, without the settings
 * of the host.
 */
export const sshOptions = (identity: Identity, port: number): string[] => [
  ...['-F', '/dev/null', '-p', String(port), '-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR'],
  ...(typeof identity === 'string'
    ? ['-i', identity, '-o', 'IdentitiesOnly=yes']
    : ['-o', `IdentityAgent=${identity.agent}`]),
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
]

/**
 * Generates a key pair with ssh-keygen. Returns the path of the private key, and the public key as a line.
 */
export async function generateKey(
  directory: string,
  type = 'ed25519',
  ...options: string[]
): Promise<{ file: string; publicKey: string }> {
  const file = await mkdtemp(join(directory, 'key-')).then(folder => join(folder, 'id'))
  const args = ['-q', '-t', type, '-N', '', '-C', 'someone@example.test', '-f', file, ...options]
  const { code, stderr } = await runProgram('ssh-keygen', args)
  if (code !== 0) throw new Error(`ssh-keygen: ${stderr}`)
  return { file, publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() }
}

/**
 * Generates a key pair and adds the public key to a person. Returns the path of the private key, and the
 * database row of the public key.
 */
export async function addGeneratedKey(
  site: Site,
  { directory }: SshSite,
  { account }: Pick<Person, 'account'>,
  overrides: Parameters<typeof makeKey>[2] = {},
): Promise<{ file: string; key: Awaited<ReturnType<typeof makeKey>> }> {
  const { file, publicKey } = await generateKey(directory)
  const { content, fingerprint } = parsePublicKey(publicKey)
  return { file, key: await makeKey(site.db, account.id, { content, fingerprint, ...overrides }) }
}

/**
 * Signs in with a private key using the library ssh2, for requests that no OpenSSH client sends.
 * @throws {Error} if the server rejects the key.
 */
export async function connectSsh(
  { port }: SshSite,
  keyFile: string,
  options: ssh2.ConnectConfig = {},
): Promise<ssh2.Client> {
  const client = new ssh2.Client()
  client.on('error', () => undefined)
  const ready = new Promise<void>((resolve, reject) => {
    client
      .once('ready', resolve)
      .once('close', () => reject(new Error('the SSH server closed the connection before sign-in')))
  })
  const privateKey = await readFile(keyFile)
  client.connect({ host: '127.0.0.1', port, username: 'git', privateKey, ...options })
  await ready
  return client
}

/** Runs a program with a minimal environment and empty standard input. Returns its output and exit code. */
export async function runProgram(command: string, args: readonly string[]): Promise<GitResult> {
  const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', LC_ALL: 'C', NODE_ENV: 'test' as const }
  const child = spawn(command, args, { env })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => (stdout += chunk))
  child.stderr.on('data', chunk => (stderr += chunk))
  child.stdin.end()
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}
