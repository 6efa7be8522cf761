import type { Services } from '@/server/services'
import type { GitSession } from './session'

/** A command that runs in a repository for a program that signed in with a deploy key of it. */
export interface DeploySession {
  keyId: number
  repositoryId: number
  session: Pick<GitSession, 'printLine' | 'end'>
}

const running = new WeakMap<Services, Set<DeploySession>>()

/** The commands that run with deploy keys at this time, whoever took their connections. */
export function deploySessionsOf(services: Services): Set<DeploySession> {
  const known = running.get(services)
  if (known) return known
  const made = new Set<DeploySession>()
  running.set(services, made)
  return made
}
