import { describe, expect, it, onTestFinished } from 'vitest'
import { addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { type Browser, signIn, Browser as Visitor } from '@/testing/browser'
import { follow } from '@/testing/live-stream'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

/** Adds notifications of teams that the person has joined, and returns their IDs, oldest first. */
async function notify(person: Person, count: number): Promise<number[]> {
  const org = await makeOrg(site.db, (await makePerson(site)).account.id)
  const ids: number[] = []
  for (let made = 0; made < count; made++) {
    const team = await makeTeam(site.db, org.id, {}, {})
    await addToTeam(site.db, team, person.account.id)
    const row = { account_id: person.account.id, kind: 'team_joined', subject_id: team.id }
    ids.push(
      (await site.db.insertInto('notifications').values(row).returning('id').executeTakeFirstOrThrow()).id,
    )
  }
  return ids
}

const list = async (browser: Browser, input = {}) => (await browser.query('notifications.list', input)).data
const idsOf = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id)

describe('notifications.list', () => {
  it('returns pages of 30, newest first, with the number of unread ones', async () => {
    const ada = await makePerson(site)
    const ids = (await notify(ada, 32)).reverse()
    const browser = await signIn(site, ada)
    const first = await list(browser)
    expect([idsOf(first), first.next, first.unread]).toEqual([ids.slice(0, 30), ids[29], 32])
    const second = await list(browser, { cursor: first.next })
    expect([idsOf(second), second.next, second.unread]).toEqual([ids.slice(30), null, 32])
  })

  it('returns only unread ones if asked, and counts at most 100', async () => {
    const ada = await makePerson(site)
    const ids = await notify(ada, 102)
    const browser = await signIn(site, ada)
    await browser.mutate('notifications.markRead', { from: ids[101], to: ids[101] })
    const page = await list(browser, { unread_only: true, limit: 2 })
    expect([idsOf(page), page.next, page.unread]).toEqual([[ids[100], ids[99]], ids[99], 100])
  })

  it('returns nothing of others, and 401 to visitors', async () => {
    await notify(await makePerson(site), 1)
    const browser = await signIn(site, await makePerson(site))
    expect(await list(browser)).toEqual({ items: [], next: null, unread: 0 })
    expect((await new Visitor(site).query('notifications.list', {})).status).toBe(401)
  })
})

describe('notifications.markRead', () => {
  it('marks those between two IDs, and returns how many are unread', async () => {
    const ada = await makePerson(site)
    const ids = await notify(ada, 4)
    const browser = await signIn(site, ada)
    const answer = await browser.mutate('notifications.markRead', { from: ids[1], to: ids[2] })
    expect(answer.data).toBe(2)
    const { items } = await list(browser)
    expect(items.map(({ unread }: { unread: boolean }) => unread)).toEqual([true, false, false, true])
  })

  it('marks nothing of others', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [id] = await notify(ada, 1)
    await (await signIn(site, bob)).mutate('notifications.markRead', { from: 1, to: id })
    expect((await list(await signIn(site, ada))).unread).toBe(1)
  })

  it('is announced to the person’s other browsers, and to nobody else', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [id] = await notify(ada, 1)
    const open = async (person: Person) => {
      const { cookie } = await signIn(site, person)
      const stream = await follow(site.url, [{ topic: 'notifications' }, { topic: 'account' }], {
        cookie,
        userId: person.account.id,
      })
      onTestFinished(() => stream.close())
      await stream.waitFor(({ messages }) => messages.length > 0)
      return stream
    }
    const [own, other] = [await open(ada), await open(bob)]
    await (await signIn(site, ada)).mutate('notifications.markRead', { from: id, to: id })
    const changed = { type: 'changed', topic: { topic: 'notifications' } } as const
    await own.waitFor(({ messages }) =>
      messages.some(message => JSON.stringify(message) === JSON.stringify(changed)),
    )
    expect(other.messages).not.toContainEqual(changed)
  })
})
