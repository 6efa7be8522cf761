import { once } from 'node:events'
import type { ServerChannel, Session } from 'ssh2'
import type { GitSession } from '@/server/api/git-ssh/session'
import type { Services } from '@/server/services'
import type { GuardedSocket } from './guarded-socket'
import { runSshCommand, type SignedIn } from './run-command'

// A client that opened a session and wants nothing in it.
const commandMs = 30_000

// Of what the client may set in the environment of its command.
const protocolVariable = 'GIT_PROTOCOL'

/** Runs what is asked for in one session: git's commands, or a greeting where a shell is; then calls `over`. */
export function runSession(
  services: Services,
  session: Session,
  socket: GuardedSocket,
  who: SignedIn,
  over: () => void,
): void {
  const gone = new AbortController()
  let protocol = ''
  let isStarted = false
  const end = (): void => {
    clearTimeout(waiting)
    socket.off('close', end)
    if (gone.signal.aborted) return
    gone.abort()
    over()
  }
  const waiting = setTimeout(() => socket.destroy(), commandMs)
  socket.once('close', end)
  session.once('close', end)
  session.on('env', (accept, reject, { key, val }) => {
    if (key !== protocolVariable) return reject?.()
    protocol = val
    accept?.()
  })
  const start = (channel: ServerChannel, command: string | undefined): void => {
    if (isStarted) return
    isStarted = true
    clearTimeout(waiting)
    const git = gitSession(channel, socket, { command, protocol, gone: gone.signal })
    void runSshCommand(services, git, who).then(code => {
      if (gone.signal.aborted) return
      channel.exit(code)
      channel.end()
      // A client that still sends is answered: what it says is read away until it hears that this is over.
      channel.resume()
    })
  }
  session.on('exec', (accept, _reject, { command }) => start(accept(), command))
  session.on('shell', accept => start(accept(), undefined))
}

function gitSession(
  channel: ServerChannel,
  socket: GuardedSocket,
  { command, protocol, gone }: Pick<GitSession, 'command' | 'protocol' | 'gone'>,
): GitSession {
  channel.on('error', () => undefined)
  channel.stderr.on('error', () => undefined)
  const isOver = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Error('the client is gone'))
    if (gone.aborted) refuse()
    else gone.addEventListener('abort', refuse, { once: true })
  })
  isOver.catch(() => undefined)
  return {
    command,
    protocol,
    input: channel,
    gone,
    async write(bytes) {
      if (gone.aborted) throw new Error('the client is gone')
      // Called once the client's window had room for all of it.
      const taken = new Promise<void>(resolve => channel.write(bytes, () => resolve()))
      await Promise.race([taken, isOver])
      if (socket.writableNeedDrain) await Promise.race([once(socket, 'drain'), isOver])
    },
    tell(line) {
      if (!gone.aborted) channel.stderr.write(`${line}\n`)
    },
  }
}
