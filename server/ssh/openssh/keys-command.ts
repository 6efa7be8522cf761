import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sshSocketPath } from '@/server/kernel/ssh-socket-path'
import { authorizedLine } from './authorized-line'
import { converse } from './converse'

// The AuthorizedKeysCommand of sshd. `ssh-keys.js TYPE BASE64` prints an authorized_keys line if the key
// grants access, otherwise nothing.
const deadlineMs = 15_000

async function main([type = '', blob = '']: string[]): Promise<number> {
  const { GUILDHALL_SSH_SOCKET: setting, GUILDHALL_DATA_DIR: dataDir } = process.env
  const path = sshSocketPath(setting || 'on', dataDir || './data')
  if (path === undefined) throw new Error('GUILDHALL_SSH_SOCKET is off.')
  const output = new PassThrough()
  const found = text(output)
  const code = await converse(path, { kind: 'key', type, blob }, { output, messages: process.stderr })
  output.end()
  const [id, key] = (await found).split(/ (.*)/)
  if (code !== 0 || !key) return code
  const program = fileURLToPath(new URL('ssh-session.js', import.meta.url))
  const command = [process.execPath, program, '--socket', path, '--key', id ?? '']
  process.stdout.write(`${authorizedLine(command, key)}\n`)
  return 0
}

setTimeout(() => fail(new Error('Guildhall is not responding.')), deadlineMs).unref()

function fail({ message }: Error): never {
  process.stderr.write(`ssh:keys: ${message}\n`)
  process.exit(1)
}

process.exitCode = await main(process.argv.slice(2)).catch(fail)
