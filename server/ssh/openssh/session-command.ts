import { converse } from './converse'
import { maxCommandLength } from './wire'

// The forced command that sshd runs for a client that signed in with one of our keys:
// `ssh-session.js --socket PATH --key ID`. It runs for every command, so it imports almost nothing.
const [, path = '', , key] = process.argv.slice(2)
const { SSH_ORIGINAL_COMMAND: command, SSH_CONNECTION: connection, GIT_PROTOCOL: protocol } = process.env
const request = {
  kind: 'command' as const,
  key: Number(key),
  command: command?.slice(0, maxCommandLength + 1),
  protocol: protocol?.slice(0, 1000) ?? '',
  address: connection?.split(' ', 1)[0] ?? '',
}
const streams = { input: process.stdin, output: process.stdout, messages: process.stderr }
const code = await converse(path, request, streams).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  return 1
})
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
