import { once } from 'node:events'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { GitSession } from '@/server/api/git-ssh/session'
import type { Services } from '@/server/services'
import type { GuardedSocket } from './guarded-socket'
import type { Library, LibraryChannel } from './library'
import { runSshCommand, type SignedIn } from './run-command'

// Limit for a client that opens a session without running a command.
const commandMs = 30_000

// During a key exchange, the library keeps all output in memory.
const exchangeMs = 30_000

// The only environment variable that clients can set.
const protocolVariable = 'GIT_PROTOCOL'
const maxProtocolLength = 100

/** The connection that a session belongs to. */
interface Around {
  client: Connection
  library: Library
  socket: GuardedSocket
  /** Aborted when the connection is closed. */
  disconnected: AbortSignal
}

/**
 * Runs the requested Git command of a session, or greets the client if it requests a shell. Calls `over` once
 * nothing is running.
 */
export function runSession(
  services: Services,
  session: Session,
  around: Around,
  who: SignedIn,
  over: () => void,
): void {
  const closed = new AbortController()
  const disconnected = AbortSignal.any([around.disconnected, closed.signal])
  let protocol = ''
  let isStarted = false
  let isOver = false
  const end = (): void => {
    clearTimeout(waiting)
    around.disconnected.removeEventListener('abort', end)
    if (isOver) return
    isOver = true
    over()
  }
  const waiting = setTimeout(() => {
    closeUnused(session, around)
    end()
  }, commandMs)
  session.once('close', () => {
    closed.abort()
    end()
  })
  around.disconnected.addEventListener('abort', end, { once: true })
  session.on('env', (accept, reject, { key, val }) => {
    if (key !== protocolVariable || val.length > maxProtocolLength) return reject?.()
    protocol = val
    accept?.()
  })
  const start = (accept: () => ServerChannel, command: string | undefined): void => {
    if (isStarted || isOver) return
    isStarted = true
    clearTimeout(waiting)
    const channel = accept()
    const endSession = (): void => {
      closed.abort()
      channel.close()
    }
    const git = gitSession(channel, around, { command, protocol, disconnected, end: endSession })
    runSshCommand(services, git, who)
      .then(code => {
        if (disconnected.aborted) return
        channel.exit(code)
        channel.end()
        // Reads and discards what the client still sends until it learns that the command has ended.
        channel.resume()
      })
      .catch(error => {
        services.log.error({ err: error }, 'an SSH command failed')
        around.socket.destroy()
      })
      .finally(end)
  }
  session.on('exec', (accept, _reject, { command }) => start(accept, command))
  session.on('shell', accept => start(accept, undefined))
}

/** Closes a session that has no command, without affecting other sessions of the connection. */
function closeUnused(session: Session, { library: { protocol, channels }, disconnected }: Around): void {
  const { _chanInfo: info } = session as unknown as LibraryChannel & {
    _chanInfo: { incoming: { id: number } }
  }
  if (disconnected.aborted || !info) return
  channels.remove(info.incoming.id)
  protocol.channelClose(info.outgoing.id)
}

function gitSession(
  channel: ServerChannel,
  { client, library, socket }: Around,
  parent: Pick<GitSession, 'command' | 'protocol' | 'disconnected' | 'end'>,
): GitSession {
  const { disconnected } = parent
  channel.on('error', () => undefined)
  channel.stderr.on('error', () => undefined)
  const isOver = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Error('the client is gone'))
    if (disconnected.aborted) refuse()
    else disconnected.addEventListener('abort', refuse, { once: true })
  })
  isOver.catch(() => undefined)
  return {
    ...parent,
    input: channel,
    async write(bytes) {
      if (disconnected.aborted) throw new Error('the client is gone')
      if (library.protocol._kexinit !== undefined) await exchanged()
      // Called once the client's window had room for all bytes.
      const flushed = new Promise<void>(resolve => channel.write(bytes, () => resolve()))
      await Promise.race([flushed, isOver])
      if (socket.writableNeedDrain) await once(socket, 'drain', { signal: disconnected })
    },
    printLine(line) {
      if (!disconnected.aborted) channel.stderr.write(`${line}\n`)
    },
  }

  async function exchanged(): Promise<void> {
    const tooLate = setTimeout(() => socket.destroy(), exchangeMs)
    try {
      await once(client, 'rekey', { signal: disconnected })
    } finally {
      clearTimeout(tooLate)
    }
  }
}
