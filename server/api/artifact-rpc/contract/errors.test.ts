import { request } from 'node:http'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestRun, endTestJob, type TestJob, type TestRun } from '@/testing/actions'
import { idsOf, methodPath, type RpcAnswer, rawRpc, rpc } from '@/testing/artifact-rpc'
import { keptLog } from '@/testing/kept-log'
import { openSite, useSite } from '@/testing/site'

const kept = keptLog()
const site = useSite({}, kept.log)
let run: TestRun
let job: TestJob

beforeAll(async () => {
  run = await createTestRun(site)
  job = run.jobs[0]
})

const methods = [
  'CreateArtifact',
  'FinalizeArtifact',
  'ListArtifacts',
  'GetSignedArtifactURL',
  'DeleteArtifact',
]
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function expectError(answer: RpcAnswer, status: number, code: string, msg?: RegExp): void {
  expect(answer.body).toEqual({ code, msg: msg ? expect.stringMatching(msg) : expect.any(String) })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
}

describe('the artifact service responds with JSON that the stock client does not retry', () => {
  it('for a path without a method', async () => {
    const paths = [
      '/twirp',
      '/twirp/',
      '/twirp/github.actions.results.api.v1.ArtifactService',
      '/twirp/github.actions.results.api.v1.CacheService/CreateCacheEntry',
      methodPath('createArtifact'),
      methodPath('MigrateArtifact'),
      methodPath('CreateArtifact/'),
      methodPath('constructor'),
    ]
    for (const path of paths)
      expectError(await rawRpc(site, path, { body: '{}' }), 404, 'bad_route', /no method/)
  })

  it('for HTTP methods other than POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expectError(await rawRpc(site, methodPath('CreateArtifact'), { method }), 404, 'bad_route', /POST/)
  })

  it('for other content types', async () => {
    for (const type of ['text/plain', 'application/x-protobuf']) {
      const headers = { ...bearer(job.token), 'content-type': type }
      const answer = await rawRpc(site, methodPath('CreateArtifact'), { headers, body: '{}' })
      expectError(answer, 404, 'bad_route', /application\/json or application\/protobuf/)
    }
  })

  it('for clients of version 3, with a hint', async () => {
    const path = '/api/actions_pipeline/_apis/pipelines/workflows/1/artifacts'
    for (const method of ['GET', 'POST', 'PUT'])
      expectError(await rawRpc(site, path, { method }), 404, 'bad_route', /require version 4 or later/)
  })

  it('for a missing, wrong or expired token, and for the token of a job that has ended', async () => {
    const over = await createTestRun(site)
    await endTestJob(site, over, over.jobs[0])
    const tokens = [
      ['Bearer x.y.z', /not a job token/],
      [`Bearer ${job.token.slice(0, -2)}`, /not a job token/],
      [`Bearer ${over.jobs[0].token}`, /has ended/],
    ] as const
    for (const method of methods) {
      expectError(await rawRpc(site, methodPath(method), { body: '{}' }), 401, 'unauthenticated', /required/)
      for (const [authorization, msg] of tokens) {
        const headers = { authorization }
        const answer = await rawRpc(site, methodPath(method), { headers, body: '{}' })
        expectError(answer, 401, 'unauthenticated', msg)
      }
    }
    site.now.set(new Date(Date.now() + 5 * 3_600_000))
    try {
      expectError(await rpc(site, job, 'ListArtifacts'), 401, 'unauthenticated', /expired/)
    } finally {
      site.now.set(undefined)
    }
  })

  it('for another run, even in the same repository, and for another job', async () => {
    const other = await createTestRun(site, { alongside: run })
    for (const method of methods) {
      const otherRun = { ...idsOf(job), name: 'a', workflow_run_backend_id: String(other.run.id) }
      expectError(await rpc(site, job, method, otherRun), 403, 'permission_denied', /another workflow run/)
      const otherJob = { name: 'a', workflow_job_run_backend_id: String(other.jobs[0].job.id) }
      expectError(await rpc(site, job, method, otherJob), 403, 'permission_denied', /another job/)
      for (const id of ['', '0', `${job.job.run_id} `, `0${job.job.run_id}`]) {
        const answer = await rpc(site, job, method, { name: 'a', workflow_run_backend_id: id })
        expectError(answer, 403, 'permission_denied')
      }
    }
  })

  it('for an unknown artifact, whatever its name', async () => {
    for (const method of ['FinalizeArtifact', 'GetSignedArtifactURL', 'DeleteArtifact']) {
      for (const name of ['none', '', 'a/b', '\0', 'x'.repeat(10_000)])
        expectError(await rpc(site, job, method, { name }), 404, 'not_found')
    }
  })

  it('for a size or hash that does not match the upload, and for an artifact that already exists', async () => {
    const { body } = await rpc(site, job, 'CreateArtifact', { name: 'wrong' })
    const finalize = (fields: object) => rpc(site, job, 'FinalizeArtifact', { name: 'wrong', ...fields })
    expectError(await finalize({}), 412, 'failed_precondition')
    await put(body.signed_upload_url, 'hello')
    for (const size of ['4', '6', '-1', '9223372036854775807'])
      expectError(await finalize({ size }), 400, 'invalid_argument')
    for (const hash of ['md5:00', 'x', `sha256:${'0'.repeat(64)}`])
      expectError(await finalize({ size: '5', hash }), 400, 'invalid_argument')
    for (const size of ['5', 5]) expect((await finalize({ size })).body.ok).toBe(true)
    expectError(await finalize({ size: '4' }), 409, 'already_exists')
    const again = await rpc(site, job, 'CreateArtifact', { name: 'wrong' })
    expectError(
      again,
      409,
      'already_exists',
      /^an artifact with this name already exists on the workflow run/,
    )
  })

  it('for a message that cannot be decoded', async () => {
    const headers = bearer(job.token)
    for (const body of [
      '',
      '{',
      '[]',
      '"text"',
      '{"name":1}',
      '{"name":"\\ud800"}',
      `{"name":${'['.repeat(30_000)}`,
    ]) {
      const answer = await rawRpc(site, methodPath('CreateArtifact'), { headers, body })
      expectError(answer, 400, 'malformed')
    }
    const binary = { ...headers, 'content-type': 'application/protobuf' }
    const answer = await rawRpc(site, methodPath('CreateArtifact'), {
      headers: binary,
      body: new Uint8Array([255]),
    })
    expectError(answer, 400, 'malformed')
  })

  it('for a message of more than 64 KiB, whether its length is announced or not', async () => {
    const name = 'x'.repeat(65 * 1024)
    expectError(await rpc(site, job, 'CreateArtifact', { name }), 413, 'resource_exhausted', /65536 bytes/)
    const chunked = await postChunks(
      methodPath('CreateArtifact'),
      job.token,
      Array(70).fill('x'.repeat(1024)),
    )
    expect(chunked).toEqual({ status: 413, code: 'resource_exhausted' })
  })
})

describe('a temporary error', () => {
  it('is JSON with a status that the stock client retries while the database is unavailable', async () => {
    const away = await openSite({}, kept.log)
    try {
      const { jobs } = await createTestRun(away)
      await away.services.database.close()
      const answer = await rpc(away, jobs[0], 'ListArtifacts')
      expectError(answer, 503, 'unavailable', /database/)
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    } finally {
      await away.close().catch(() => undefined)
    }
  })

  it('is JSON without details for an unexpected failure', async () => {
    const spy = vi
      .spyOn(site.services.storage, 'signedUploadUrl')
      .mockRejectedValue(new Error('secret detail'))
    site.services.config.serveDirect = true
    try {
      const answer = await rpc(site, job, 'CreateArtifact', { name: 'unforeseen' })
      expectError(answer, 500, 'internal', /^internal error \(request [\w-]+\)$/)
    } finally {
      site.services.config.serveDirect = false
      spy.mockRestore()
    }
  })
})

it('the log contains no token and no signature of a URL', async () => {
  const made = await rpc(site, job, 'CreateArtifact', { name: 'logged' })
  const url = made.body.signed_upload_url
  await fetch(url, { method: 'PUT' }).then(response => response.arrayBuffer())
  await sql`select 1`.execute(site.db)
  const text = kept.text()
  expect(text).toContain('/twirp/')
  expect(text).toContain(new URL(url).pathname)
  expect(text).not.toContain(new URL(url).searchParams.get('sig'))
  expect(text).not.toContain(job.token)
  expect(text).not.toContain(job.token.split('.')[2])
})

/** Uploads a whole artifact. */
async function put(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body })
  expect(response.status).toBe(201)
}

/** Sends a body in chunks, without announcing its length. */
function postChunks(
  path: string,
  token: string,
  chunks: string[],
): Promise<{ status?: number; code?: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const sent = request(`${site.url}${path}`, { method: 'POST', headers }, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code })
    })
    sent.on('error', reject)
    for (const chunk of chunks) sent.write(chunk)
    sent.end()
  })
}
