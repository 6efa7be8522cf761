import { expect, it } from 'vitest'
import { makeKey, makeRepository, makeTeam } from '@/db/testing/factories'
import { type Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast, type TeamCast } from '@/testing/team-cast'

const site = useSite()

type World = TeamCast & { browser: Browser; asRoot: Browser }

/** Failing requests of pages, each with the invalid field and the expected reason. */
const refusals: Record<
  string,
  (world: World) => Promise<[answer: unknown, field: unknown, reason: unknown]>
> = {
  'a team name in use': async ({ browser, org }) => {
    await makeTeam(site.db, org.id, { name: 'core' })
    const input = { org: org.name, name: 'Core', permission: 'read', units: ['repo.code'] }
    return [
      await browser.mutate('teams.create', input),
      'name',
      { code: 'nameTaken', what: 'team', name: 'Core' },
    ]
  },
  'a reserved team name': async ({ browser, org }) => [
    await browser.mutate('teams.create', {
      org: org.name,
      name: 'new',
      permission: 'read',
      units: ['repo.code'],
    }),
    'name',
    { code: 'nameReserved', name: 'new' },
  ],
  'text that is not a public key': async ({ browser }) => [
    await browser.mutate('keys.add', { title: 'laptop', key: 'hello' }),
    'key',
    { code: 'noPublicKey' },
  ],
  'an organization name in use': async ({ browser, owner }) => [
    await browser.mutate('orgs.create', { username: owner.name }),
    'username',
    { code: 'nameTaken', what: 'account', name: owner.name },
  ],
  'an invalid organization name': async ({ browser }) => [
    await browser.mutate('orgs.create', { username: 'my org!' }),
    'username',
    { code: 'nameInvalid', name: 'my org!' },
  ],
  'a repository name in use': async ({ browser, owner }) => {
    await makeRepository(site.db, owner.account.id, { name: 'engine' })
    return [
      await browser.mutate('repos.create', { name: 'engine' }),
      'name',
      { code: 'nameTaken', what: 'repository', name: 'engine' },
    ]
  },
  'a repository name with a reserved ending': async ({ browser }) => [
    await browser.mutate('repos.create', { name: 'engine.git' }),
    'name',
    { code: 'endingReserved', ending: '.git' },
  ],
  'an SSH key that the user already added': async ({ browser }) => {
    const { text } = newKey()
    await browser.mutate('keys.add', { title: 'laptop', key: text })
    return [
      await browser.mutate('keys.add', { title: 'other', key: text }),
      'key',
      { code: 'keyTaken', title: 'laptop' },
    ]
  },
  'an SSH key of another account': async ({ browser, inTeam }) => {
    const key = await makeKey(site.db, inTeam.account.id)
    return [
      await browser.mutate('keys.add', { title: 'other', key: key.content }),
      'key',
      { code: 'keyTaken', title: null },
    ]
  },
  'an access token name in use': async ({ browser, owner }) => {
    const input = { username: owner.name, name: 'ci', scopes: ['all'] }
    await call(site, 'POST', `/users/${owner.name}/tokens`, { as: withPassword(owner), body: input })
    return [
      await browser.mutate('tokens.create', input),
      'name',
      { code: 'nameTaken', what: 'token', name: 'ci' },
    ]
  },
  'a blocked user': async ({ browser, org, team, outsider }) => {
    const block = { blocker_id: org.id, blocked_id: outsider.account.id, note: '' }
    await site.db.insertInto('user_blocks').values(block).execute()
    const input = { id: team.id, username: outsider.name }
    return [await browser.mutate('teams.addMember', input), 'username', { code: 'blocked' }]
  },
  'deleting an account that owns repositories': async ({ asRoot }) => {
    const person = await makePerson(site)
    await makeRepository(site.db, person.account.id)
    return [
      await asRoot.mutate('removals.removeUser', { username: person.name }),
      undefined,
      { code: 'ownsRepositories', name: person.name, count: 1 },
    ]
  },
  'a deleted team': async ({ browser, owner, team }) => {
    await call(site, 'DELETE', `/teams/${team.id}`, { as: withPassword(owner) })
    const input = { id: team.id, changes: { description: 'Ours' }, expected: { description: '' } }
    return [await browser.mutate('teams.save', input), undefined, { code: 'gone', what: 'team' }]
  },
  'an unknown account': async ({ asRoot }) => [
    await asRoot.mutate('users.save', { username: 'dave', changes: {}, expected: {} }),
    undefined,
    { code: 'noSuchAccount', name: 'dave' },
  ],
  'an unknown organization': async ({ browser }) => [
    await browser.mutate('orgs.save', { org: 'nowhere', changes: {}, expected: {} }),
    undefined,
    { code: 'gone', what: 'organization' },
  ],
  'an unknown repository': async ({ browser, owner }) => [
    await browser.mutate('repos.save', { owner: owner.name, repo: 'nothing', changes: {}, expected: {} }),
    undefined,
    { code: 'gone', what: 'repository' },
  ],
  'deleting the last owner of an organization': async ({ asRoot, owner, org }) => [
    await asRoot.mutate('removals.removeUser', { username: owner.name }),
    undefined,
    { code: 'lastOwner', name: owner.name, organization: org.name },
  ],
}

it.each(Object.entries(refusals))('an error includes a machine-readable reason for %s', async (_, refuse) => {
  const cast = await makeTeamCast(site)
  const [browser, asRoot] = [await signIn(site, cast.owner), await signIn(site, cast.root)]
  const [answer, field, reason] = await refuse({ ...cast, browser, asRoot })
  expect(answer).toMatchObject({ error: { data: { reason } } })
  expect((answer as Awaited<ReturnType<Browser['mutate']>>).error?.data.field).toBe(field)
})

it('a team of a hidden organization returns the same error as a team that does not exist', async () => {
  const { outsider, org, team } = await makeTeamCast(site)
  await site.db.updateTable('users').set({ visibility: 'private' }).where('id', '=', org.id).execute()
  const browser = await signIn(site, outsider)
  const refused = { error: { data: { reason: { code: 'gone', what: 'team' } } } }
  expect(await browser.query('teams.get', { id: team.id })).toMatchObject(refused)
  expect(await browser.query('teams.get', { id: team.id + 1000 })).toMatchObject(refused)
})
