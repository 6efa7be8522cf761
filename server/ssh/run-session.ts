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
  gone: AbortSignal
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
  const gone = AbortSignal.any([around.gone, closed.signal])
  let protocol = ''
  let isStarted = false
  let isOver = false
  const end = (): void => {
    clearTimeout(waiting)
    around.gone.removeEventListener('abort', end)
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
  around.gone.addEventListener('abort', end, { once: true })
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
    const git = gitSession(channel, around, { command, protocol, gone, end: endSession })
    runSshCommand(services, git, who)
      .then(code => {
        if (gone.aborted) return
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
function closeUnused(session: Session, { library: { protocol, channels }, gone }: Around): void {
  const { _chanInfo: info } = session as unknown as LibraryChannel & {
    _chanInfo: { incoming: { id: number } }
  }
  if (gone.aborted || !info) return
  channels.remove(info.incoming.id)
  protocol.channelClose(info.outgoing.id)
}

function gitSession(
  channel: ServerChannel,
  { client, library, socket }: Around,
  given: Pick<GitSession, 'command' | 'protocol' | 'gone' | 'end'>,
): GitSession {
  const { gone } = given
  channel.on('error', () => undefined)
  channel.stderr.on('error', () => undefined)
  const isOver = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Error('the client is gone'))
    if (gone.aborted) refuse()
    else gone.addEventListener('abort', refuse, { once: true })
  })
  isOver.catch(() => undefined)
  return {
    ...given,
    input: channel,
    async write(bytes) {
      if (gone.aborted) throw new Error('the client is gone')
      if (library.protocol._kexinit !== undefined) await exchanged()
      // Called once the client's window had room for all of it.
      const taken = new Promise<void>(resolve => channel.write(bytes, () => resolve()))
      await Promise.race([taken, isOver])
      if (socket.writableNeedDrain) await once(socket, 'drain', { signal: gone })
    },
    tell(line) {
      if (!gone.aborted) channel.stderr.write(`${line}\n`)
    },
  }

  async function exchanged(): Promise<void> {
    const tooLate = setTimeout(() => socket.destroy(), exchangeMs)
    try {
      await once(client, 'rekey', { signal: gone })
    } finally {
      clearTimeout(tooLate)
    }
  }
}
