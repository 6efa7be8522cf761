import { randomUUID } from 'node:crypto'
import type { AuthContext, ClientInfo, Connection, PublicKeyAuthContext, Session } from 'ssh2'
import type { KnownKey } from '@/server/kernel/auth/find-key'
import type { Caller } from '@/server/kernel/caller'
import { findSignInKey, recordKeyUse, type SignInKey } from '@/server/keys'
import { requestContext, type Services } from '@/server/services'
import { announceSignatures } from './algorithms'
import type { GuardedSocket } from './guarded-socket'
import { refuseExcess } from './refuse-excess'
import { runSession } from './run-session'

export interface ConnectionLimits {
  /** The longest that signing in may take. */
  signInMs: number
  /** How many keys may be offered, checked or signed with. Agents hold many. */
  maxTries: number
  /** How long a connection may be left without a command. */
  idleMs: number
  /** Commands at one time, as `ControlMaster` of OpenSSH asks for. */
  maxSessions: number
}

// For the client to hear why.
const closingMs = 1000

/** A connection as the server knows it. */
export interface OpenConnection {
  /** The key that signed in; undefined before that. */
  readonly key: KnownKey | undefined
  readonly isBusy: boolean
  end(): void
}

type SignedIn = NonNullable<SignInKey['opens']>

/**
 * Serves one connection: signs in by public key alone, whatever the login name, and runs git's commands. Everything else that
 * a client may ask for is refused by the library, as nobody listens for it.
 */
export function serveConnection(
  services: Services,
  client: Connection,
  socket: GuardedSocket,
  { header }: Pick<ClientInfo, 'header'>,
  limits: ConnectionLimits,
): OpenConnection {
  const { log } = services
  const remoteAddress = socket.remoteAddress ?? ''
  const gone = new AbortController()
  const requestId = randomUUID()
  const ctx = requestContext(services, { requestId, remoteAddress, gone: () => gone.signal })
  const facts = { requestId, remoteAddress }
  let signedIn: SignedIn | undefined
  let tries = 0
  let sessions = 0

  const end = (): void => {
    client.end()
    // A client that does not close its side would keep the connection.
    setTimeout(() => socket.destroy(), closingMs).unref()
  }
  const tooLate = setTimeout(end, limits.signInMs)
  let idle: NodeJS.Timeout | undefined
  const restartIdle = (): void => {
    clearTimeout(idle)
    if (sessions === 0 && !gone.signal.aborted) idle = setTimeout(end, limits.idleMs)
  }

  announceSignatures(client)
  refuseExcess(client, end)
  client.on('error', error => {
    log.debug({ ...facts, err: error }, 'an SSH connection failed')
    socket.destroy()
  })
  socket.once('close', () => {
    gone.abort()
    clearTimeout(tooLate)
    clearTimeout(idle)
    if (!signedIn)
      log.info({ ...facts, tries, client: header.versions.software }, 'nobody signed in over SSH')
  })
  client.on('authentication', attempt => {
    void signIn(attempt).catch(error => {
      log.error({ ...facts, err: error }, 'signing in over SSH failed')
      end()
    })
  })

  async function signIn(attempt: AuthContext): Promise<void> {
    if (attempt.method !== 'publickey') return attempt.reject(['publickey'])
    if (++tries > limits.maxTries) return end()
    const { key, signature, blob: data, hashAlgo } = attempt as PublicKeyAuthContext
    const found = await findSignInKey(ctx, key.data)
    // RSA's own name stands for SHA-1.
    const algorithm = hashAlgo ? `rsa-sha2-${hashAlgo.slice('sha'.length)}` : key.algo
    const isProven =
      signature !== undefined && data !== undefined && found.verify({ algorithm, data, signature })
    const { fingerprint } = found
    if (!found.opens || (signature && !isProven)) {
      const reason = found.refusal ?? 'signature'
      log.info({ ...facts, fingerprint, reason }, 'an SSH key was refused')
      return attempt.reject(['publickey'])
    }
    if (isProven) {
      signedIn = found.opens
      clearTimeout(tooLate)
    }
    attempt.accept()
  }

  client.once('ready', () => {
    if (!signedIn) return end()
    const { key, caller } = signedIn
    log.info({ ...facts, key: key.id, account: key.owner?.name }, 'signed in over SSH')
    recordKeyUse(ctx, key).catch(error => log.warn({ ...facts, err: error }, 'the use of a key is not noted'))
    restartIdle()
    client.on('session', (accept, reject) => {
      if (sessions >= limits.maxSessions) return reject()
      sessions++
      clearTimeout(idle)
      const over = (): void => {
        sessions--
        restartIdle()
      }
      runSession(
        services,
        accept() as Session,
        socket,
        { key, caller: caller as Caller, remoteAddress },
        over,
      )
    })
  })

  return {
    get key() {
      return signedIn?.key
    },
    get isBusy() {
      return sessions > 0
    },
    end,
  }
}
