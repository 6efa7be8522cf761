import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestRun, type TestRun } from '@/testing/actions'
import { makeArtifact } from '@/testing/artifacts'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
afterEach(() => site.now.set(undefined))

const namesOf = (answer: { body: { artifacts: { name: string }[] } }) =>
  answer.body.artifacts.map(({ name }) => name)

async function makeMany(run: TestRun, count: number): Promise<void> {
  const made = await makeArtifact(site, run, { name: '0' })
  const { id: _, ...copied } = made
  const rows = Array.from({ length: count - 1 }, (__, index) => ({
    ...copied,
    name: String(index + 1),
    storage_key: createHash('md5').update(`${made.id} ${index}`).digest('hex'),
  }))
  await site.db.insertInto('artifacts').values(rows).execute()
}

describe('an artifact', () => {
  it('has the fields that GitHub and Gitea clients expect, and its digest', async () => {
    const run = await createTestRun(site)
    const artifact = await makeArtifact(site, run, {
      name: 'dist',
      bytes: 'hello',
      contentType: 'text/plain',
    })
    const url = `${site.url}/api/v1${run.path}/actions/artifacts/${artifact.id}`
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const shown = {
      id: artifact.id,
      name: 'dist',
      size_in_bytes: 5,
      url,
      archive_download_url: `${url}/zip`,
      expired: false,
      workflow_run: { id: run.run.id, repository_id: run.repository.id, head_sha: run.run.sha },
      created_at: time,
      updated_at: time,
      expires_at: time,
      digest: `sha256:${createHash('sha256').update('hello').digest('hex')}`,
      content_type: 'text/plain',
    }
    expect((await call(site, 'GET', `${run.path}/actions/artifacts/${artifact.id}`)).body).toEqual(shown)
    for (const path of ['/actions/artifacts', `/actions/runs/${run.run.id}/artifacts`])
      expect((await call(site, 'GET', run.path + path)).body).toEqual({ artifacts: [shown], total_count: 1 })
  })

  it('is expired from the exact second of expires_at, even before the cleanup runs', async () => {
    const run = await createTestRun(site)
    const { id, expires_at } = await makeArtifact(site, run)
    const expired = async () => (await call(site, 'GET', `${run.path}/actions/artifacts/${id}`)).body.expired
    expect(await expired()).toBe(false)
    site.now.set(expires_at)
    expect(await expired()).toBe(true)
  })

  it('returns 404 during its upload, from another repository, and for an invalid ID', async () => {
    const run = await createTestRun(site)
    const pending = await makeArtifact(site, run, { status: 'pending' })
    const other = await makeArtifact(site, await createTestRun(site))
    for (const id of [pending.id, other.id, 99_999_999, 'x', '-1'])
      for (const method of ['GET', 'DELETE'])
        expect(
          (await call(site, method, `${run.path}/actions/artifacts/${id}`, { as: run.ada })).status,
        ).toBe(404)
  })
})

describe('the list of artifacts', () => {
  it('is sorted by ID and includes expired artifacts and all attempts, but not unfinished uploads', async () => {
    const run = await createTestRun(site)
    const alongside = await createTestRun(site, { alongside: run })
    await makeArtifact(site, run, { name: 'b' })
    await makeArtifact(site, alongside, { name: 'c' })
    await makeArtifact(site, run, { name: 'a', status: 'expired' })
    await makeArtifact(site, run, { name: 'pending', status: 'pending' })
    await makeArtifact(site, { ...run, run: { ...run.run, attempt: 2 } }, { name: 'b' })
    const all = await call(site, 'GET', `${run.path}/actions/artifacts`)
    expect([namesOf(all), all.body.total_count]).toEqual([['b', 'c', 'a', 'b'], 4])
    const own = await call(site, 'GET', `${run.path}/actions/runs/${run.run.id}/artifacts`)
    expect([namesOf(own), own.body.total_count]).toEqual([['b', 'a', 'b'], 3])
    expect(own.headers.get('link')).toBeNull()
  })

  it('can be filtered by exact name, and counts only the matches', async () => {
    const run = await createTestRun(site)
    for (const name of ['dist', 'Dist', 'dist 2', 'ü 中']) await makeArtifact(site, run, { name })
    for (const path of ['/actions/artifacts', `/actions/runs/${run.run.id}/artifacts`]) {
      for (const [name, found] of [
        ['dist', ['dist']],
        ['ü 中', ['ü 中']],
        ['dis', []],
        ['', ['dist', 'Dist', 'dist 2', 'ü 中']],
      ] as const) {
        const answer = await call(site, 'GET', `${run.path}${path}?name=${encodeURIComponent(name)}`)
        expect([namesOf(answer), answer.body.total_count], name).toEqual([found, found.length])
      }
    }
  })

  it('is paginated by per_page or limit, up to 100, with the total count', async () => {
    const run = await createTestRun(site)
    await makeMany(run, 130)
    const page = async (query: string) => {
      const answer = await call(site, 'GET', `${run.path}/actions/runs/${run.run.id}/artifacts?${query}`)
      const names = namesOf(answer)
      return [names.length, names[0], answer.body.total_count]
    }
    expect(await page('')).toEqual([30, '0', 130])
    expect(await page('per_page=100')).toEqual([100, '0', 130])
    expect(await page('per_page=100&page=2')).toEqual([30, '100', 130])
    expect(await page('per_page=100&page=3')).toEqual([0, undefined, 130])
    expect(await page('limit=7&page=3')).toEqual([7, '14', 130])
    expect(await page('limit=5000')).toEqual([100, '0', 130])
    expect(await page('limit=0&per_page=x&page=-1')).toEqual([30, '0', 130])
  })

  it('returns 404 for a run that does not exist or belongs to another repository', async () => {
    const [run, other] = [await createTestRun(site), await createTestRun(site)]
    for (const id of [other.run.id, 99_999_999, 'x'])
      expect((await call(site, 'GET', `${run.path}/actions/runs/${id}/artifacts`)).status).toBe(404)
  })
})

describe('deleting an artifact', () => {
  it('returns 204, removes it immediately, frees its name, and queues its object for deletion', async () => {
    const run = await createTestRun(site)
    const { id, storage_key } = await makeArtifact(site, run, { name: 'dist' })
    const path = `${run.path}/actions/artifacts/${id}`
    const answer = await call(site, 'DELETE', path, { as: run.ada })
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/zip`],
      ['DELETE', path],
    ] as const)
      expect((await call(site, method, at, { as: run.ada })).status).toBe(404)
    expect((await call(site, 'GET', `${run.path}/actions/artifacts`)).body).toEqual({
      artifacts: [],
      total_count: 0,
    })
    const left = await site.db
      .selectFrom('unused_objects')
      .select('storage_key')
      .where('storage_key', '=', storage_key)
      .execute()
    expect(left).toHaveLength(1)
    await makeArtifact(site, run, { name: 'dist' })
  })

  it('returns 204 for an expired artifact and removes it from the list', async () => {
    const run = await createTestRun(site)
    const { id } = await makeArtifact(site, run, { status: 'expired' })
    expect((await call(site, 'DELETE', `${run.path}/actions/artifacts/${id}`, { as: run.ada })).status).toBe(
      204,
    )
    expect((await call(site, 'GET', `${run.path}/actions/artifacts`)).body.total_count).toBe(0)
  })

  it('returns 403 in an archived repository', async () => {
    const run = await createTestRun(site)
    const { id } = await makeArtifact(site, run)
    await call(site, 'PATCH', run.path, { as: run.ada, body: { archived: true } })
    const answer = await call(site, 'DELETE', `${run.path}/actions/artifacts/${id}`, { as: run.ada })
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('is archived')])
  })

  it('returns 403 with a read-only token', async () => {
    const run = await createTestRun(site)
    const { id } = await makeArtifact(site, run)
    const token = await makeToken(site, run.ada.account.id, ['read:repository'])
    const answer = await call(site, 'DELETE', `${run.path}/actions/artifacts/${id}`, { as: { token } })
    expect(answer.status).toBe(403)
  })
})

describe('downloading an artifact', () => {
  const pathOf = (run: TestRun, { id }: { id: number }) => `${run.path}/actions/artifacts/${id}/zip`

  it('redirects with 302 to an absolute URL that needs no token, without a content type', async () => {
    const run = await createTestRun(site, { isPrivate: true })
    const artifact = await makeArtifact(site, run, { bytes: 'PK', name: 'dist' })
    const answer = await call(site, 'GET', pathOf(run, artifact), { as: run.ada })
    const location = answer.headers.get('location') ?? ''
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([302, '', null])
    expect(location).toMatch(
      new RegExp(`^${site.url}/api/v1${run.path}/actions/artifacts/\\d+/zip/raw\\?sig=[\\w-]+&expires=\\d+$`),
    )
    const file = await fetch(location)
    expect([file.status, await file.text(), file.headers.get('content-type')]).toEqual([
      200,
      'PK',
      'application/zip',
    ])
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="dist.zip"; filename*=UTF-8''dist.zip`,
    )
  })

  it('returns 404 for its signed URL below another repository', async () => {
    const [run, other] = [await createTestRun(site, { isPrivate: true }), await createTestRun(site)]
    const artifact = await makeArtifact(site, run, { bytes: 'PK' })
    const { headers } = await call(site, 'GET', pathOf(run, artifact), { as: run.ada })
    const location = headers.get('location') ?? ''
    const own = run.path.replace('/repos/', '')
    for (const path of [
      other.path.replace('/repos/', ''),
      'no/where',
      '%ff/x',
      `${own.split('/')[0]}/none`,
    ]) {
      const moved = await fetch(location.replace(own, path))
      expect([moved.status, (await moved.json()).message]).toEqual([404, 'not found'])
    }
    expect((await fetch(location.replace(own, own.toUpperCase()))).status).toBe(200)
  })

  it('redirects with 302 without credentials in public repositories, with a token in the query, and for HEAD', async () => {
    const run = await createTestRun(site)
    const artifact = await makeArtifact(site, run)
    const at = pathOf(run, artifact)
    expect((await call(site, 'GET', at)).status).toBe(302)
    expect((await call(site, 'GET', `${at}/`)).status).toBe(302)
    expect((await call(site, 'HEAD', at)).status).toBe(302)
    const answer = await call(site, 'GET', `${at}?token=${run.ada.token}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.not.stringContaining('token='),
    ])
  })

  it('redirects with 302 to the host that the client used, or to the configured artifact host', async () => {
    const run = await createTestRun(site)
    const at = pathOf(run, await makeArtifact(site, run))
    const { config } = site.services
    config.artifactBaseUrl = 'https://artifacts.example.test'
    try {
      expect((await call(site, 'GET', at)).headers.get('location')).toMatch(
        /^https:\/\/artifacts\.example\.test\/api\/v1\/repos\//,
      )
    } finally {
      config.artifactBaseUrl = undefined
    }
  })

  it('redirects with 302 to a signed URL of the storage if direct downloads are configured', async () => {
    const run = await createTestRun(site)
    const at = pathOf(run, await makeArtifact(site, run))
    const { services } = site
    const { storage } = services
    services.config.serveDirect = true
    services.storage = { ...storage, signedUrl: async () => 'https://bucket.test/x?sig=y' }
    try {
      expect((await call(site, 'GET', at)).headers.get('location')).toBe('https://bucket.test/x?sig=y')
    } finally {
      Object.assign(services, { storage })
      services.config.serveDirect = false
    }
  })

  it('returns 401 for an invalid signature or an expired link', async () => {
    const run = await createTestRun(site)
    const artifact = await makeArtifact(site, run)
    const other = await makeArtifact(site, run)
    const location = (await call(site, 'GET', pathOf(run, artifact))).headers.get('location') ?? ''
    const failure = async (url: string) => {
      const answer = await fetch(url)
      const body = (await answer.json()) as { message: string }
      return [answer.status, body.message]
    }
    for (const url of [
      location.replace(/sig=(.)/, (_, first) => (first === '_' ? 'sig=-' : 'sig=_')),
      location.replace(/&expires=./, '&expires=9'),
      location.replace(/\?.*/, ''),
      location.replace(`/${artifact.id}/`, `/${other.id}/`),
      location.replace(`/${artifact.id}/`, '/99999999/'),
    ])
      expect(await failure(url), url).toEqual([401, 'Error unauthorized'])
    site.now.set(new Date(Date.now() + 3_700_000))
    expect(await failure(location)).toEqual([401, 'Error link expired'])
  })

  it('returns 404 for an expired artifact, also through a link created earlier', async () => {
    const run = await createTestRun(site)
    const artifact = await makeArtifact(site, run, { expiresAt: new Date(Date.now() + 600_000) })
    const location = (await call(site, 'GET', pathOf(run, artifact))).headers.get('location') ?? ''
    site.now.set(artifact.expires_at)
    const answer = await call(site, 'GET', pathOf(run, artifact))
    expect([answer.status, answer.body.message]).toEqual([404, 'Artifact has expired'])
    expect((await fetch(location)).status).toBe(404)
  })

  it('returns 404 if the repository is not visible, 403 for a token without the scope, and 401 for an invalid token', async () => {
    const run = await createTestRun(site, { isPrivate: true })
    const at = pathOf(run, await makeArtifact(site, run))
    const stranger = await makePerson(site)
    const token = await makeToken(site, run.ada.account.id, ['read:user'])
    expect((await call(site, 'GET', at)).status).toBe(404)
    expect((await call(site, 'GET', at, { as: stranger })).status).toBe(404)
    expect((await call(site, 'GET', at, { as: { token } })).status).toBe(403)
    expect((await call(site, 'GET', at, { as: { token: 'wrong' } })).status).toBe(401)
  })

  it('redirects to the API path under the new name after the repository is renamed', async () => {
    const run = await createTestRun(site)
    const at = pathOf(run, await makeArtifact(site, run))
    const name = `${run.repository.name}-new`
    await call(site, 'PATCH', run.path, { as: run.ada, body: { name } })
    const answer = await call(site, 'GET', at)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      301,
      `/api/v1${at.replace(`/${run.repository.name}/`, `/${name}/`)}`,
    ])
  })

  it('returns 405 for other methods', async () => {
    const run = await createTestRun(site)
    const at = pathOf(run, await makeArtifact(site, run))
    expect((await call(site, 'POST', at, { as: run.ada })).status).toBe(405)
  })
})
