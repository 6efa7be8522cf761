import { randomUUID } from 'node:crypto'
import type { ClientInfo, Connection, Session } from 'ssh2'
import type { KnownKey } from '@/server/auth/credentials/ssh-key'
import { recordKeyUse } from '@/server/keys'
import { requestContext, type Services } from '@/server/services'
import { correctOffers } from './algorithms'
import type { GuardedSocket } from './guarded-socket'
import { createKeySignIn } from './key-sign-in'
import { libraryOf } from './library'
import { refuseExcess } from './refuse-excess'
import { runSession } from './run-session'

export interface ConnectionLimits {
  /** Maximum time for signing in, in milliseconds. */
  signInMs: number
  /** Maximum number of keys that a client may offer or sign with. Agents often have many. */
  maxTries: number
  /** Time in milliseconds after which a connection without a running command is closed. */
  idleMs: number
  /** Maximum number of concurrent commands on one connection, as used by OpenSSH's `ControlMaster`. */
  maxSessions: number
}

// Each session takes memory until the client closes it.
const maxUnclosed = 100

// Gives the client time to read the reason.
const closingMs = 1000

/** An open connection, as the server tracks it. */
export interface OpenConnection {
  /** The key that was used to sign in; undefined before that. */
  readonly key: KnownKey | undefined
  readonly isBusy: boolean
  /** Whether a command was started on it. */
  readonly hasRun: boolean
  end(): void
  /** Accepts no more commands, and closes the connection once none is running. */
  stop(): void
}

/**
 * Serves one connection. Signs in by public key only, with any login name, and runs Git commands. The library
 * refuses all other requests, because nothing listens for them.
 */
export function serveConnection(
  services: Services,
  client: Connection,
  socket: GuardedSocket,
  { header }: Pick<ClientInfo, 'header'>,
  limits: ConnectionLimits & { signedIn?: () => void },
): OpenConnection {
  const { log } = services
  const { remoteAddress } = socket
  const disconnected = new AbortController()
  const requestId = randomUUID()
  const ctx = requestContext(services, { requestId, remoteAddress, disconnected: () => disconnected.signal })
  const facts = { requestId, remoteAddress }
  const sessions = { running: 0, unclosed: 0 }
  let hasRun = false
  let isStopping = false

  const end = endOnce(client, socket)
  const tooLate = setTimeout(end, limits.signInMs)
  const idle = createIdleTimer(socket, limits.idleMs, end)
  const restartIdle = (): void => {
    if (sessions.running > 0 || disconnected.signal.aborted) idle.stop()
    else idle.restart()
  }
  const signIn = createKeySignIn(ctx, {
    maxTries: limits.maxTries,
    onTooManyTries: end,
    onSignedIn() {
      limits.signedIn?.()
      clearTimeout(tooLate)
    },
  })

  const library = libraryOf(client)
  correctOffers(library)
  const answered = refuseExcess(client, library, end)
  client.on('error', error => {
    log.debug({ ...facts, err: error }, 'an SSH connection failed')
    socket.destroy()
  })
  socket.once('close', () => {
    disconnected.abort()
    clearTimeout(tooLate)
    idle.stop()
    if (!signIn.signedIn()) {
      const software = header.versions.software.slice(0, 100)
      log.info({ ...facts, ...signIn.facts(), client: software }, 'nobody signed in over SSH')
    }
  })
  // The library stops handling a client that has closed its side.
  socket.once('end', () => setTimeout(() => socket.destroy(), closingMs).unref())
  client.on('authentication', attempt => {
    signIn
      .attempt(attempt)
      .catch(error => {
        log.error({ ...facts, err: error }, 'signing in over SSH failed')
        end()
      })
      .finally(answered)
  })

  client.once('ready', () => {
    const opened = signIn.signedIn()
    if (!opened) return end()
    const { key, caller } = opened
    log.info({ ...facts, key: key.id, account: key.owner?.name }, 'signed in over SSH')
    recordKeyUse(ctx, key).catch(error =>
      log.warn({ ...facts, err: error }, 'the use of a key could not be recorded'),
    )
    restartIdle()
    const who = { key, caller, remoteAddress }
    const way = { client, library, socket, disconnected: disconnected.signal }
    const run = (session: Session, over: () => void): void => runSession(services, session, way, who, over)
    client.on('session', (accept, reject) => {
      if (isStopping || sessions.running >= limits.maxSessions) return reject()
      if (sessions.unclosed >= maxUnclosed) return end()
      idle.stop()
      hasRun = true
      startSession(accept(), sessions, run, restartIdle)
    })
  })

  return {
    get key() {
      return signIn.signedIn()?.key
    },
    get isBusy() {
      return sessions.running > 0
    },
    get hasRun() {
      return hasRun
    },
    end,
    stop() {
      isStopping = true
      if (sessions.running === 0) end()
    },
  }
}

/** Creates a timer that ends an idle connection. */
function createIdleTimer(socket: Pick<GuardedSocket, 'unsentBytes'>, idleMs: number, end: () => void) {
  let timer: NodeJS.Timeout | undefined
  const restart = (isExtended = false): void => {
    clearTimeout(timer)
    // The last output of a command may still be on its way to a slow client, so the timeout is extended once.
    timer = setTimeout(() => (socket.unsentBytes > 0 && !isExtended ? restart(true) : end()), idleMs)
  }
  return { restart: () => restart(), stop: () => clearTimeout(timer) }
}

/** Returns a function that closes the connection, the first time it is called. */
function endOnce(client: Connection, socket: GuardedSocket): () => void {
  let isEnding = false
  return () => {
    if (isEnding) return
    isEnding = true
    client.end()
    // A client that does not close its side would keep the connection open.
    setTimeout(() => socket.destroy(), closingMs).unref()
  }
}

/** Runs a session and counts it: as running until its command ends, and as unclosed until the client closes it. */
function startSession(
  session: Session,
  counts: { running: number; unclosed: number },
  run: (session: Session, over: () => void) => void,
  onOver: () => void,
): void {
  counts.running++
  counts.unclosed++
  session.once('close', () => {
    counts.unclosed--
  })
  run(session, () => {
    counts.running--
    onOver()
  })
}
