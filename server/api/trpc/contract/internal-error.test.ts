import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({}, kept.log)

it('a body with too many levels of nesting is refused before anything follows them', async () => {
  const browser = await signIn(site, await makePerson(site))
  let deep: unknown = []
  for (let level = 0; level < 100; level++) deep = [deep]
  const answer = await browser.mutate('workflows.dispatchRepository', { client_payload: { deep } })
  expect([answer.status, answer.error?.message]).toEqual([
    422,
    '[]: the body has more than 100 levels of nesting',
  ])
})

it('an unexpected failure returns 500 and is logged once, with the procedure and the request ID that the page shows', async () => {
  const browser = await signIn(site, await makePerson(site))
  await sql`alter table public_keys rename to gone`.execute(site.db)
  const answer = await browser.query('keys.listMine', {})
  expect(answer.status).toBe(500)
  const id = /request ([0-9a-f-]{36})/.exec(answer.error?.message ?? '')?.[1]
  const lines = kept
    .text()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ msg }) => msg === 'unexpected failure')
  expect(lines).toMatchObject([{ requestId: id, path: 'keys.listMine' }])
})
