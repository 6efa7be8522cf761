// @module-tag embedded
import { sql, type Transaction } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '@/db/tables'
import type { JobAccess } from '@/server/kernel/job-permissions'
import { Browser } from '@/testing/browser'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makeJobToken } from '@/testing/job-tokens'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let sha: string
let commits = 0

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'a.txt': 'a\n' })
})
beforeEach(async () => {
  sha = await code.commit({ 'a.txt': `${++commits}\n` })
})

type Body = Record<string, unknown>
const post = (body: Body, as: { token: string } = ada, name = sha) =>
  call(site, 'POST', `${code.path}/statuses/${name}`, { as, body })
const get = (rest: string, as: Person | undefined = ada) => call(site, 'GET', `${code.path}/${rest}`, { as })
const postAll = async (...statuses: [state: string, context: string][]) => {
  for (const [state, context] of statuses) await post({ state, context })
}

/** Reports a status of each of so many contexts. */
async function makeContexts(contexts: number): Promise<void> {
  await sql`insert into commit_statuses (repository_id, sha, number, context, state, source)
    select ${code.id}, ${sha}, number, 'context ' || number, 'success', 'token' from generate_series(1, ${contexts}::int) number`.execute(
    site.db,
  )
  const totals = { repository_id: code.id, sha, last_number: contexts, contexts }
  await site.db.insertInto('commit_status_totals').values(totals).execute()
}

/** Returns how many statements wait for a lock that the session of this transaction has. */
async function waitingStatements(trx: Transaction<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

describe('POST /repos/{owner}/{repo}/statuses/{sha}', () => {
  it('returns 201 and the status, numbered within the commit', async () => {
    await post({ state: 'pending', context: 'build' })
    const { status, body } = await post({
      state: 'success',
      context: ' build ',
      description: '12 tests passed',
      target_url: 'https://ci.example.test/1?a=b',
    })
    expect(status).toBe(201)
    const { config } = site.services
    expect(body).toMatchObject({
      id: 2,
      status: 'success',
      context: 'build',
      description: '12 tests passed',
      target_url: 'https://ci.example.test/1?a=b',
      url: `${config.baseUrl}/api/v1${code.path}/statuses/${sha}`,
      creator: { login: ada.name, email: expect.not.stringContaining(ada.account.email) },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: body.created_at,
    })
    const first = await post({ state: 'pending' }, ada, (await code.git('rev-parse', 'main~1')).trim())
    expect(first.body).toMatchObject({ id: 1, context: '', description: '', target_url: '' })
  })

  it.each(['pending', 'success', 'error', 'failure', 'warning', 'skipped'])(
    'returns 201 for the state %s',
    async state => {
      expect((await post({ state })).body.status).toBe(state)
    },
  )

  it.each<[string, Body]>([
    ['no state', { context: 'build' }],
    ['another state', { state: 'done' }],
    ['a state in upper case', { state: 'SUCCESS' }],
    ['a context of more than 255 characters', { state: 'success', context: 'x'.repeat(256) }],
    ['a context of several lines', { state: 'success', context: 'a\nb' }],
    ['a description of more than 1,024 characters', { state: 'success', description: 'x'.repeat(1025) }],
    ['a URL of a script', { state: 'success', target_url: 'javascript:alert(1)' }],
    ['a URL without a scheme', { state: 'success', target_url: '//ci.example.test/' }],
    [
      'a URL of more than 2,048 characters',
      { state: 'success', target_url: `https://x/${'x'.repeat(2040)}` },
    ],
  ])('returns 422 for %s', async (_, body) => {
    expect((await post(body)).status).toBe(422)
    expect((await get(`statuses/${sha}`)).body).toEqual([])
  })

  it('accepts a branch with slashes, a tag, and seven digits of a commit ID, and returns 404 for less and for what does not exist', async () => {
    await code.git('branch', '-f', 'feature/one', sha)
    await code.git('tag', '-f', 'v1', sha)
    const names = ['feature/one', 'feature%2Fone', 'v1', sha.slice(0, 7), sha.toUpperCase()]
    for (const name of names) expect((await post({ state: 'success' }, ada, name)).status).toBe(201)
    expect((await get(`statuses/${sha}`)).body).toHaveLength(names.length)
    const tree = (await code.git('rev-parse', `${sha}^{tree}`)).trim()
    for (const name of [sha.slice(0, 6), 'absent', 'f'.repeat(40), tree, 'main~1', '-x'])
      expect((await post({ state: 'success' }, ada, name)).status, name).toBe(404)
  })

  it('returns 201 in an archived repository', async () => {
    const other = await makeCode(site, ada, { 'a.txt': 'a\n' })
    await call(site, 'PATCH', other.path, { as: ada, body: { archived: true } })
    const answer = await call(site, 'POST', `${other.path}/statuses/main`, {
      as: ada,
      body: { state: 'success' },
    })
    expect(answer.status).toBe(201)
  })

  it('returns 401 for visitors, and 403 for readers, before it reads the body, and for tokens without write:repository', async () => {
    const reader = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['read:repository', 'write:issue'])
    const status = async (as?: { token: string }) =>
      (await call(site, 'POST', `${code.path}/statuses/${sha}`, { as, body: { state: 'done' } })).status
    expect([await status(), await status(reader), await status({ token })]).toEqual([401, 403, 403])
  })

  it('returns 422 for the 1,001st status of a context, and 201 for another context', async () => {
    await sql`insert into commit_statuses (repository_id, sha, number, context, state, source)
      select ${code.id}, ${sha}, number, 'build', 'pending', 'token' from generate_series(1, 999) number`.execute(
      site.db,
    )
    const totals = { repository_id: code.id, sha, last_number: 999, contexts: 1 }
    await site.db.insertInto('commit_status_totals').values(totals).execute()
    const tries = Array.from({ length: 4 }, () => post({ state: 'success', context: 'build' }))
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    expect((await post({ state: 'success', context: 'test' })).body.id).toBe(1001)
  })

  it('returns 422 for the 1,001st context of a commit, and 201 for one that it has', async () => {
    await makeContexts(1000)
    const others = ['lint', 'context 1'].map(context => post({ state: 'success', context }))
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([422, 201])
  })

  // The embedded database has one connection.
  it.skipIf(!process.env.GUILDHALL_TEST_DATABASE_URL)(
    'counts a context once toward this limit if several statuses are the first of it at the same time',
    async () => {
      await makeContexts(998)
      const row = { repository_id: code.id, sha, state: 'success', source: 'token' } as const
      const same = await site.db.transaction().execute(async trx => {
        // Writers of one commit wait for each other here.
        await trx
          .updateTable('commit_status_totals')
          .set({ last_number: 999, contexts: 999 })
          .where('sha', '=', sha)
          .execute()
        await trx
          .insertInto('commit_statuses')
          .values({ ...row, number: 999, context: 'build' })
          .execute()
        const waiting = post({ state: 'success', context: 'build' })
        await expect.poll(() => waitingStatements(trx)).toBe(1)
        return { waiting }
      })
      expect((await same.waiting).body.id).toBe(1000)
      const contexts = ['test', 'lint', 'build']
      const statuses = []
      for (const context of contexts) statuses.push((await post({ state: 'success', context })).status)
      expect(statuses).toEqual([201, 422, 201])
    },
  )

  it('numbers concurrent statuses without gaps', async () => {
    const contexts = Array.from({ length: 12 }, (_, index) => `context ${index % 4}`)
    const answers = await Promise.all(contexts.map(context => post({ state: 'success', context })))
    expect(answers.map(({ body }) => body.id).sort((a, b) => a - b)).toEqual(
      contexts.map((_, index) => index + 1),
    )
    expect((await get(`commits/${sha}/status`)).body.total_count).toBe(4)
  })
})

describe('the token of a job', () => {
  const statusFor = async (permissions: Record<string, JobAccess> | undefined, repository = code.id) => {
    const options = { actor: ada.account, ...(permissions && { permissions }) }
    const job = await makeJobToken(site, { id: repository }, options)
    return await call(site, 'POST', `${code.path}/statuses/${sha}`, { as: job, body: { state: 'success' } })
  }

  it('can report statuses with statuses: write or contents: write, as the person who caused the run', async () => {
    for (const scope of ['statuses', 'contents']) {
      const { status, body } = await statusFor({ [scope]: 'write' })
      expect([status, body.creator.login]).toEqual([201, ada.name])
    }
  })

  it('cannot report statuses by default, with statuses: read, or in another repository', async () => {
    const other = await makeCode(site, ada, { 'a.txt': 'a\n' })
    const answers = [
      await statusFor(undefined),
      await statusFor({ statuses: 'read' }),
      await statusFor({ statuses: 'write' }, other.id),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(answers[0]?.body.message).toContain('needs statuses: write')
  })

  it('cannot report statuses for a person who can only read', async () => {
    const reader = await makePerson(site)
    const job = await makeJobToken(site, code, { actor: reader.account, permissions: { statuses: 'write' } })
    expect(
      (await call(site, 'POST', `${code.path}/statuses/${sha}`, { as: job, body: { state: 'success' } }))
        .status,
    ).toBe(403)
  })
})

describe('the lists of statuses', () => {
  const ids = async (rest: string) => (await get(rest)).body.map(({ id }: { id: number }) => id)

  it.each(['statuses/{}', 'commits/{}/statuses'])(
    'GET %s returns 200 and pages, newest first',
    async path => {
      await postAll(['pending', 'a'], ['success', 'a'], ['success', 'b'])
      const of = (query: string) => path.replace('{}', sha) + query
      const { headers } = await get(of('?limit=2'))
      expect(headers.get('x-total-count')).toBe('3')
      expect(headers.get('link')).toContain('page=2')
      expect([await ids(of('?limit=2')), await ids(of('?limit=2&page=2')), await ids(of('?page=9'))]).toEqual(
        [[3, 2], [1], []],
      )
      expect(await ids(of('?sort=oldest'))).toEqual([1, 2, 3])
      expect(await ids(of('?sort=leastindex'))).toEqual([1, 2, 3])
      for (const sort of ['highestindex', 'recentupdate', 'other', ''])
        expect(await ids(of(`?sort=${sort}`))).toEqual([3, 2, 1])
      expect(await ids(of('?state=success'))).toEqual([3, 2])
      expect((await get(of('?state=success&limit=1'))).headers.get('x-total-count')).toBe('2')
      expect((await get(of('?state=done'))).status).toBe(422)
    },
  )

  it('return 200 for a branch, and 404 for an unknown commit and in an empty repository', async () => {
    await postAll(['success', 'a'])
    for (const path of ['statuses/main', 'commits/main/statuses', 'commits/main/status'])
      expect((await get(path)).status).toBe(200)
    for (const path of ['statuses/absent', 'commits/absent/statuses', `commits/${'0'.repeat(40)}/status`])
      expect((await get(path)).status).toBe(404)
    const { body } = await call(site, 'POST', '/user/repos', { as: ada, body: { name: 'empty' } })
    expect(
      (await call(site, 'GET', `/repos/${body.full_name}/commits/main/status`, { as: ada })).status,
    ).toBe(404)
  })

  it('are visible to everyone who can read the code', async () => {
    const hidden = await makeCode(site, ada, { 'a.txt': 'a\n' })
    await call(site, 'PATCH', hidden.path, { as: ada, body: { private: true } })
    for (const path of ['statuses/main', 'commits/main/statuses', 'commits/main/status']) {
      expect((await call(site, 'GET', `${code.path}/${path}`, {})).status).toBe(200)
      expect((await call(site, 'GET', `${hidden.path}/${path}`, {})).status).toBe(404)
    }
  })
})

describe('GET /repos/{owner}/{repo}/commits/{ref}/status', () => {
  const combined = async () => (await get(`commits/${sha}/status`)).body

  it('returns 200 and pending without statuses', async () => {
    const { body, headers } = await get(`commits/${sha}/status`)
    expect(body).toMatchObject({ state: 'pending', sha, total_count: 0, statuses: [] })
    expect(headers.get('x-total-count')).toBe('0')
  })

  it('returns 200 and the newest status of each context', async () => {
    await postAll(['pending', 'a'], ['failure', 'b'], ['success', 'a'], ['success', ''], ['success', 'A'])
    const { config } = site.services
    const api = `${config.baseUrl}/api/v1${code.path}`
    expect(await combined()).toMatchObject({
      state: 'failure',
      total_count: 4,
      statuses: [
        { id: 5, context: 'A' },
        { id: 4, context: '' },
        { id: 3, context: 'a', status: 'success' },
        { id: 2 },
      ],
      repository: { id: code.id },
      commit_url: `${api}/git/commits/${sha}`,
      url: `${api}/commits/${sha}/status`,
    })
    const { body, headers } = await get(`commits/${sha}/status?limit=3&page=2`)
    expect([body.state, body.total_count, body.statuses.length]).toEqual(['failure', 4, 1])
    expect(headers.get('x-total-count')).toBe('4')
  })

  it.each([
    [['success', 'skipped'], 'success'],
    [['success', 'pending'], 'pending'],
    [['pending', 'warning'], 'failure'],
    [['success', 'error'], 'failure'],
  ])('combines %j to %s', async (states, expected) => {
    await postAll(...states.map((state, index): [string, string] => [state, `context ${index}`]))
    expect((await combined()).state).toBe(expected)
  })
})

it('pages read the combined states of the commits that they list', async () => {
  const before = await code.git('rev-parse', 'main~1')
  await postAll(['success', 'a'], ['failure', 'b'], ['success', 'b'])
  const { data } = await new Browser(site).query('statuses.listStates', {
    owner: ada.name,
    repo: code.name,
    shas: [sha, before, 'f'.repeat(40)],
  })
  expect(data).toMatchObject({ [sha]: 'success' })
  expect(data).not.toHaveProperty('f'.repeat(40))
})
