import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Call } from '@/server/kernel/http/call'
import { readLargeBody, readPacedBody, withLargeBody } from './large-body'

const mib = 1024 * 1024

/** Begins to handle a body; without a length, it could be the longest. */
function begin({ account, address = '', length }: { account?: number; address?: string; length?: number }): {
  hasBegun(): boolean
  end(): Promise<void>
} {
  const caller = account === undefined ? anonymous : { kind: 'user', user: { id: account } }
  const ctx = { caller, remoteAddress: address } as unknown as ServiceCtx
  const call = { headers: { get: () => (length === undefined ? null : String(length)) } } as unknown as Call
  let begun = false
  let finish = (): void => undefined
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const work = withLargeBody(ctx, call, async () => {
    begun = true
    await finished
  })
  return {
    hasBegun: () => begun,
    end: async () => {
      finish()
      await work
    },
  }
}

it('an account and an address have a part of the disk space for large bodies, and others need not wait', async () => {
  for (const client of [{ account: 1 }, { address: '192.0.2.1' }]) {
    const mine = Array.from({ length: 8 }, (_, index) =>
      begin({ ...client, ...(index % 2 && { length: 32 * mib }) }),
    )
    const [more, small, other] = [
      begin({ ...client, length: 2 * mib }),
      begin({ ...client, length: mib }),
      begin({ account: 2, address: '192.0.2.2' }),
    ]
    expect([...mine, more, small, other].map(each => each.hasBegun())).toEqual([
      ...mine.map(() => true),
      false,
      true,
      true,
    ])
    await mine[0]?.end()
    await expect.poll(more.hasBegun).toBe(true)
    await Promise.all([...mine.slice(1), more, small, other].map(each => each.end()))
  }
})

it('a body that arrives too slowly is refused, so that it does not keep others waiting', async () => {
  const call = { headers: new Headers(), stream: () => new Readable({ read() {} }) } as unknown as Call
  const ctx = { config: { repositoryDir: '/nonexistent' } } as ServiceCtx
  const pace = { graceMs: 20, bytesPerSecond: 1 }
  for (const read of [() => readLargeBody(ctx, call, pace), () => readPacedBody(call, pace)])
    await expect(read()).rejects.toMatchObject({ kind: 'invalid', message: 'the body arrived too slowly' })
})
