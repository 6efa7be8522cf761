import { invalid } from '@/server/kernel/errors'
import type { BlockRow } from './block-store'

/**
 * Entry of a block list. `latest` selects the uncommitted block if there is one, otherwise the committed one.
 */
export interface ListedBlock {
  from: 'latest' | 'committed' | 'uncommitted'
  name: string
}

/** Azure's limit for the blocks of a blob. */
export const mostListedBlocks = 50_000

/**
 * Returns the parts that a block list names, in its order.
 * @throws {DomainError} invalid for an unknown block, or if the list selects two different blocks of one
 * name.
 */
export function resolveOrder(list: readonly ListedBlock[], blocks: readonly BlockRow[]): number[] {
  if (list.length > mostListedBlocks)
    throw invalid(`a block list can have at most ${mostListedBlocks} blocks`)
  const committed = new Map<string, number>()
  const uncommitted = new Map<string, number>()
  for (const { name, is_committed, part } of blocks) (is_committed ? committed : uncommitted).set(name, part)
  const selected = new Map<string, number>()
  return list.map(({ from, name }) => {
    const part =
      (from === 'committed' ? undefined : uncommitted.get(name)) ??
      (from === 'uncommitted' ? undefined : committed.get(name))
    if (part === undefined) throw invalid(`the block list names a block that was not uploaded: ${name}`)
    if ((selected.get(name) ?? part) !== part)
      throw invalid(`the block list names two different blocks with the ID ${name}`)
    selected.set(name, part)
    return part
  })
}
