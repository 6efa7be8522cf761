import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Call } from '@/server/kernel/http/call'
import { readInput } from './gate'
import type { Endpoint } from './route-table'

const ctx = {} as ServiceCtx
const call = {} as Call
const endpoint = { method: 'GET', meta: { rest: {} } } as unknown as Endpoint

async function millisecondsFor(query: string): Promise<number> {
  const parameters = new URLSearchParams(query)
  const started = performance.now()
  await readInput(ctx, call, parameters, endpoint)
  return performance.now() - started
}

it('a query with one name thousands of times is parsed about as fast as one with as many names', async () => {
  const names = Array.from({ length: 7000 }, (_, index) => `a${index}`)
  const distinct = await millisecondsFor(names.join('&'))
  const repeated = await millisecondsFor(names.map(() => 'a').join('&'))
  // Copying the previous values for each repetition would be a thousand times slower.
  expect(repeated).toBeLessThan(50 + 20 * distinct)
})

it('a query keeps every value of a repeated name in order', async () => {
  const { input } = await readInput(ctx, call, new URLSearchParams('a=1&b=2&a=3&a=4'), endpoint)
  expect(input).toEqual({ a: ['1', '3', '4'], b: '2' })
})

async function inputOf(body: string, bodyFields: Endpoint['bodyFields']): Promise<unknown> {
  const sent = {
    headers: new Headers({ 'content-type': 'application/json' }),
    body: async () => Buffer.from(body),
  } as unknown as Call
  const posted = { method: 'POST', meta: { rest: {} }, bodyFields } as unknown as Endpoint
  return (await readInput(ctx, sent, new URLSearchParams(), posted)).input
}

it('a JSON body keeps only non-null fields of the endpoint', async () => {
  const fields = { title: z.string(), key: z.string(), note: z.string() }
  const body = '{"title":"laptop","key":null,"other":1,"__proto__":{"note":"x"},"constructor":{}}'
  expect(await inputOf(body, fields)).toEqual({ title: 'laptop' })
})

it('a JSON body with more names than any endpoint has is not parsed', async () => {
  const names = Array.from({ length: 90_000 }, (_, index) => `"f${index}":1`)
  const sent = {
    headers: new Headers({ 'content-type': 'application/json' }),
    body: async () => Buffer.from(`{${names.join()}}`),
  } as unknown as Call
  const posted = { method: 'POST', meta: { rest: {} }, bodyFields: { title: z.string() } }
  const { bodyError } = await readInput(ctx, sent, new URLSearchParams(), posted as unknown as Endpoint)
  expect(bodyError?.message).toBe('[]: the body has more than 10000 keys and strings')
})

it('a JSON body that is nested deeper than any endpoint needs is refused', async () => {
  const nested = (levels: number) => `{"title":${'['.repeat(levels)}"]"${']'.repeat(levels)}}`
  const title = (await inputOf(nested(99), { title: z.unknown() })) as { title: unknown }
  expect(JSON.stringify(title.title)).toContain('["]"]')
  const sent = {
    headers: new Headers({ 'content-type': 'application/json' }),
    body: async () => Buffer.from(nested(100)),
  } as unknown as Call
  const posted = { method: 'POST', meta: { rest: {} }, bodyFields: { title: z.unknown() } }
  const { bodyError } = await readInput(ctx, sent, new URLSearchParams(), posted as unknown as Endpoint)
  expect(bodyError?.message).toBe('[]: the body has more than 100 levels of nesting')
})
