import { describe, expect, it } from 'vitest'
import type { JobAccess } from '@/server/kernel/job-permissions'
import { call } from '@/testing/call'
import { makeJobToken } from '@/testing/job-tokens'
import { type Expectation, expectations } from '@/testing/role-expectations'
import { makeWorld, roles, type World } from '@/testing/role-world'
import { mount, useSite } from '@/testing/site'

const jobs: Record<string, Record<string, JobAccess> | undefined> = {
  'default job': undefined,
  'job with contents: write': { contents: 'write' },
  'job with actions: write': { actions: 'write' },
  'job with {}': {},
}
const titles = Object.keys(jobs)

const repo = '/repos/{owner}/{repo}'

/** Endpoints that need a permission: `read` for GET, and `write` otherwise. */
const reached: Record<'contents' | 'actions', string[]> = {
  contents: [
    `GET ${repo}/branches`,
    `GET ${repo}/branches/{branch}`,
    `POST ${repo}/branches`,
    `PATCH ${repo}/branches/{branch}`,
    `PUT ${repo}/branches/{branch}`,
    `DELETE ${repo}/branches/{branch}`,
    `POST ${repo}/tags`,
    `GET ${repo}/tags`,
    `GET ${repo}/tags/{tag}`,
    `DELETE ${repo}/tags/{tag}`,
    `GET ${repo}/archive/{archive}`,
    `GET ${repo}/tarball/{ref}`,
    `GET ${repo}/zipball/{ref}`,
    `GET ${repo}/bundle/{ref}`,
    `GET ${repo}/contents`,
    `GET ${repo}/contents/{path}`,
    `POST ${repo}/contents`,
    `POST ${repo}/contents/{path}`,
    `PUT ${repo}/contents/{path}`,
    `DELETE ${repo}/contents/{path}`,
    `GET ${repo}/raw/{path}`,
    `GET ${repo}/media/{path}`,
    `GET ${repo}/git/trees/{sha}`,
    `GET ${repo}/git/blobs/{sha}`,
    `GET ${repo}/git/tags/{sha}`,
    `GET ${repo}/git/refs`,
    `GET ${repo}/git/refs/{ref}`,
    `GET ${repo}/git/commits/{sha}`,
    `GET ${repo}/git/commits/{sha}.{diffType}`,
    `GET ${repo}/commits`,
    `GET ${repo}/commits/{sha}/pull`,
    `GET ${repo}/commits/{ref}/status`,
    `GET ${repo}/commits/{ref}/statuses`,
    `GET ${repo}/statuses/{sha}`,
    `POST ${repo}/statuses/{sha}`,
    `GET ${repo}/compare/{basehead}`,
    `GET ${repo}/licenses`,
    `GET ${repo}/languages`,
    `GET ${repo}/releases`,
    `POST ${repo}/dispatches`,
    `POST ${repo}/releases`,
    `GET ${repo}/releases/latest`,
    `GET ${repo}/releases/tags/{tag}`,
    `DELETE ${repo}/releases/tags/{tag}`,
    `GET ${repo}/releases/{id}`,
    `PATCH ${repo}/releases/{id}`,
    `DELETE ${repo}/releases/{id}`,
    `GET ${repo}/releases/{id}/assets`,
    `POST ${repo}/releases/{id}/assets`,
    `GET ${repo}/releases/{id}/assets/{attachment_id}`,
    `PATCH ${repo}/releases/{id}/assets/{attachment_id}`,
    `DELETE ${repo}/releases/{id}/assets/{attachment_id}`,
  ],
  actions: [
    `GET ${repo}/actions/jobs`,
    `GET ${repo}/actions/workflows`,
    `GET ${repo}/actions/workflows/{workflow_id}`,
    `GET ${repo}/actions/workflows/{workflow_id}/runs`,
    `GET ${repo}/actions/tasks`,
    `PUT ${repo}/actions/workflows/{workflow_id}/enable`,
    `PUT ${repo}/actions/workflows/{workflow_id}/disable`,
    `POST ${repo}/actions/workflows/{workflow_id}/dispatches`,
    `GET ${repo}/actions/runs`,
    `GET ${repo}/actions/runs/{run}`,
    `DELETE ${repo}/actions/runs/{run}`,
    `GET ${repo}/actions/runs/{run}/jobs`,
    `GET ${repo}/actions/runs/{run}/artifacts`,
    `GET ${repo}/actions/runs/{run}/attempts/{attempt}`,
    `GET ${repo}/actions/runs/{run}/attempts/{attempt}/jobs`,
    `POST ${repo}/actions/runs/{run}/cancel`,
    `POST ${repo}/actions/runs/{run}/rerun`,
    `POST ${repo}/actions/runs/{run}/rerun-failed-jobs`,
    `POST ${repo}/actions/runs/{run}/jobs/{job_id}/rerun`,
    `GET ${repo}/actions/jobs/{job_id}`,
    `GET ${repo}/actions/jobs/{job_id}/logs`,
    `GET ${repo}/actions/jobs/{job_id}/waiting`,
    `GET ${repo}/actions/artifacts`,
    `GET ${repo}/actions/artifacts/{artifact_id}`,
    `GET ${repo}/actions/artifacts/{artifact_id}/zip`,
    `DELETE ${repo}/actions/artifacts/{artifact_id}`,
  ],
}

// What a job can see of its private repository under any permissions.
const always = [
  `GET ${repo}`,
  'GET /repositories/{id}',
  `GET ${repo}/activities/feeds`,
  `GET ${repo}/topics`,
  `GET ${repo}/labels`,
  `GET ${repo}/labels/{id}`,
  `GET ${repo}/pulls`,
]

const held: Record<string, Record<string, JobAccess>> = {
  ...jobs,
  'default job': { contents: 'read', actions: 'read' },
}

describe.skipIf(mount === 'next')('the token of a job', () => {
  const site = useSite()
  // Recreated after requests that change something.
  let world: World | undefined
  let tokens: Record<string, { token: string }> = {}
  const forget = () => {
    world = undefined
    tokens = {}
  }

  it('reaches endpoints that exist', () => {
    const all = [...reached.contents, ...reached.actions, ...always]
    expect(all.filter(endpoint => !(endpoint in expectations))).toEqual([])
  })

  it.each(Object.entries(expectations))(
    'is answered by %s as its permissions say',
    async (endpoint, expectation) => {
      const answered: Record<string, number | string> = {}
      for (const title of titles) {
        world ??= await makeWorld(site)
        tokens[title] ??= await tokenOf(world, jobs[title])
        const status = await statusFor(tokens[title], endpoint, expectation, world)
        const wanted = expected(endpoint, expectation, title)
        answered[title] = wanted === refused && [401, 403, 404].includes(status) ? refused : status
        if (status < 400 && !endpoint.startsWith('GET')) forget()
      }
      expect(answered).toEqual(
        Object.fromEntries(titles.map(title => [title, expected(endpoint, expectation, title)])),
      )
    },
  )

  const tokenOf = ({ people, values }: World, permissions: Record<string, JobAccess> | undefined) =>
    makeJobToken(
      site,
      { id: Number(values['/repositories/{id}']) },
      { actor: people['team member'].account, ...(permissions && { permissions }) },
    )

  async function statusFor(
    as: { token: string },
    endpoint: string,
    { query = '', body, values }: Expectation,
    at: World,
  ): Promise<number> {
    const [method = '', template = ''] = endpoint.split(' ')
    const known = { ...at.values, ...values?.(at) }
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(
        known[name] ?? known[Object.keys(known).find(key => name === 'id' && template.startsWith(key)) ?? ''],
      ),
    )
    return (await call(site, method, path + query, { as, ...(body ? { body: body(at) } : {}) })).status
  }
})

// Signing in as a user (401), another permission (403), or an object that the token cannot see (404).
const refused = '401, 403 or 404'

/** The status for a job: that of a member of a team that can write, that of a visitor, or a refusal. */
function expected(endpoint: string, { statuses }: Expectation, title: string) {
  const [visitor, ofMember] = [statuses.split(' ')[0], statuses.split(' ')[roles.indexOf('team member')]].map(
    Number,
  )
  const isRead = endpoint.startsWith('GET')
  for (const scope of ['contents', 'actions'] as const) {
    if (!reached[scope].includes(endpoint)) continue
    const access = held[title]?.[scope]
    return access === 'write' || (isRead && access === 'read') ? ofMember : 403
  }
  if (always.includes(endpoint)) return 200
  if (!isRead) return 403
  return visitor !== undefined && visitor < 300 ? visitor : refused
}
