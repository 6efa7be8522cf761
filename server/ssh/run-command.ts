import { randomUUID } from 'node:crypto'
import { serveGitSession } from '@/server/api/git-ssh/serve'
import type { GitSession } from '@/server/api/git-ssh/session'
import type { KnownKey } from '@/server/auth/credentials/ssh-key'
import type { Caller } from '@/server/kernel/caller'
import { requestContext, type Services } from '@/server/services'

/** The key, caller, and IP address of a client that has signed in. */
export interface SignedIn {
  key: KnownKey
  caller: Caller
  remoteAddress: string
}

/**
 * Runs the Git command of a client that has signed in, or greets the client if it requests a shell. Writes
 * one log line.
 * @returns the exit code
 */
export async function runSshCommand(
  services: Services,
  git: GitSession,
  { key, caller, remoteAddress }: SignedIn,
): Promise<number> {
  const requestId = randomUUID()
  const ctx = {
    ...requestContext(services, { requestId, remoteAddress, disconnected: () => git.disconnected }),
    caller,
  }
  const started = performance.now()
  const code = git.command === undefined ? greet(git, key) : await serveGitSession(services, ctx, git)
  const ms = Math.round(performance.now() - started)
  const command = git.command?.slice(0, 200) ?? 'shell'
  services.log.info({ requestId, remoteAddress, key: key.id, command, code, ms }, 'SSH command')
  return code
}

function greet(git: GitSession, { title, fingerprint, owner }: KnownKey): number {
  // A deploy key can have a different title in each repository, so its fingerprint is shown.
  git.printLine(
    owner
      ? `Hi ${owner.name}! You are signed in with the key “${title}”.`
      : `Hi! You are signed in with the deploy key ${fingerprint}.`,
  )
  git.printLine('Shell access is not available. Use git to clone, fetch, and push.')
  return 0
}
