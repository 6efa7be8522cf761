import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerChannel, Session } from 'ssh2'
import { serveGitSession } from '@/server/api/git-ssh/serve'
import type { GitSession } from '@/server/api/git-ssh/session'
import type { KnownKey } from '@/server/kernel/auth/find-key'
import type { Caller } from '@/server/kernel/caller'
import { requestContext, type Services } from '@/server/services'
import type { GuardedSocket } from './guarded-socket'

// A client that opened a session and wants nothing in it.
const commandMs = 30_000

// Of what the client may set in the environment of its command.
const protocolVariable = 'GIT_PROTOCOL'

interface Who {
  key: KnownKey
  caller: Caller
  remoteAddress: string
}

/** Runs what is asked for in one session: git's commands, or a greeting where a shell is; then calls `over`. */
export function runSession(
  services: Services,
  session: Session,
  socket: GuardedSocket,
  who: Who,
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
    void run(services, git, who).then(code => {
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

async function run(
  services: Services,
  git: GitSession,
  { key, caller, remoteAddress }: Who,
): Promise<number> {
  const requestId = randomUUID()
  const ctx = { ...requestContext(services, { requestId, remoteAddress, gone: () => git.gone }), caller }
  const started = performance.now()
  const code = git.command === undefined ? greet(git, key) : await serveGitSession(services, ctx, git)
  const ms = Math.round(performance.now() - started)
  const command = git.command?.slice(0, 200) ?? 'shell'
  services.log.info({ requestId, remoteAddress, key: key.id, command, code, ms }, 'SSH command')
  return code
}

function greet(git: GitSession, { title, owner }: KnownKey): number {
  const known = owner ? `Hi ${owner.name}!` : 'Hi!'
  const kind = owner ? 'key' : 'deploy key'
  git.tell(`${known} You are signed in with the ${kind} “${title}”.`)
  git.tell('There is no shell here: use git to clone, fetch and push.')
  return 0
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
