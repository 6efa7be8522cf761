import { beforeAll, expect, it } from 'vitest'
import { addToOrg, makeKey, makeOrg } from '@/db/testing/factories'
import {
  maySeePerson,
  maySeeRepository,
  organizationAccess,
  repositoryAccess,
  type Subject,
  subjectFor,
} from '@/server/access'
import { findAccountById } from '@/server/kernel/account'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

interface Viewer {
  subject: Subject
  as: Person | undefined
  browser: Browser
}

/** Requests an object over REST, as a page, or with Git, and returns whether it was found. */
type Way = (viewer: Viewer) => Promise<boolean>

interface Thing {
  label: string
  mayBeSeen(subject: Subject): Promise<boolean>
  ways: Record<string, Way>
}

const viewers: Record<string, Viewer> = {}
const things: Thing[] = []
// Every name ends with this word, so that a search finds only these objects.
const word = 'visibility-test'

const answers =
  (path: string): Way =>
  async ({ as }) => {
    const { status } = await call(site, 'GET', path, { as })
    expect([200, 404]).toContain(status)
    return status === 200
  }
// The result contains the name under any key.
const finds =
  (path: string, name: string): Way =>
  async ({ as }) =>
    (await call(site, 'GET', path, { as })).text.includes(`"${name}"`)
const asPage =
  (procedure: string, input: object, name: string): Way =>
  async ({ browser }) => {
    const { status, text } = await browser.query(procedure, input)
    return status === 200 && text.includes(`"${name}"`)
  }

beforeAll(async () => {
  const root = await makePerson(site, { is_admin: true })
  const member = await makePerson(site, { is_restricted: true })
  const people: Record<string, Person> = {
    administrator: root,
    'a user': await makePerson(site),
    'a restricted user': await makePerson(site, { is_restricted: true }),
    'a restricted member': member,
  }
  for (const visibility of ['public', 'limited', 'private'] as const) {
    const person = await makePerson(site, { name: `${visibility}-person-${word}`, visibility })
    people[`the ${visibility} person`] = person
    things.push(await aboutPerson(person))
    const org = await makeOrg(site.db, root.account.id, { name: `${visibility}-org-${word}`, visibility })
    await addToOrg(site.db, org.id, member.account.id)
    things.push(aboutOrganization(org))
    for (const owner of [person.name, org.name]) {
      for (const isPrivate of [false, true]) things.push(await aboutRepository(root, owner, isPrivate))
    }
  }
  viewers.nobody = { subject: { kind: 'anonymous' }, as: undefined, browser: new Browser(site) }
  for (const [title, as] of Object.entries(people)) {
    viewers[title] = { subject: subjectFor(as.account), as, browser: await signIn(site, as) }
  }
})

async function aboutPerson({ name, account }: Person): Promise<Thing> {
  const key = await makeKey(site.db, account.id)
  const fingerprint = encodeURIComponent(key.fingerprint)
  return {
    label: name,
    mayBeSeen: async subject => maySeePerson(subject, account),
    ways: {
      profile: answers(`/users/${name}`),
      repositories: answers(`/users/${name}/repos`),
      feed: answers(`/users/${name}/activities/feeds`),
      search: finds(`/users/search?q=${word}`, name),
      'page of the profile': asPage('users.get', { username: name }, name),
      'search of the site': asPage('search.find', { q: name }, name),
      'list of people': asPage('search.browseAccounts', { kind: 'person', q: word }, name),
      ...forAccounts({
        keys: answers(`/users/${name}/keys`),
        'key by its id': answers(`/user/keys/${key.id}`),
        'key by its fingerprint': finds(`/user/keys?fingerprint=${fingerprint}`, key.fingerprint),
        'key of theirs by its fingerprint': answers(`/users/${name}/keys?fingerprint=${fingerprint}`),
        'page of keys': asPage('keys.browse', { username: name }, key.fingerprint),
        'their organizations': answers(`/users/${name}/orgs`),
      }),
    },
  }
}

function aboutOrganization({ id, name }: { id: number; name: string }): Thing {
  return {
    label: name,
    mayBeSeen: async subject => {
      const org = await findAccountById(site.db, id)
      return org !== undefined && (await organizationAccess(site.db, subject, org)).visible
    },
    ways: {
      profile: answers(`/orgs/${name}`),
      list: finds('/orgs?limit=50', name),
      members: answers(`/orgs/${name}/public_members`),
      repositories: answers(`/orgs/${name}/repos`),
      feed: answers(`/orgs/${name}/activities/feeds`),
      page: asPage('orgs.getOverview', { org: name }, name),
      'search of the site': asPage('search.find', { q: name }, name),
    },
  }
}

async function aboutRepository(root: Person, owner: string, isPrivate: boolean): Promise<Thing> {
  const name = `${isPrivate ? 'hidden' : 'open'}-of-${owner}`
  const body = { name, private: isPrivate }
  const { body: made } = await call(site, 'POST', `/admin/users/${owner}/repos`, { as: root, body })
  return {
    label: name,
    mayBeSeen: async subject => {
      const account = await findAccountById(site.db, made.owner.id)
      if (!account) throw new Error('the owner is not there')
      const access = repositoryAccess(site.db, subject, {
        id: made.id,
        is_private: isPrivate,
        owner: account,
      })
      return maySeeRepository(await access)
    },
    ways: {
      itself: answers(`/repos/${owner}/${name}`),
      'by its id': answers(`/repositories/${made.id}`),
      branches: answers(`/repos/${owner}/${name}/branches`),
      search: finds(`/repos/search?q=${name}`, name),
      page: asPage('repos.getHome', { owner, repo: name }, name),
      'search of the site': asPage('search.find', { q: name }, name),
      git: async ({ as }) => {
        const credentials = as && `Basic ${Buffer.from(`${as.name}:${as.password}`).toString('base64')}`
        const headers = credentials ? { authorization: credentials } : undefined
        const path = `/${owner}/${name}.git/info/refs?service=git-upload-pack`
        return (await fetch(`${site.url}${path}`, { headers })).status === 200
      },
    },
  }
}

const forAccounts = (ways: Record<string, Way>): Record<string, Way> =>
  Object.fromEntries(Object.entries(ways).map(([label, way]) => [`${label}, with an account`, way]))

const isFor = ({ as }: Viewer, way: string): boolean => as !== undefined || !way.endsWith('with an account')

it('every object is visible to the same viewers in the API, on pages, in searches, and over Git', async () => {
  for (const [title, viewer] of Object.entries(viewers)) {
    for (const { label, ways, mayBeSeen } of things) {
      const asked = Object.entries(ways).filter(([way]) => isFor(viewer, way))
      const seen = await Promise.all(asked.map(async ([way, ask]) => [way, await ask(viewer)]))
      const expected = await mayBeSeen(viewer.subject)
      expect({ title, label, seen }).toEqual({ title, label, seen: asked.map(([way]) => [way, expected]) })
    }
  }
})

it('a signed-in user sees at least what anonymous visitors see', async () => {
  for (const { label, mayBeSeen } of things) {
    if (!(await mayBeSeen({ kind: 'anonymous' }))) continue
    for (const [title, { subject }] of Object.entries(viewers)) {
      expect([title, label, await mayBeSeen(subject)]).toEqual([title, label, true])
    }
  }
})
