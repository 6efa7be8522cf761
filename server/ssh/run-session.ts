import { once } from 'node:events'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { GitSession } from '@/server/api/git-ssh/session'
import type { Services } from '@/server/services'
import type { GuardedSocket } from './guarded-socket'
import type { Library, LibraryChannel } from './library'
import { runSshCommand, type SignedIn } from './run-command'

// A client that opened a session and wants nothing in it.
const commandMs = 30_000

// While keys are exchanged the library keeps in memory what is to be sent.
const exchangeMs = 30_000

// Of what the client may set in the environment of its command.
const protocolVariable = 'GIT_PROTOCOL'
const maxProtocolLength = 100

/** The connection that a session is part of. */
interface Around {
  client: Connection
  library: Library
  socket: GuardedSocket
  /** Aborted when the connection is over. */
  disconnected: AbortSignal
}

/** Runs what is asked for in one session, git's commands or a greeting where a shell is; calls `over` once nothing runs. */
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
        // A client that still sends is answered: what it says is read away until it hears that this is over.
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

/** Closes a session that has no command, without the others of its connection. */
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
      // Called once the client's window had room for all of it.
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
