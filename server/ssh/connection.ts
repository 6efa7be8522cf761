import { randomUUID } from 'node:crypto'
import type { AuthContext, ClientInfo, Connection, PublicKeyAuthContext } from 'ssh2'
import type { KnownKey } from '@/server/auth/credentials/ssh-key'
import { findSignInKey, recordKeyUse, type SignInKey } from '@/server/keys'
import { requestContext, type Services } from '@/server/services'
import { correctOffers } from './algorithms'
import type { GuardedSocket } from './guarded-socket'
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

const maxUnclosed = 100

// Gives the client time to read the reason.
const closingMs = 1000

/** An open connection, as the server tracks it. */
export interface OpenConnection {
  /** The key that was used to sign in; undefined before that. */
  readonly key: KnownKey | undefined
  readonly isBusy: boolean
  end(): void
  /** Accepts no more commands, and closes the connection once none is running. */
  stop(): void
}

type SignedIn = NonNullable<SignInKey['opens']>

/**
 * Serves one connection. Signs in by public key only, with any login name, and runs git commands. The library
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
  let signedIn: SignedIn | undefined
  const refused: { fingerprint: string; reason: string }[] = []
  let tries = 0
  let running = 0
  let unclosed = 0
  let isStopping = false

  let isEnding = false
  const end = (): void => {
    if (isEnding) return
    isEnding = true
    client.end()
    // A client that does not close its side would keep the connection open.
    setTimeout(() => socket.destroy(), closingMs).unref()
  }
  const tooLate = setTimeout(end, limits.signInMs)
  let idle: NodeJS.Timeout | undefined
  const restartIdle = (isExtended = false): void => {
    clearTimeout(idle)
    if (running > 0 || disconnected.signal.aborted) return
    // The last output of a command may still be on its way to a slow client, so the timeout is extended once.
    idle = setTimeout(
      () => (socket.unsentBytes > 0 && !isExtended ? restartIdle(true) : end()),
      limits.idleMs,
    )
  }

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
    clearTimeout(idle)
    if (!signedIn) {
      const software = header.versions.software.slice(0, 100)
      log.info({ ...facts, tries, refused, client: software }, 'nobody signed in over SSH')
    }
  })
  // The library stops handling a client that has closed its side.
  socket.once('end', () => setTimeout(() => socket.destroy(), closingMs).unref())
  client.on('authentication', attempt => {
    signIn(attempt)
      .catch(error => {
        log.error({ ...facts, err: error }, 'signing in over SSH failed')
        end()
      })
      .finally(answered)
  })

  async function signIn(attempt: AuthContext): Promise<void> {
    if (++tries > limits.maxTries) return end()
    if (attempt.method !== 'publickey') return attempt.reject(['publickey'])
    const { key, signature, blob: data, hashAlgo } = attempt as PublicKeyAuthContext
    const found = await findSignInKey(ctx, key.data)
    // For RSA, the key's own algorithm name stands for SHA-1.
    const algorithm = hashAlgo ? `rsa-sha2-${hashAlgo.slice('sha'.length)}` : key.algo
    const isSigned = signature !== undefined && data !== undefined
    const isProven = isSigned && found.opens && found.verify({ algorithm, data, signature })
    if (!found.opens || (isSigned && !isProven)) {
      refused.push({ fingerprint: found.fingerprint, reason: found.refusal ?? 'signature' })
      return attempt.reject(['publickey'])
    }
    if (isProven) {
      if (!signedIn) limits.signedIn?.()
      signedIn = found.opens
      clearTimeout(tooLate)
    }
    attempt.accept()
  }

  client.once('ready', () => {
    if (!signedIn) return end()
    const { key, caller } = signedIn
    log.info({ ...facts, key: key.id, account: key.owner?.name }, 'signed in over SSH')
    recordKeyUse(ctx, key).catch(error =>
      log.warn({ ...facts, err: error }, 'the use of a key could not be recorded'),
    )
    restartIdle()
    client.on('session', (accept, reject) => {
      if (isStopping || running >= limits.maxSessions) return reject()
      // Each session uses memory until the client closes it.
      if (unclosed >= maxUnclosed) return end()
      running++
      unclosed++
      clearTimeout(idle)
      const over = (): void => {
        running--
        restartIdle()
      }
      const who = { key, caller, remoteAddress }
      const session = accept()
      session.once('close', () => {
        unclosed--
      })
      runSession(services, session, { client, library, socket, disconnected: disconnected.signal }, who, over)
    })
  })

  return {
    get key() {
      return signedIn?.key
    },
    get isBusy() {
      return running > 0
    },
    end,
    stop() {
      isStopping = true
      if (running === 0) end()
    },
  }
}
