// @module-tag embedded
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { workflowOn } from '@/testing/workflows'

const site = useSite()
let ada: Person
let code: CodeRepository

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { '.gitea/workflows/ci.yml': workflowOn('push', '"<CI> & more"') })
})

const badge = (rest = '', { file = 'ci.yml', ...init }: RequestInit & { file?: string } = {}) =>
  fetch(`${site.url}/${ada.name}/${code.name}/actions/workflows/${file}/badge.svg${rest}`, {
    redirect: 'manual',
    ...init,
  })
const stateIn = async (rest?: string) => /: ([a-z ]+)<\/title>/.exec(await (await badge(rest)).text())?.[1]

let runs = 0
const addRun = async (conclusion: RunConclusion | null, { ref = 'refs/heads/main', event = 'push' } = {}) => {
  const { owner_id } = await site.db
    .selectFrom('repositories')
    .select('owner_id')
    .where('id', '=', code.id)
    .executeTakeFirstOrThrow()
  await site.db
    .insertInto('workflow_runs')
    .values({
      repository_id: code.id,
      owner_id,
      number: ++runs,
      title: 'Run',
      workflow_path: '.gitea/workflows/ci.yml',
      workflow_name: 'CI',
      document: '',
      event,
      ref,
      sha: '',
      actor_id: null,
      status: conclusion ? 'completed' : 'in_progress',
      conclusion,
      started_at: null,
      completed_at: conclusion ? new Date() : null,
      trigger_event_id: null,
      cancelled_at: null,
      concurrency: null,
    })
    .execute()
}

describe('GET /{owner}/{repo}/actions/workflows/{file}/badge.svg', () => {
  it('shows the last outcome of the workflow on the default branch, whatever runs now', async () => {
    expect(await stateIn()).toBe('no status')
    await addRun('failure')
    expect(await stateIn()).toBe('failing')
    await addRun('success')
    for (const conclusion of ['cancelled', 'skipped', null] as const) await addRun(conclusion)
    expect(await stateIn()).toBe('passing')
  })

  it('shows the outcome on another branch, and of an event', async () => {
    await addRun('failure', { ref: 'refs/heads/a/b' })
    await addRun('failure', { event: 'schedule' })
    await addRun('success')
    expect(await stateIn('?branch=a/b')).toBe('failing')
    expect(await stateIn('?event=schedule')).toBe('failing')
    expect(await stateIn('?branch=main&event=push')).toBe('passing')
    expect(await stateIn('?branch=none')).toBe('no status')
  })

  it('is an image that browsers may embed and not run, and has an ETag', async () => {
    const { status, headers } = await badge()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    const again = await badge('', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await badge('', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('contains the name of the workflow as text', async () => {
    expect(await (await badge()).text()).toContain('&lt;CI&gt; &amp; more')
  })

  it('returns the same 404 without the workflow, without the repository, and for whoever cannot see it', async () => {
    const absent = await badge('', { file: 'none.yml' })
    const expected = [404, await absent.text()]
    const none = await fetch(`${site.url}/${ada.name}/none/actions/workflows/ci.yml/badge.svg`)
    expect([none.status, await none.text()]).toEqual(expected)
    await call(site, 'PATCH', code.path, { as: ada, body: { private: true } })
    const hidden = await badge()
    expect([hidden.status, await hidden.text()]).toEqual(expected)
    const own = await badge('', { headers: { authorization: `token ${ada.token}` } })
    expect([own.status, own.headers.get('cache-control')]).toEqual([
      200,
      'private, max-age=0, must-revalidate',
    ])
    await call(site, 'PATCH', code.path, { as: ada, body: { private: false } })
  })

  it('redirects after a rename of the repository', async () => {
    const former = code.name
    await call(site, 'PATCH', code.path, { as: ada, body: { name: `${former}-new` } })
    const { status, headers } = await badge('?branch=main')
    expect([status, headers.get('location')]).toEqual([
      301,
      `/${ada.name}/${former}-new/actions/workflows/ci.yml/badge.svg?branch=main`,
    ])
  })
})
