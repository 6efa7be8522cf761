import { expect, it } from 'vitest'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Call } from '@/server/kernel/http/call'
import { withBody } from './large-bodies'

const mib = 1024 * 1024
const maxBytes = 64 * mib

/** Begins to handle a body of a runner; without a length, it could be the longest. */
function begin(runnerId: number, length?: number): { hasBegun(): boolean; end(): Promise<void> } {
  const ctx = { caller: { kind: 'runner', runnerId } } as ServiceCtx
  const call = { headers: { get: () => (length === undefined ? null : String(length)) } } as unknown as Call
  let hasBegun = false
  let finish = (): void => undefined
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const work = withBody(ctx, call, maxBytes, async () => {
    hasBegun = true
    await finished
  })
  return {
    hasBegun: () => hasBegun,
    async end() {
      finish()
      await work
    },
  }
}

it('withBody limits each runner to its share of large bodies without delaying other runners', async () => {
  const [first, second, other] = [begin(1, 60 * mib), begin(1, 60 * mib), begin(2, 60 * mib)]
  expect([first, second, other].map(each => each.hasBegun())).toEqual([true, false, true])
  await first.end()
  await expect.poll(second.hasBegun).toBe(true)
  await Promise.all([second.end(), other.end()])
})

it('withBody limits the large bodies of all runners, and counts a body without a length as the longest', async () => {
  const all = [1, 2, 3, 4, 5].map(runnerId => begin(runnerId))
  expect(all.map(each => each.hasBegun())).toEqual([true, true, true, true, false])
  const small = begin(5, 64 * 1024)
  expect(small.hasBegun()).toBe(true)
  await small.end()
  await all[0]?.end()
  await expect.poll(() => all[4]?.hasBegun()).toBe(true)
  await Promise.all(all.slice(1).map(each => each.end()))
})
