import { createHash } from 'node:crypto'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { TimestampSchema } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import {
  CreateArtifactRequestSchema,
  CreateArtifactResponseSchema,
  ListArtifactsRequestSchema,
  ListArtifactsResponseSchema,
} from '@/proto/gen/github/actions/results/api/v1/artifact_pb'
import { createTestRun, type TestJob } from '@/testing/actions'
import { idsOf, methodPath, rawRpc, rpc } from '@/testing/artifact-rpc'
import { mount, openSite, type Site, useSite } from '@/testing/site'

const site = useSite()

async function uploaded(job: TestJob, name: string, text: string): Promise<number> {
  const { body } = await rpc(site, job, 'CreateArtifact', { name, version: 7, mime_type: 'text/plain' })
  const headers = { 'x-ms-blob-type': 'BlockBlob' }
  const put = await fetch(body.signed_upload_url, { method: 'PUT', headers, body: text })
  expect(put.status).toBe(201)
  const finished = await rpc(site, job, 'FinalizeArtifact', {
    name,
    size: String(text.length),
    hash: digestOf(text),
  })
  expect(finished).toMatchObject({
    status: 200,
    body: { ok: true, artifact_id: expect.stringMatching(/^\d+$/) },
  })
  return Number(finished.body.artifact_id)
}

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

describe('the artifact service', () => {
  it('creates, finalizes, lists, signs and deletes an artifact, and accepts the IDs from the list in later calls', async () => {
    const run = await createTestRun(site, { jobs: ['build', 'test'] })
    const [build, test = build] = run.jobs
    const id = await uploaded(build, 'report.txt', 'hello')
    const { body } = await rpc(site, test, 'ListArtifacts', { name_filter: 'report.txt' })
    expect(body).toEqual({
      artifacts: [
        {
          ...idsOf(build),
          database_id: String(id),
          name: 'report.txt',
          size: '5',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          digest: digestOf('hello'),
        },
      ],
    })
    for (const ids of [idsOf(build), idsOf(test)]) {
      const signed = await rpc(site, test, 'GetSignedArtifactURL', { ...ids, name: 'report.txt' })
      const file = await fetch(signed.body.signed_url)
      expect([file.status, await file.text()]).toEqual([200, 'hello'])
    }
    const removed = await rpc(site, test, 'DeleteArtifact', { ...idsOf(build), name: 'report.txt' })
    expect(removed.body).toEqual({ ok: true, artifact_id: String(id) })
    expect((await rpc(site, test, 'ListArtifacts', { id_filter: String(id) })).body).toEqual({
      artifacts: [],
    })
    expect(await uploaded(test, 'report.txt', 'again')).toBeGreaterThan(id)
  })

  it('responds to binary requests in binary', async () => {
    const run = await createTestRun(site)
    const [job] = run.jobs
    const ids = { workflowRunBackendId: String(job.job.run_id), workflowJobRunBackendId: String(job.job.id) }
    const call = async (method: string, message: Uint8Array) => {
      const headers = { authorization: `Bearer ${job.token}`, 'content-type': 'application/protobuf' }
      const answer = await rawRpc(site, methodPath(method), { headers, body: Buffer.from(message) })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/protobuf'])
      return answer.body as Uint8Array
    }
    const request = create(CreateArtifactRequestSchema, { ...ids, name: 'binary' })
    const made = await call('CreateArtifact', toBinary(CreateArtifactRequestSchema, request))
    expect(fromBinary(CreateArtifactResponseSchema, made)).toMatchObject({
      ok: true,
      signedUploadUrl: expect.stringContaining('/-/artifacts/upload/'),
    })
    const id = await uploaded(job, 'text', 'hello')
    const filter = create(ListArtifactsRequestSchema, { ...ids, idFilter: BigInt(id) })
    const listed = await call('ListArtifacts', toBinary(ListArtifactsRequestSchema, filter))
    expect(fromBinary(ListArtifactsResponseSchema, listed).artifacts).toMatchObject([
      { name: 'text', databaseId: BigInt(id), size: 5n },
    ])
  })

  it('lets a job finalize only its own upload, which no one sees before', async () => {
    const run = await createTestRun(site, { jobs: ['build', 'test'] })
    const [build, test = build] = run.jobs
    const { body } = await rpc(site, build, 'CreateArtifact', { name: 'a' })
    const headers = { 'x-ms-blob-type': 'BlockBlob' }
    await fetch(body.signed_upload_url, { method: 'PUT', headers, body: 'hello' })
    const finalize = (job: TestJob) => rpc(site, job, 'FinalizeArtifact', { name: 'a', size: '5' })
    expect((await finalize(test)).status).toBe(404)
    expect((await rpc(site, test, 'ListArtifacts')).body.artifacts).toEqual([])
    expect((await rpc(site, test, 'GetSignedArtifactURL', { name: 'a' })).status).toBe(404)
    const [first, again] = [await finalize(build), await finalize(build)]
    expect(again.body).toEqual(first.body)
    expect((await finalize(test)).status).toBe(404)
    expect((await rpc(site, test, 'ListArtifacts')).body.artifacts).toHaveLength(1)
  })

  it('keeps an artifact as long as possible if the client requests a time beyond the range of dates', async () => {
    const run = await createTestRun(site)
    const [job] = run.jobs
    for (const seconds of [8_640_000_000_000n, 2n ** 62n, -(2n ** 62n)]) {
      const expiresAt = create(TimestampSchema, { seconds, nanos: 999_999_999 })
      const ids = {
        workflowRunBackendId: String(job.job.run_id),
        workflowJobRunBackendId: String(job.job.id),
      }
      const request = create(CreateArtifactRequestSchema, { ...ids, name: `until ${seconds}`, expiresAt })
      const headers = { authorization: `Bearer ${job.token}`, 'content-type': 'application/protobuf' }
      const body = Buffer.from(toBinary(CreateArtifactRequestSchema, request))
      expect((await rawRpc(site, methodPath('CreateArtifact'), { headers, body })).status).toBe(200)
    }
  })

  it('gives a name to exactly one of two jobs that create it at the same time', async () => {
    const run = await createTestRun(site, { jobs: ['one', 'two'] })
    for (let round = 0; round < 20; round++) {
      const name = `race ${round}`
      const answers = await Promise.all(run.jobs.map(job => rpc(site, job, 'CreateArtifact', { name })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

describe('a signed URL', () => {
  const originOf = async (of: Site, headers: Record<string, string>) => {
    const { jobs } = await createTestRun(of)
    const [job] = jobs
    const body = JSON.stringify({ ...idsOf(job), name: 'a' })
    const all = { authorization: `Bearer ${job.token}`, ...headers }
    const answer = await rawRpc(of, methodPath('CreateArtifact'), { headers: all, body })
    return new URL(answer.body.signed_upload_url).origin
  }

  it('starts with the origin that the job used', async () => {
    expect(await originOf(site, { 'x-forwarded-host': 'evil.example' })).toBe(site.url)
  })

  it.skipIf(mount === 'next')('starts with the origin that a trusted proxy forwards', async () => {
    const behind = await openSite({ trustedProxies: () => true })
    try {
      const forwarded = { 'x-forwarded-host': 'ci.example', 'x-forwarded-proto': 'https' }
      expect(await originOf(behind, forwarded)).toBe('https://ci.example')
    } finally {
      await behind.close()
    }
  })

  it('starts with the configured URL, if there is one', async () => {
    const { config } = site.services
    config.artifactBaseUrl = 'http://guildhall:3000'
    try {
      expect(await originOf(site, {})).toBe('http://guildhall:3000')
    } finally {
      config.artifactBaseUrl = undefined
    }
  })
})
