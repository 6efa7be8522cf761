import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { addToTeam, attach, makeOrg, makeTeam } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { countQueries } from '@/testing/count-queries'
import { gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { pageCaller } from './page-caller'

const viewer = { cookie: '' }
vi.mock('next/headers', () => ({ headers: async () => new Headers(viewer) }))

const site = useSite()
const work = useWorkDirectory()

/** Replaces Git with a program that records each call before running Git. */
async function countGit(): Promise<() => Promise<string[]>> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-count-git-'))
  const [program, calls] = [join(directory, 'git'), join(directory, 'calls')]
  const { PATH } = process.env
  await writeFile(program, `#!/bin/sh\necho "$*" >>'${calls}'\nPATH='${PATH}' exec git "$@"\n`)
  await chmod(program, 0o755)
  process.env.PATH = `${directory}:${PATH}`
  onTestFinished(async () => {
    process.env.PATH = PATH
    await rm(directory, { recursive: true })
  })
  // Git maintenance of the pushed repository may run at some point.
  const ofPages = (call: string) => call !== '' && !/gc --auto|commit-graph/.test(call)
  return async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(ofPages)
}

async function makePushedTo() {
  const [owner, member] = [await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeGitRepository(site, org)
  const team = await makeTeam(site.db, org.id, { mode: 'none' }, { 'repo.code': 'write' })
  await addToTeam(site.db, team, member.account.id)
  await attach(site.db, team, repository.id)
  for (const person of [owner, member]) {
    const local = work.path()
    await startLocal(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), `HEAD:${person.name}`], { cwd: local })
  }
  return { member, path: { owner: org.name, repo: repository.name } }
}

/** Calls the procedures of the layouts and the home tab, once each, as React's cache does. */
async function openPage(path: { owner: string; repo: string }, cookie = '') {
  viewer.cookie = cookie
  const caller = await pageCaller()
  await caller.instance.getStatus()
  if (await caller.sessions.getCurrent()) await caller.orgs.listMemberships()
  return await caller.activity.getRepositoryHome(path)
}

it('the data of a repository’s home page needs at most eight queries and no Git process', async () => {
  const { member, path } = await makePushedTo()
  const { cookie } = await signIn(site, member)
  const [queries, gitCalls] = [countQueries(site), await countGit()]
  const home = await openPage(path, cookie)
  expect(home).toMatchObject({ branches: 2, tags: 0, may_push: true })
  expect(new Set(home.latest?.items.map(({ act_user }) => act_user.id)).size).toBe(2)
  expect(queries.all).toBeLessThanOrEqual(8)
  expect(await gitCalls()).toHaveLength(0)
})

it('the data of a repository’s home page needs at most five queries and no Git process for visitors who are not signed in', async () => {
  const { path } = await makePushedTo()
  const [queries, gitCalls] = [countQueries(site), await countGit()]
  expect((await openPage(path)).latest?.items.length).toBeGreaterThan(0)
  expect(queries.all).toBeLessThanOrEqual(5)
  expect(await gitCalls()).toHaveLength(0)
})
