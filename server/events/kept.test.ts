import { expect, it } from 'vitest'
import type { Db } from '@/db/client'
import { createKept, type Made } from './kept'

/** Keeps texts of a database of its own, and counts how often one was made. */
function makeKept(repositories: number[]) {
  const adapter = {}
  const kept = createKept<string>({ getExecutor: () => ({ adapter }) } as unknown as Db, 1_000)
  let count = 0
  const make = async (): Promise<Made<string>> => {
    count += 1
    return { value: `text ${count}`, bytes: 10, isShared: true, repositories: new Set(repositories) }
  }
  return { get: (isAlone: boolean) => kept.get('key', 'repositories', make, isAlone) }
}

it('calls at the same time wait for one, unless each is alone, and later calls get what was made', async () => {
  const shared = makeKept([7])
  expect(await Promise.all([shared.get(false), shared.get(false)])).toEqual(['text 1', 'text 1'])
  const alone = makeKept([7])
  expect(await Promise.all([alone.get(true), alone.get(true)])).toEqual(['text 1', 'text 2'])
  expect([await alone.get(true), await alone.get(false)]).toEqual(['text 2', 'text 2'])
})

it('what shows a repository is not kept if no repository is known that could change it', async () => {
  const unknown = makeKept([])
  expect([await unknown.get(true), await unknown.get(true)]).toEqual(['text 1', 'text 2'])
})
