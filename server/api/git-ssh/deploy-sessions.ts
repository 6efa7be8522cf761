import type { Services } from '@/server/services'
import type { GitSession } from './session'

/** A running Git command of a client that signed in with one of the repository's deploy keys. */
export interface DeploySession {
  keyId: number
  repositoryId: number
  session: Pick<GitSession, 'printLine' | 'end'>
}

const running = new WeakMap<Services, Set<DeploySession>>()

/** Returns the process's running commands of deploy keys, from both SSH servers. */
export function deploySessionsOf(services: Services): Set<DeploySession> {
  const known = running.get(services)
  if (known) return known
  const made = new Set<DeploySession>()
  running.set(services, made)
  return made
}
