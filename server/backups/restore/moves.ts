import { rm } from 'node:fs/promises'
import { argumentFor, eachRef } from '@/server/kernel/git/refs'
import { type PushNote, type RefUpdate, spoolPush } from '@/server/repos/push'
import { pushesFolder, repositoryPath } from '@/server/repos/storage'
import type { Move } from '../index-file'
import type { Snapshot } from '../location/snapshot'

/**
 * Writes to the spool, for each repository, one push with the refs that differ from what the snapshot of the
 * database knows. `repositories` has the keys of the restored repositories by ID.
 */
export async function spoolMoves(
  moves: readonly Move[],
  repositories: ReadonlyMap<number, string>,
  repositoryDir: string,
  { startedAt }: Pick<Snapshot, 'startedAt'>,
): Promise<{ note: PushNote; updates: RefUpdate[] }[]> {
  const config = { repositoryDir }
  // Left behind by an interrupted restoration.
  await rm(pushesFolder(config), { recursive: true, force: true })
  const pushes: { note: PushNote; updates: RefUpdate[] }[] = []
  for (const [repositoryId, moved] of groupByRepository(moves)) {
    const key = repositories.get(repositoryId)
    const updates = key === undefined ? [] : await updatesOf(repositoryPath(config, key), moved)
    if (updates.length === 0) continue
    const note = await spoolPush(config, { repositoryId, updates, startedAt: new Date(startedAt) })
    pushes.push({ note, updates })
  }
  return pushes
}

function groupByRepository(moves: readonly Move[]): Map<number, Move[]> {
  const groups = new Map<number, Move[]>()
  for (const move of moves) {
    const group = groups.get(move.repositoryId)
    if (group) group.push(move)
    else groups.set(move.repositoryId, [move])
  }
  return groups
}

async function updatesOf(repository: string, moves: readonly Move[]): Promise<RefUpdate[]> {
  const current = new Map<string, string>()
  const sought = new Set(moves.map(({ ref }) => ref))
  const prefixes = moves.length > 100 ? ['refs/'] : moves.map(({ ref }) => argumentFor(ref))
  await eachRef(repository, prefixes, ({ ref, id }) => {
    if (sought.has(ref)) current.set(ref, id)
  })
  return moves.flatMap(({ ref, before }) => {
    const after = current.get(ref)
    // Events show bytes that are not UTF-8 percent-encoded, so such a name may not be the real one.
    if (after === undefined && ref.includes('%')) return []
    const update = { ref, before, after: after ?? '0'.repeat(before.length) }
    return update.after === before ? [] : [update]
  })
}
