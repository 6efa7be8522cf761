import { expect, it } from 'vitest'
import { notFound, unavailable } from '@/server/kernel/errors'
import { NotedCalls } from './noted-calls'

const failing = (cause: Error) => async (): Promise<never> => {
  throw new Error('failed', { cause })
}
const absent = failing(notFound('there is none'))
const away = failing(unavailable('not now', { retryAfterSeconds: 5 }))
const there = async (): Promise<object> => ({ name: 'engine', since: new Date(0) })

async function note(...calls: (() => Promise<unknown>)[]): Promise<NotedCalls> {
  const noted = new NotedCalls()
  for (const call of calls) await noted.query('repos.get', { id: 1 }, call).catch(() => undefined)
  return noted
}

it('an outcome is a result or a failure that does not pass, and differs for other values and messages', async () => {
  const outcomes: (string | undefined)[] = []
  const same = await note(there)
  for (const call of [there, async () => ({}), absent, failing(notFound('it was deleted')), away]) {
    const noted = (await note(call)).all()
    outcomes.push(noted?.[0]?.outcome)
    if (noted?.[0]) expect(same.confirms(noted[0])).toBe(call === there)
  }
  expect(new Set(outcomes).size).toBe(5)
  expect(outcomes.at(-1)).toBeUndefined()
})

it.each([
  ['failed in a way that may pass', [away, there]],
  ['was absent and is there now', [absent, there]],
  ['was absent and fails now', [absent, away]],
  ['returns something that cannot be compared', [async () => () => undefined]],
])('calls are uncertain if one %s', async (_, calls) => {
  expect((await note(...calls)).all()).toBeUndefined()
})

it('a call that is running is made once, and not noted yet', async () => {
  const noted = new NotedCalls()
  let made = 0
  const [first, second] = ['x', 'y'].map(text =>
    noted.query('repos.get', undefined, async () => {
      made += 1
      return text
    }),
  )
  expect(noted.all()).toBeUndefined()
  expect([await first, await second, made]).toEqual(['x', 'x', 1])
  expect([noted.all()?.length, noted.valueOf('repos.get')]).toEqual([1, 'x'])
})

it('an earlier position in the stream of live messages is as good', async () => {
  const noted = new NotedCalls()
  const confirms = (path: string) =>
    noted.confirms({ key: `${path} `, path, input: undefined, outcome: 'earlier' })
  expect(confirms('live.getCursor')).toBe(true)
  expect(confirms('repos.get')).toBe(false)
})

it('finds the first time in the future, in any form', async () => {
  const times = ['2026-01-01T00:00:00Z', '2026-01-02T02:00:00+02:00', '2026-01-02T00:00:00.5Z', '2026-01-02']
  const noted = await note(async () => ({ times, made: new Date('2027-01-01') }))
  expect(noted.firstTimeAfter(Date.parse('2026-01-01T12:00:00Z'))).toBe(Date.parse('2026-01-02'))
  expect(noted.firstTimeAfter(Date.parse('2028-01-01'))).toBe(Number.POSITIVE_INFINITY)
})
