import { selectDeployGrants } from '@/server/access'
import { type DeploySession, deploySessionsOf } from '@/server/api/git-ssh/deploy-sessions'
import { callerOfKey, findKeysById, type KnownKey } from '@/server/auth/credentials/ssh-key'
import { hubOf } from '@/server/events'
import { createWorkLoop } from '@/server/kernel/work-loop'
import type { Services } from '@/server/services'

/** Something opened with a key, such as a connection; its key is undefined before sign-in. */
interface OpenedWithKey {
  readonly key: KnownKey | undefined
  end(): void
}

// Kinds of events after which a key may no longer grant access.
const concernsKeys = /^(key\.removed|deploy_key\.removed|user\.(edited|deleted)|repository\.deleted)$/

/**
 * Ends everything that was opened with keys that no longer grant access, and commands in repositories that
 * their deploy key no longer opens. Checks shortly after a relevant event and every `checkMs` milliseconds.
 * @returns a function that stops the checks
 */
export function watchKeys(
  services: Services,
  opened: () => Iterable<OpenedWithKey | undefined>,
  checkMs: number,
): () => void {
  const { db, clock, log } = services
  const deploySessions = deploySessionsOf(services)

  async function check(): Promise<void> {
    const all = [...opened()].filter(one => one?.key)
    // Checked before the keys, because a key deleted in between grants no access at all, and that message
    // takes precedence.
    const lapsed = await lapsedSessions()
    const ids = [...new Set(all.flatMap(one => one?.key?.id ?? []))]
    const keys = await findKeysById(db, ids, clock.now())
    const good = new Set(keys.filter(key => callerOfKey(key)).map(key => key.id))
    for (const one of all) if (one?.key && !good.has(one.key.id)) one.end()
    for (const session of lapsed) {
      session.printLine('Guildhall: This key no longer grants access to this repository.')
      session.end()
    }
  }

  async function lapsedSessions(): Promise<DeploySession['session'][]> {
    const lapsed: DeploySession['session'][] = []
    for (const id of new Set([...deploySessions].map(({ keyId }) => keyId))) {
      const sessions = [...deploySessions].filter(({ keyId }) => keyId === id)
      const repositoryIds = sessions.map(({ repositoryId }) => repositoryId)
      const grants = await selectDeployGrants(db, { id, asOf: clock.now() }, repositoryIds)
      for (const { repositoryId, session } of sessions) if (!grants.has(repositoryId)) lapsed.push(session)
    }
    return lapsed
  }

  // Many events at the same time cause only one check at a time.
  const loop = createWorkLoop(services)
  const stopping = new AbortController()
  const stopListening = hubOf(db).listen(signals => {
    if (signals.some(({ kind }) => kind === 'missed' || concernsKeys.test(kind))) loop.wake()
  })
  const checkAndWait = async (): Promise<number> => {
    await check().catch(error => log.warn({ err: error }, 'the keys of SSH connections could not be checked'))
    return checkMs
  }
  void loop.run(checkAndWait, stopping.signal)
  return () => {
    stopListening()
    stopping.abort()
  }
}
