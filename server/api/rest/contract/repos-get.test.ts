import { beforeAll, describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()
const people: Record<string, Person> = {}
const as = (title: string): Person | undefined => people[title]

beforeAll(async () => {
  const titles = 'owner member reader writer manager collaborator restricted outsider personal'.split(' ')
  for (const title of titles) people[title] = await makePerson(site)
  people.restricted = await makePerson(site, { is_restricted: true })
  people['site admin'] = await makePerson(site, { is_admin: true })
})

const idOf = (title: string): number => people[title]?.account.id ?? 0

type Visibility = 'public' | 'limited' | 'private'

/** Creates a repository of an organization in which each person has the role in their title. */
async function ofOrganization(
  visibility: Visibility,
  is_private: boolean,
): Promise<{ path: string; id: number }> {
  const org = await makeOrg(site.db, idOf('owner'), { visibility })
  await addToOrg(site.db, org.id, idOf('member'))
  const repository = await makeRepository(site.db, org.id, { is_private })
  const teams = [
    ['reader', await makeTeam(site.db, org.id)],
    ['writer', await makeTeam(site.db, org.id, { mode: 'write' }, { 'repo.code': 'write' })],
    ['manager', await makeTeam(site.db, org.id, { mode: 'admin' })],
  ] as const
  for (const [title, team] of teams) {
    await addToTeam(site.db, team, idOf(title))
    await attach(site.db, team, repository.id)
  }
  await collaborate(repository.id, 'collaborator', 'write')
  return { path: `/repos/${org.name}/${repository.name}`, id: repository.id }
}

async function ofPerson(visibility: Visibility, is_private: boolean): Promise<{ path: string; id: number }> {
  people.personal = await makePerson(site, { visibility })
  const repository = await makeRepository(site.db, idOf('personal'), { is_private })
  await collaborate(repository.id, 'collaborator', 'write')
  return { path: `/repos/${people.personal.name}/${repository.name}`, id: repository.id }
}

const collaborate = (repository_id: number, title: string, mode: 'read' | 'write' | 'admin') =>
  site.db
    .insertInto('repository_collaborators')
    .values({ repository_id, user_id: idOf(title), mode })
    .execute()

const everybody = () => ['anonymous', ...Object.keys(people)]

async function seenBy(path: string): Promise<string[]> {
  const seen: string[] = []
  for (const title of everybody()) {
    const { status } = await call(site, 'GET', path, { as: as(title) })
    if (status === 200) seen.push(title)
    else expect([title, status]).toEqual([title, 404])
  }
  return seen
}

const members = ['owner', 'reader', 'writer', 'manager', 'collaborator', 'site admin']

describe('GET /repos/{owner}/{repo}', () => {
  it.each<[Visibility, boolean, string[]]>([
    ['public', false, ['anonymous', ...members, 'member', 'outsider', 'personal', 'restricted']],
    ['limited', false, [...members, 'member', 'outsider', 'personal']],
    ['private', false, [...members, 'member']],
    ['public', true, members],
    ['limited', true, members],
    ['private', true, members],
  ])(
    'for a %s organization (private repository: %s) returns 200 to those who can see it, else 404',
    async (visibility, isPrivate, expected) => {
      const { path } = await ofOrganization(visibility, isPrivate)
      expect((await seenBy(path)).sort()).toEqual([...expected].sort())
    },
  )

  it.each<[Visibility, boolean, string[]]>([
    [
      'public',
      false,
      [
        'anonymous',
        'owner',
        'member',
        'reader',
        'writer',
        'manager',
        'outsider',
        'restricted',
        'collaborator',
        'site admin',
      ],
    ],
    [
      'limited',
      false,
      ['owner', 'member', 'reader', 'writer', 'manager', 'outsider', 'collaborator', 'site admin'],
    ],
    ['private', false, ['collaborator', 'site admin']],
    ['public', true, ['collaborator', 'site admin']],
  ])(
    'for a %s user (private repository: %s) returns 200 to those who can see it, else 404',
    async (visibility, isPrivate, expected) => {
      const { path } = await ofPerson(visibility, isPrivate)
      expect((await seenBy(path)).sort()).toEqual([...expected, 'personal'].sort())
    },
  )

  it('returns 200 and the caller’s permissions', async () => {
    const { path } = await ofOrganization('public', true)
    const seen = Object.fromEntries(
      await Promise.all(
        members.map(async title => [
          title,
          (await call(site, 'GET', path, { as: as(title) })).body.permissions,
        ]),
      ),
    )
    const everything = { admin: true, push: true, pull: true }
    const writing = { admin: false, push: true, pull: true }
    expect(seen).toEqual({
      owner: everything,
      manager: everything,
      'site admin': everything,
      writer: writing,
      collaborator: writing,
      reader: { admin: false, push: false, pull: true },
    })
  })

  it('returns 200 regardless of the names’ case, and shows them as stored', async () => {
    const ada = await makePerson(site)
    const { name } = await makeRepository(site.db, ada.account.id, { name: 'MixedCase' })
    const answer = await call(site, 'GET', `/repos/${ada.name.toUpperCase()}/mIXEDcASE`)
    expect([answer.status, answer.body.full_name]).toEqual([200, `${ada.name}/${name}`])
  })

  it('returns 200 and exactly the contract’s fields', async () => {
    const { path } = await ofPerson('public', false)
    const { body } = await call(site, 'GET', path)
    const fields =
      'id owner name full_name description empty private fork template mirror size language languages_url html_url ' +
      'url link ssh_url clone_url original_url website stars_count forks_count watchers_count branch_count ' +
      'open_issues_count open_pr_counter release_counter default_branch archived created_at updated_at archived_at ' +
      'permissions has_code has_issues has_wiki has_pull_requests has_projects projects_mode ' +
      'has_releases has_packages has_actions ignore_whitespace_conflicts allow_merge_commits allow_rebase ' +
      'allow_rebase_explicit allow_squash_merge allow_fast_forward_only_merge allow_merge_update ' +
      'allow_rebase_update allow_manual_merge autodetect_manual_merge default_delete_branch_after_merge ' +
      'default_merge_style default_update_style default_allow_maintainer_edit avatar_url internal mirror_interval ' +
      'object_format_name mirror_updated mirror_last_sync_at topics licenses'
    expect(Object.keys(body).sort()).toEqual(fields.split(' ').sort())
    expect(body).toMatchObject({
      // The endpoint does not exist.
      languages_url: '',
      archived_at: '1970-01-01T00:00:00Z',
      mirror_updated: '0001-01-01T00:00:00Z',
    })
  })

  it('returns 200 and the public profile of the owner, even to the owner and to administrators', async () => {
    const owner = await makePerson(site, { hide_email: true, login_name: 'at-the-source', language: 'de' })
    const { name } = await makeRepository(site.db, owner.account.id)
    for (const as of [owner, await makePerson(site, { is_admin: true })]) {
      for (const path of [`/repos/${owner.name}/${name}`, `/users/${owner.name}/repos`]) {
        const { body } = await call(site, 'GET', path, { as })
        const shown = (Array.isArray(body) ? body[0] : body).owner
        expect(shown).toEqual(
          (await call(site, 'GET', `/users/${owner.name}`, { as: await makePerson(site) })).body,
        )
        expect(shown).toMatchObject({ login_name: '', language: '', active: false })
      }
    }
  })

  it('returns 403 for a token without the scope, and 404 for a private repository and a token limited to public data', async () => {
    const { path } = await ofPerson('public', true)
    const wrong = await makeToken(site, idOf('personal'), ['read:user'])
    expect((await call(site, 'GET', path, { as: { token: wrong } })).status).toBe(403)
    const limited = await makeToken(site, idOf('personal'), ['public-only', 'read:repository'])
    expect((await call(site, 'GET', path, { as: { token: limited } })).status).toBe(404)
  })

  // Next responds to an undecodable path with its own error.
  const undecodable = mount === 'next' ? [] : ['/repos/nobody-here/%E0']
  it.each(['/repos/nobody-here/x', '/repos/%00/x', '/repos/x%2Fy/z', ...undecodable])(
    'returns 404 for %s',
    async path => {
      const answer = await call(site, 'GET', path)
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    },
  )
})

describe('GET /repositories/{id}', () => {
  it('returns the same repository by its ID (200), or 404 by the same rules', async () => {
    const { path, id } = await ofOrganization('public', true)
    const byName = await call(site, 'GET', path, { as: as('reader') })
    const byId = await call(site, 'GET', `/repositories/${id}`, { as: as('reader') })
    expect([byId.status, byId.body]).toEqual([200, byName.body])
    for (const title of ['anonymous', 'outsider', 'member', 'restricted']) {
      expect((await call(site, 'GET', `/repositories/${id}`, { as: as(title) })).status).toBe(404)
    }
    for (const other of ['0', 'abc', '999999999']) {
      expect((await call(site, 'GET', `/repositories/${other}`, { as: as('site admin') })).status).toBe(404)
    }
  })
})
