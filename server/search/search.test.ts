import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { findAccountById } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { find } from './search'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
}, 60_000)
afterAll(() => database.close())

const look = (caller: Caller, q: string, limit = 6) =>
  find({ db: database.db, caller, remoteAddress: '192.0.2.1' }, { q, limit })

async function callerOf(id: number, publicOnly = false): Promise<Caller> {
  const user = await findAccountById(database.db, id)
  if (!user) throw new Error('the account just made is not there')
  if (!publicOnly) return { kind: 'user', user, credential: { kind: 'session', sessionId: 1 } }
  const token = { kind: 'token', tokenId: 1, expiresAt: null, fromBasic: false } as const
  return { kind: 'user', user, credential: { ...token, scopes: ['all', 'public-only'] } }
}

const pathsOf = ({ repositories }: Awaited<ReturnType<typeof look>>) =>
  repositories.map(({ owner, name }) => `${owner}/${name}`)

describe('find', () => {
  it("returns results that contain every word, in any order and case, in their own or their owner's name", async () => {
    const { db } = database
    const { id: ada } = await makeUser(db, { name: 'Wordsmith', full_name: 'Ada of Lovelace' })
    for (const name of ['web-engine', 'engine', 'Web']) await makeRepository(db, ada, { name })
    const org = await makeOrg(db, ada, { name: 'wordworks', full_name: 'Engine Works' })
    await makeTeam(db, org.id, { name: 'Word-Engineers' })
    const caller = await callerOf(ada)
    expect(pathsOf(await look(caller, 'ENGINE wordsmith'))).toEqual([
      'Wordsmith/engine',
      'Wordsmith/web-engine',
    ])
    expect(pathsOf(await look(caller, '  smith \t gin\0WEB '))).toEqual(['Wordsmith/web-engine'])
    expect(pathsOf(await look(caller, 'wordsmith/we'))).toEqual(['Wordsmith/Web', 'Wordsmith/web-engine'])
    expect(pathsOf(await look(caller, 'smith/web engine'))).toEqual(['Wordsmith/web-engine'])
    expect(pathsOf(await look(caller, 'e n g i w s nothing'))).toEqual([
      'Wordsmith/engine',
      'Wordsmith/web-engine',
    ])
    expect((await look(caller, 'lovelace word')).people).toEqual([
      { name: 'Wordsmith', full_name: 'Ada of Lovelace', visibility: 'public' },
    ])
    const terms = await look(caller, 'engine wordw')
    expect(terms.organizations).toEqual([
      { name: 'wordworks', full_name: 'Engine Works', visibility: 'public' },
    ])
    expect(terms.teams).toEqual([{ org: 'wordworks', name: 'Word-Engineers' }])
    expect(await look(caller, 'wordsmith nothing')).toEqual({
      repositories: [],
      organizations: [],
      people: [],
      teams: [],
    })
  })

  it('ranks exact names first, then names that start with a word, then owners that do, then all other matches', async () => {
    const { db } = database
    const { id } = await makeUser(db, { name: 'ranker' })
    const { id: owner } = await makeUser(db, { name: 'quill-owner' })
    for (const name of ['a-quill', 'quills', 'quill', 'quill-2']) await makeRepository(db, id, { name })
    await makeRepository(db, owner, { name: 'a-thing' })
    const paths = pathsOf(await look(anonymous, 'Quill'))
    expect(paths).toEqual([
      'ranker/quill',
      'ranker/quill-2',
      'ranker/quills',
      'quill-owner/a-thing',
      'ranker/a-quill',
    ])
    expect(pathsOf(await look(anonymous, 'quill', 2))).toEqual(paths.slice(0, 2))
  })

  it('matches pattern characters such as _ and % literally', async () => {
    const { id } = await makeUser(database.db, { name: 'literal' })
    for (const name of ['under_score', 'underxscore']) await makeRepository(database.db, id, { name })
    expect(pathsOf(await look(anonymous, 'r_s'))).toEqual(['literal/under_score'])
    expect(pathsOf(await look(anonymous, 'under%'))).toEqual([])
    expect(pathsOf(await look(anonymous, 'under\\'))).toEqual([])
  })

  it('uses the new names after an owner is renamed and a repository is renamed and transferred', async () => {
    const { db } = database
    const [{ id }, other] = [
      await makeUser(db, { name: 'before' }),
      await makeUser(db, { name: 'elsewhere' }),
    ]
    const repository = await makeRepository(db, id, { name: 'moving' })
    await db.updateTable('users').set({ name: 'After' }).where('id', '=', id).execute()
    expect(pathsOf(await look(anonymous, 'before moving'))).toEqual([])
    expect(pathsOf(await look(anonymous, 'after moving'))).toEqual(['After/moving'])
    const rename = { name: 'moved', owner_id: other.id }
    await db.updateTable('repositories').set(rename).where('id', '=', repository.id).execute()
    expect(pathsOf(await look(anonymous, 'after'))).toEqual([])
    expect(pathsOf(await look(anonymous, 'elsewhere'))).toEqual(['elsewhere/moved'])
  })
})

describe('visibility of search results', () => {
  const visibilities = ['public', 'limited', 'private'] as const
  const ids = new Map<string, number>()
  const id = (title: string) => ids.get(title) ?? 0

  // Every name ends with the same word, so the search would find everything that is visible.
  beforeAll(async () => {
    const { db } = database
    for (const title of 'founder member reader collaborator outsider administrator'.split(' ')) {
      const user = await makeUser(db, { name: `${title}-secret`, is_admin: title === 'administrator' })
      ids.set(title, user.id)
    }
    for (const visibility of visibilities) {
      const org = await makeOrg(db, id('founder'), { name: `${visibility}-org-secret`, visibility })
      await addToOrg(db, org.id, id('member'))
      const team = await makeTeam(db, org.id, { name: 'team-secret' })
      await addToTeam(db, team, id('reader'))
      ids.set(`person, ${visibility}`, (await makeUser(db, { name: `${visibility}-person`, visibility })).id)
      for (const owner of [org.id, id(`person, ${visibility}`)]) {
        await makeRepository(db, owner, { name: 'open-secret' })
        const closed = await makeRepository(db, owner, { name: 'closed-secret', is_private: true })
        if (owner === org.id) await attach(db, team, closed.id)
        const row = { repository_id: closed.id, user_id: id('collaborator'), mode: 'read' as const }
        await db.insertInto('repository_collaborators').values(row).execute()
      }
    }
  })

  const openToSignedIn = ['public-org/open', 'public-person/open', 'limited-org/open', 'limited-person/open']
  const openToAll = ['public-org/open', 'public-person/open']
  const closed = ['org', 'person'].flatMap(kind => visibilities.map(one => `${one}-${kind}/closed`))
  const ofOrgs = (name: string) => visibilities.map(one => `${one}-org/${name}`)

  it.each([
    { who: 'anonymous', repositories: openToAll, orgs: ['public'], people: ['public'], teams: [] },
    {
      who: 'outsider',
      repositories: openToSignedIn,
      orgs: ['public', 'limited'],
      people: ['public', 'limited'],
      teams: [],
    },
    {
      who: 'collaborator',
      repositories: [...openToSignedIn, ...closed],
      orgs: ['public', 'limited'],
      people: ['public', 'limited'],
      teams: [],
    },
    {
      who: 'member',
      repositories: [...openToSignedIn, 'private-org/open'],
      orgs: visibilities,
      people: ['public', 'limited'],
      teams: visibilities,
    },
    {
      who: 'reader',
      repositories: [...openToSignedIn, 'private-org/open', ...ofOrgs('closed')],
      orgs: visibilities,
      people: ['public', 'limited'],
      teams: visibilities,
    },
    {
      who: 'person, private',
      repositories: [...openToSignedIn, 'private-person/open', 'private-person/closed'],
      orgs: ['public', 'limited'],
      people: visibilities,
      teams: [],
    },
    {
      who: 'administrator',
      repositories: [...openToSignedIn, 'private-org/open', 'private-person/open', ...closed],
      orgs: visibilities,
      people: visibilities,
      teams: visibilities,
    },
    {
      who: 'administrator, public only',
      repositories: openToAll,
      orgs: ['public'],
      people: ['public'],
      teams: ['public'],
    },
    {
      who: 'reader, public only',
      repositories: openToAll,
      orgs: ['public'],
      people: ['public'],
      teams: ['public'],
    },
  ])(
    'limits results to what the caller can see, as $who',
    async ({ who, repositories, orgs, people, teams }) => {
      const [title = '', publicOnly] = who.split(', public only')
      const caller = who === 'anonymous' ? anonymous : await callerOf(id(title), publicOnly !== undefined)
      const found = await look(caller, 'secret', 100)
      const short = (text: string) => text.replaceAll('-secret', '')
      expect(pathsOf(found).map(short).sort()).toEqual([...repositories].sort())
      expect(found.organizations.map(({ name }) => short(name)).sort()).toEqual(
        orgs.map(one => `${one}-org`).sort(),
      )
      const named = await look(caller, 'team-secret', 100)
      expect(named.teams.map(({ org }) => short(org)).sort()).toEqual(teams.map(one => `${one}-org`).sort())
      const seen = (await look(caller, '-person', 100)).people.map(({ name }) => name)
      expect(seen.sort()).toEqual(people.map(one => `${one}-person`).sort())
    },
  )

  it('omits hidden matches without reducing the number of visible results', async () => {
    const caller = await callerOf(id('outsider'))
    for (const term of ['closed', 'private-org', 'private-person', 'team-secret']) {
      const { repositories, organizations, people, teams } = await look(caller, term)
      expect([repositories, organizations, people, teams], term).toEqual([[], [], [], []])
    }
    expect(pathsOf(await look(caller, 'secret', 1))).toHaveLength(1)
    expect(pathsOf(await look(anonymous, 'org-secret', 2))).toEqual(['public-org-secret/open-secret'])
  })
})

it('find refuses excess concurrent searches from one address and still serves other addresses', async () => {
  const caller = await callerOf((await makeUser(database.db)).id)
  const many = Promise.allSettled(Array.from({ length: 110 }, () => look(anonymous, 'word')))
  const other = find({ db: database.db, caller, remoteAddress: '198.51.100.1' }, { q: 'word', limit: 6 })
  await expect(other).resolves.toBeDefined()
  const refused = (await many).filter(result => result.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'tooManyRequests' })
})
