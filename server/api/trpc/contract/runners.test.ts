import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import type { ScopeName } from '@/server/scopes/schema'
import { type Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { createFakeRunner } from '@/testing/fake-runner'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeScopes() {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, org.id)
  const ofOrg: ScopeName = { kind: 'organization', org: org.name }
  const ofRepository: ScopeName = { kind: 'repository', owner: org.name, repo: repository.name }
  const browser = await signIn(site, owner)
  const queue = (labels: string) =>
    call(site, 'POST', `/repos/${org.name}/${repository.name}/actions/runs`, {
      as: owner,
      body: { workflow: `on: push\njobs: { build: { runs-on: ${labels}, steps: [{ run: make }] } }` },
    })
  const connect = async (scope: ScopeName, name: string, labels: string[]) => {
    const { data } = await browser.query('runners.manage.setUp', { scope })
    const runner = createFakeRunner(site)
    const { id } = await runner.register({ name, token: data.token, labels })
    await runner.declare(labels)
    return { id: Number(id), runner, since: data.last_id }
  }
  return { ofOrg, ofRepository, browser, queue, connect }
}

describe('runners.manage.browseDemand', () => {
  const goOnline = (id: number) =>
    site.db.updateTable('runners').set({ last_online_at: new Date() }).where('id', '=', id).execute()
  const demandFor = async (browser: Browser, scope: ScopeName) =>
    (await browser.query('runners.manage.browseDemand', { scope })).data

  it('returns whether runners of the repository, its owner, or the site could run each waiting job now', async () => {
    const { ofOrg, ofRepository, browser, queue, connect } = await makeScopes()
    const label = `gpu-${Math.random()}`
    await queue(label)
    const demand = () => demandFor(browser, ofRepository)
    expect(await demand()).toMatchObject([{ labels: [label], count: 1, served: false }])
    const { id } = await connect(ofOrg, 'press', [label, 'more'])
    await goOnline(id)
    expect(await demand()).toMatchObject([{ labels: [label], served: true }])
    await browser.mutate('runners.manage.pause', { scope: ofOrg, id, note: '' })
    expect(await demand()).toMatchObject([{ labels: [label], served: false }])
  })

  it('marks an organization’s job as served if a runner of its repository can run it', async () => {
    const { ofOrg, ofRepository, browser, queue, connect } = await makeScopes()
    const { id } = await connect(ofRepository, 'press', ['linux'])
    await goOnline(id)
    await queue('linux')
    expect(await demandFor(browser, ofOrg)).toMatchObject([{ labels: ['linux'], count: 1, served: true }])
  })

  it('marks a job as not served for an administrator if only runners of others have its labels', async () => {
    const [here, elsewhere] = [await makeScopes(), await makeScopes()]
    const label = `gpu-${Math.random()}`
    const { id } = await elsewhere.connect(elsewhere.ofOrg, 'theirs', [label])
    await goOnline(id)
    const admin = await signIn(site, await makePerson(site, { is_admin: true }))
    const demand = async () => {
      // Queued before all other waiting jobs, because the list is short.
      const jobs = site.db.updateTable('workflow_jobs').set({ queued_at: new Date(0) })
      await jobs.where(sql<boolean>`labels ->> 0 = ${label}`).execute()
      return await demandFor(admin, { kind: 'site' })
    }
    await elsewhere.queue(label)
    expect(await demand()).toContainEqual(
      expect.objectContaining({ labels: [label], count: 1, served: true }),
    )
    await here.queue(label)
    expect(await demand()).toContainEqual(
      expect.objectContaining({ labels: [label], count: 2, served: false }),
    )
  })
})

describe('runners.manage.listRegisteredSince', () => {
  it('returns only runners registered there after the page was opened', async () => {
    const { ofOrg, ofRepository, browser, connect } = await makeScopes()
    const first = await connect(ofOrg, 'first', [])
    const second = await connect(ofOrg, 'second', [])
    await connect(ofRepository, 'elsewhere', [])
    const since = async (last_id: number) => {
      const { data } = await browser.query('runners.manage.listRegisteredSince', { scope: ofOrg, last_id })
      return data.map(({ name }: { name: string }) => name)
    }
    expect(await since(first.since)).toEqual(['first', 'second'])
    expect(await since(second.since)).toEqual(['second'])
  })
})

describe('runners.manage.previewRemoval', () => {
  it('returns how many jobs the removal would fail, and how many would have no other runner', async () => {
    const { ofOrg, ofRepository, browser, queue, connect } = await makeScopes()
    const { id, runner } = await connect(ofOrg, 'press', ['a', 'b'])
    await connect(ofRepository, 'other', ['b'])
    await queue('a')
    await runner.fetchTask()
    for (const labels of ['a', 'b', '[a, b]', 'c']) await queue(labels)
    const preview = await browser.query('runners.manage.previewRemoval', { scope: ofOrg, id })
    expect(preview.data).toEqual({ running: 1, stranded: 2 })
  })
})
