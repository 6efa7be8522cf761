import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const mib = 1024 * 1024
const run = promisify(execFile)

/** Calls the API of a server under test. */
export async function post(
  { url, token }: { url: string; token: string },
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Creates an SSH key pair in a directory; undefined if OpenSSH is not installed. */
export async function makeKeys(directory: string): Promise<{ file: string; publicKey: string } | undefined> {
  const file = join(directory, 'key')
  const isMade = await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]).then(
    () => true,
    () => false,
  )
  return isMade ? { file, publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() } : undefined
}

/** Returns the arguments with which `ssh` uses only this key and trusts every host. */
export const sshOptions = (keyFile: string, port: number): string =>
  `-F /dev/null -p ${port} -i ${keyFile} -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR ` +
  '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'

/**
 * Starts an OpenSSH server that runs as the current user; undefined if sshd is not installed or does not
 * start.
 */
export async function startSshd(
  directory: string,
  port: number,
  { file, publicKey }: { file: string; publicKey: string },
): Promise<ChildProcess | undefined> {
  const program = '/usr/sbin/sshd'
  if (!existsSync(program)) return undefined
  await mkdir('/run/sshd', { recursive: true }).catch(() => undefined)
  await writeFile(join(directory, 'authorized_keys'), publicKey)
  const settings = [
    `ListenAddress=127.0.0.1:${port}`,
    `HostKey=${file}`,
    'PidFile=none',
    'StrictModes=no',
    'PermitRootLogin=yes',
    'UsePAM=no',
    `AuthorizedKeysFile=${join(directory, 'authorized_keys')}`,
  ]
  const args = ['-D', '-e', '-f', '/dev/null', ...settings.flatMap(setting => ['-o', setting])]
  const child = spawn(program, args, { stdio: 'ignore' })
  await delay(500)
  return child.exitCode === null ? child : undefined
}

/** Creates a local repository with one commit, which adds a file of this many MiB of random data. */
export async function makeLocal(directory: string, size: number): Promise<string> {
  await mkdir(directory, { recursive: true })
  await pipeline(noise(size), createWriteStream(join(directory, 'noise')))
  await git(directory, 'init', '-q', '-b', 'main')
  await git(directory, 'add', 'noise')
  await git(directory, 'commit', '-q', '-m', 'Noise')
  return directory
}

function noise(size: number): Readable {
  const chunk = Buffer.alloc(mib)
  let left = size
  return new Readable({
    read() {
      this.push(left-- > 0 ? Buffer.from(randomFillSync(chunk)) : null)
    },
  })
}

/** Returns the arguments of Git for these settings. */
export const configOf = (settings: readonly string[]): string[] =>
  settings.flatMap(setting => ['-c', setting])

/**
 * Runs Git without compression, because random data does not compress, and trying it would only measure zlib.
 */
export async function git(directory: string, ...args: string[]): Promise<void> {
  const settings = ['core.compression=0', 'user.name=bench', 'user.email=bench@example.test']
  await run('git', [...configOf(settings), ...args], { cwd: directory })
}
