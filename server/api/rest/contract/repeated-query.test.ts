import { expect, it } from 'vitest'
import { call } from '../../testing/call'
import { useSite } from '../../testing/site'

const site = useSite()

it('200: a query that repeats a name thousands of times holds nobody up', async () => {
  const started = performance.now()
  const answer = await call(site, 'GET', `/users/search?${'a&'.repeat(7000)}q=nobody`)
  expect(answer.status).toBe(200)
  // Copying at each repetition took seconds; the bound is far from either.
  expect(performance.now() - started).toBeLessThan(1500)
})
