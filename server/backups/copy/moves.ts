import { type SpooledPush, spooledPushes } from '@/server/repos/push'
import type { Move } from '../index-file'
import type { LivePush, LiveSite } from '../live'

/**
 * Returns the refs that moved after the snapshot of the database, each with what it pointed to in the snapshot.
 * Must be called after the refs were copied: a push that moved a ref before that is either recorded by now, or
 * still in the spool. A ref that moved only after it was copied is included, too.
 */
export async function findMoves(
  live: LiveSite,
  { since, known, repositoryDir }: { since: Date; known: ReadonlySet<number>; repositoryDir: string },
): Promise<Move[]> {
  const moves = new Map<string, Move>()
  const add = ({ repositoryId, ref, before }: Move): void => {
    const name = `${repositoryId} ${ref}`
    // The first push after the snapshot started from what the snapshot has.
    if (!moves.has(name)) moves.set(name, { repositoryId, ref, before })
  }
  const spooled = await unrecorded(live, await spooledPushes({ repositoryDir }))
  for await (const push of pushesSince(live, since)) if (!known.has(push.id)) add(push)
  for (const { repositoryId, updates } of spooled) {
    for (const { ref, before } of updates) add({ repositoryId, ref, before })
  }
  return [...moves.values()]
}

async function* pushesSince(live: LiveSite, since: Date): AsyncGenerator<LivePush> {
  for (let last = 0; ; ) {
    const page = await live.pushesSince(since, last)
    yield* page
    last = page.at(-1)?.id ?? last
    if (page.length === 0) return
  }
}

async function unrecorded(live: LiveSite, pushes: readonly SpooledPush[]): Promise<SpooledPush[]> {
  const recorded = new Set(await live.recordedAmong(pushes.map(({ key }) => key)))
  return pushes.filter(({ key }) => !recorded.has(key))
}
