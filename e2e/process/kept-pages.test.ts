import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { signIn } from '@/testing/browser'
import { gitOk } from '@/testing/git'
import { commit, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { oneOf, type Random, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { adminToken } from './api'
import { admin, type Guildhall, start } from './guildhall'
import { type Api, apiOf, siteOnPostgres } from './hooks'

const postgres = process.platform === 'linux' ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

const work = useWorkDirectory()

const changes = series(6, Number(process.env.GUILDHALL_TEST_PAGE_CHANGES ?? 20))
const seed = Number(process.env.GUILDHALL_TEST_SEED ?? 20)
const slowestMs = 1_000

interface World {
  api: Api
  random: Random
  /** A clone with commits to push. */
  local: string
  people: string[]
  orgs: string[]
  repositories: { owner: string; name: string }[]
  count: number
}

describe.skipIf(!postgres)('kept pages', () => {
  it(`show every acknowledged change at once, and for visitors of another process within a second (changes: ${changes})`, {
    tags: 'series',
    timeout: 120_000 + 1_500 * changes,
  }, async () => {
    await using site = await siteOnPostgres(postgres!.url)
    await using here = endedLater(await start(site.environment))
    await using there = endedLater(await start(site.environment))
    const world = await makeWorld(apiOf(here.url, await adminToken(here.url)), work.path())
    const { cookie } = await signIn(here, admin)
    for (let change = 0; change < changes; change++) {
      const paths = pathsOf(world)
      // These are kept now.
      for (const path of paths) await read(here.url, path)
      const elsewhere = oneOf(world.random, paths)
      await read(there.url, elsewhere)
      const own = oneOf(world.random, paths)
      for (const { url } of [here, there]) await openAgain(url, own, cookie)
      const { what, also } = await changeSomething(world)
      const changed = performance.now()
      for (const { url } of [here, there]) {
        const about = `${own} of somebody signed in after ${what}, change ${change} with seed ${seed}`
        expect(await openAgain(url, own, cookie), about).toEqual(await openAnew(url, own, cookie))
      }
      for (const path of new Set([...paths, ...also])) {
        const about = `${path} after ${what}, change ${change} with seed ${seed}`
        expect(await read(here.url, path), about).toEqual(await renderAnew(here.url, path))
      }
      const timeout = Math.max(1, changed + slowestMs - performance.now())
      const anew = await renderAnew(there.url, elsewhere)
      await expect.poll(() => read(there.url, elsewhere), { timeout, interval: 20 }).toEqual(anew)
    }
  })
})

const endedLater = (guildhall: Guildhall): Guildhall & AsyncDisposable => ({
  ...guildhall,
  async [Symbol.asyncDispose]() {
    await guildhall.end('SIGTERM')
  },
})

async function makeWorld(api: Api, local: string): Promise<World> {
  const random = randomFrom(seed)
  const world: World = { api, random, local, people: [], orgs: [], repositories: [], count: 0 }
  await startLocal(local)
  for (const name of ['ada', 'bea']) await addPerson(world, name)
  for (const username of ['acme', 'zoo']) {
    await must(world, 'POST', '/orgs', { username })
    world.orgs.push(username)
  }
  for (let index = 0; index < 4; index++) await addRepository(world)
  return world
}

async function addPerson(world: World, username: string): Promise<void> {
  const email = `${username}@example.test`
  await must(world, 'POST', '/admin/users', { username, email, password: 'a long enough password' })
  world.people.push(username)
}

async function addRepository(world: World): Promise<{ owner: string; name: string }> {
  const owner = oneOf(world.random, [...world.people, ...world.orgs])
  const name = `repo-${world.count++}`
  const path = world.orgs.includes(owner) ? `/orgs/${owner}/repos` : `/admin/users/${owner}/repos`
  await must(world, 'POST', path, { name, auto_init: true })
  const made = { owner, name }
  world.repositories.push(made)
  return made
}

async function must(world: World, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await world.api.call<unknown>(method, path, body)
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const pagesOf = ({ owner, name }: { owner: string; name: string }): string[] =>
  ['', '/branches', '/tags', '/releases', '/activity', '/releases/tag/v1'].map(
    end => `/${owner}/${name}${end}`,
  )

/** Returns pages of two repositories, and one of an account or a list of the site. */
function pathsOf({ random, repositories, people, orgs }: World): string[] {
  const some = [1, 2].map(() => oneOf(random, pagesOf(oneOf(random, repositories))))
  const lists = ['/explore', '/explore?tab=people', '/explore?tab=organizations', '/explore?q=repo']
  return [...new Set([...some, oneOf(random, [...lists, ...[...people, ...orgs].map(name => `/${name}`)])])]
}

/** Makes a change. Returns what it was and the pages that it concerns most. */
async function changeSomething(world: World): Promise<{ what: string; also: string[] }> {
  const { random, repositories } = world
  const repository = oneOf(random, repositories)
  const { owner, name } = repository
  const here = `/repos/${owner}/${name}`
  const number = world.count++
  const before = [`/${owner}/${name}`, `/${owner}`, '/explore']
  const ways: Record<string, () => Promise<unknown>> = {
    'another description': () => must(world, 'PATCH', here, { description: `Text ${number}` }),
    'another visibility': async () => {
      const { private: isPrivate } = (await must(world, 'GET', here)) as { private: boolean }
      await must(world, 'PATCH', here, { private: !isPrivate })
    },
    'a rename': async () => {
      await must(world, 'PATCH', here, { name: `renamed-${number}` })
      repository.name = `renamed-${number}`
    },
    'a new repository': () => addRepository(world),
    'a deletion': async () => {
      if (repositories.length < 3) return await addRepository(world)
      await must(world, 'DELETE', here)
      repositories.splice(repositories.indexOf(repository), 1)
    },
    'a transfer': async () => {
      const target = oneOf(
        random,
        world.orgs.filter(org => org !== owner),
      )
      await must(world, 'POST', `${here}/transfer`, { new_owner: target })
      repository.owner = target
    },
    'a release with a tag': () => must(world, 'POST', `${here}/releases`, { tag_name: `v${number}` }),
    'another release': async () => {
      const releases = (await must(world, 'GET', `${here}/releases`)) as { id: number }[]
      const [first] = releases
      if (!first)
        return await must(world, 'POST', `${here}/releases`, { tag_name: 'v1', body: `Text ${number}` })
      const change = oneOf(random, [{ body: `Text ${number}` }, { draft: true }, { prerelease: true }])
      await must(world, 'PATCH', `${here}/releases/${first.id}`, change)
    },
    'no release anymore': async () => {
      const releases = (await must(world, 'GET', `${here}/releases`)) as { id: number }[]
      if (releases[0]) await must(world, 'DELETE', `${here}/releases/${releases[0].id}`)
    },
    'a push': async () => {
      const remote = new URL(`/${owner}/${name}.git`, world.api.url)
      Object.assign(remote, { username: 'token', password: world.api.token })
      await commit(world.local)
      const ref = oneOf(random, ['heads/topic', `heads/topic-${number}`, `tags/t${number}`])
      await gitOk(['push', '-qf', remote.href, `HEAD:refs/${ref}`], { cwd: world.local })
    },
    'another profile': () => {
      const change = oneOf(random, [
        { full_name: `Name ${number}` },
        { visibility: oneOf(random, ['public', 'limited', 'private']) },
      ])
      const person = oneOf(random, world.people)
      before.push(`/${person}`)
      return must(world, 'PATCH', `/admin/users/${person}`, { ...change, source_id: 0, login_name: person })
    },
    'another organization': () => {
      const org = oneOf(random, world.orgs)
      before.push(`/${org}`)
      const visibility = oneOf(random, ['public', 'limited', 'private'])
      return must(world, 'PATCH', `/orgs/${org}`, { full_name: `Name ${number}`, visibility })
    },
    'another name of an account': async () => {
      const kind = oneOf(random, ['people', 'orgs'] as const)
      const former = oneOf(random, world[kind])
      const next = `name-${number}`
      const path = kind === 'people' ? `/admin/users/${former}/rename` : `/orgs/${former}/rename`
      await must(world, 'POST', path, kind === 'people' ? { new_username: next } : { new_name: next })
      world[kind][world[kind].indexOf(former)] = next
      for (const one of repositories) if (one.owner === former) one.owner = next
      before.push(`/${former}`, `/${next}`)
    },
    'a block': async () => {
      const person = oneOf(random, world.people)
      const { status } = await world.api.call('GET', `/user/blocks/${person}`)
      await must(world, status === 204 ? 'DELETE' : 'PUT', `/user/blocks/${person}`)
    },
  }
  const what = oneOf(random, Object.keys(ways))
  await ways[what]?.()
  return { what, also: [...before, `/${repository.owner}/${repository.name}`] }
}

/** Reads a page as a visitor does. */
const read = (url: string, path: string): Promise<unknown> => pageAt(url, path, {})

/** Reads the page as it is rendered for a visitor whose session has ended. */
const renderAnew = (url: string, path: string): Promise<unknown> =>
  openAnew(url, path, 'guildhall_session=ended')

const openAgain = (url: string, path: string, cookie: string): Promise<unknown> =>
  pageAt(url, path, { cookie })

// Pages for people who are signed in are kept compressed only.
const openAnew = (url: string, path: string, cookie: string): Promise<unknown> =>
  pageAt(url, path, { cookie, 'accept-encoding': 'identity' })

async function pageAt(url: string, path: string, headers: Record<string, string>) {
  const answer = await fetch(url + path, { headers, redirect: 'manual' })
  const text = await answer.text()
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status}`)
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    // What a person reads, without what depends on the time. The rest has nonces.
    text: text
      .replace(/<script.*?<\/script>/gs, '')
      // The last commits of files, and languages, can arrive after the page.
      .replace(/<table[^>]* aria-label="Files".*?<\/table>/gs, '')
      .replace(/<section[^>]* aria-labelledby="languages".*?<\/section>/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/just now|\d+ (?:minute|hour)s? ago/g, 'recently'),
  }
}
