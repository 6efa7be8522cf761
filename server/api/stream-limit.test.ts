import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { createStreamLimit } from './stream-limit'

const ctx = { caller: anonymous, remoteAddress: '192.0.2.1' } as unknown as ServiceCtx
const pace = { graceMs: 50, bytesPerSecond: 1_000_000 }
const chunks = () => Readable.from(Array(100).fill(Buffer.alloc(64 * 1024)), { objectMode: false })

it('a stream that is read arrives whole', async () => {
  const { body } = await createStreamLimit('whole', 'reading', pace)(
    ctx,
    { status: 200, headers: {} },
    chunks,
  )
  let size = 0
  for await (const chunk of body as Readable) size += chunk.length
  expect(size).toBe(100 * 64 * 1024)
})

it('a stream that is not read ends, and so do its source and its slot', async () => {
  const source = chunks()
  const { body } = await createStreamLimit('slow', 'reading', pace)(
    ctx,
    { status: 200, headers: {} },
    () => source,
  )
  ;(body as Readable).read()
  const [error] = await once(body as Readable, 'error')
  expect([String(error), source.destroyed]).toEqual(['Error: the client reads too slowly', true])
})
