import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import {
  admin,
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  markKey,
  start,
  withDatabase,
} from './guildhall'

const rounds = Number(process.env.GUILDHALL_TEST_KILLS ?? series(1, 3))
const lanes = 4
const blockBytes = 128 * 1024
const blockCount = 6

it(`artifact uploads that are interrupted by killing the process lose no acknowledged data and leave no objects behind (kills: ${rounds})`, {
  tags: 'series',
  timeout: 360_000,
}, async () => {
  await using holder = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: holder.path, ...adminEnvironment }
  const uploads: Upload[] = []
  const isDone = ({ id }: Upload) => id !== undefined
  let url: string | undefined
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment, url)
    url = guildhall.url
    if (round === 0) await post(url, '/user/repos', { name: 'tools', auto_init: true })
    const job = await startJob(url)
    const before = uploads.filter(isDone).length
    // Each concurrent uploader first completes the uploads that the last kill interrupted.
    const open = uploads.filter(upload => !isDone(upload))
    const lanesDone = Array.from({ length: lanes }, async (_, lane) => {
      const again = open.filter((_, at) => at % lanes === lane)
      for (let number = 0; ; number++) {
        const upload = again.shift() ?? newUpload(job, `${round}-${lane}-${number}`)
        if (!uploads.includes(upload)) uploads.push(upload)
        if (!(await complete(guildhall, upload))) return
      }
    })
    while (uploads.filter(isDone).length <= before) await delay(5)
    await delay(Math.random() * 80)
    await guildhall.end('SIGKILL')
    await Promise.all(lanesDone)
  }
  const last = await start(environment, url)
  // A finalization that got no response may have succeeded; repeating it then returns the artifact's ID.
  const half = uploads.filter((upload, at) => !isDone(upload) && (upload.isListed || at % 2 === 0))
  for (const upload of half) expect(await complete(last, upload), upload.name).toBe(true)
  const done = uploads.filter(isDone)
  for (const upload of done) await expectStored(last, upload)
  const shown = await listAll(last, uploads)
  expect(shown).toEqual(done.map(({ id }) => id).sort())
  await last.end('SIGTERM')
  await abandonPending(holder.path)
  const survivor = await start(environment, url)
  for (const upload of done) await expectStored(survivor, upload)
  await expect.poll(() => objectsIn(holder.path), { timeout: 10_000 }).toHaveLength(done.length)
  await survivor.end('SIGTERM')
  expect(await objectsIn(holder.path)).toEqual(await keysIn(holder.path))
})

interface Job {
  run: number
  id: number
  token: string
}

interface Upload {
  job: Job
  name: string
  blocks: { id: string; bytes: Buffer; isStored: boolean }[]
  hash: string
  url: string | undefined
  isListed: boolean
  /** ID of the artifact; set once the artifact is finished. */
  id: string | undefined
}

function newUpload(job: Job, name: string): Upload {
  const uuid = randomUUID()
  const blocks = Array.from({ length: blockCount }, (_, at) => ({
    id: Buffer.from(uuid + String(at).padStart(12, '0')).toString('base64'),
    bytes: randomBytes(blockBytes),
    isStored: false,
  }))
  const hash = createHash('sha256').update(Buffer.concat(blocks.map(({ bytes }) => bytes)))
  return {
    job,
    name,
    blocks,
    hash: `sha256:${hash.digest('hex')}`,
    url: undefined,
    isListed: false,
    id: undefined,
  }
}

/**
 * Completes an upload without sending acknowledged blocks again. Returns false if the server is killed before
 * the end.
 */
async function complete(guildhall: Guildhall, upload: Upload): Promise<boolean> {
  try {
    upload.url ??= await create(guildhall, upload)
    await Promise.all(
      upload.blocks.map(async block => {
        if (block.isStored) return
        await put(`${upload.url}&comp=block&blockid=${encodeURIComponent(block.id)}`, block.bytes)
        block.isStored = true
      }),
    )
    const list = upload.blocks.map(({ id }) => `<Latest>${id}</Latest>`).join('')
    if (!upload.isListed) await put(`${upload.url}&comp=blocklist`, `<BlockList>${list}</BlockList>`)
    upload.isListed = true
    const size = String(blockCount * blockBytes)
    const { artifact_id } = await rpc(guildhall, upload.job, 'FinalizeArtifact', {
      ...{ name: upload.name, size, hash: upload.hash },
    })
    upload.id = artifact_id
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into all parts of answers.
type Json = any
type Fields = Record<string, string | number>

/**
 * Calls the artifact service as the job. Throws a TypeError, like `fetch`, only if the server is not running.
 */
async function rpc(
  { url }: Guildhall,
  { run, id, token }: Job,
  method: string,
  fields: Fields,
): Promise<Json> {
  const ids = { workflow_run_backend_id: String(run), workflow_job_run_backend_id: String(id) }
  const response = await fetch(`${url}/twirp/github.actions.results.api.v1.ArtifactService/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...ids, ...fields }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`)
  return JSON.parse(text)
}

async function create(guildhall: Guildhall, { job, name }: Upload): Promise<string> {
  return (await rpc(guildhall, job, 'CreateArtifact', { name, version: 4 })).signed_upload_url
}

async function put(url: string, body: string | Buffer): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${text}`)
}

/** Downloads an artifact by its signed URL and compares the bytes. */
async function expectStored(guildhall: Guildhall, { job, name, blocks }: Upload): Promise<void> {
  const { signed_url } = await rpc(guildhall, job, 'GetSignedArtifactURL', { name })
  const answer = await fetch(String(signed_url))
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.equals(Buffer.concat(blocks.map(block => block.bytes))), name).toBe(true)
}

/** Returns the IDs of all artifacts that the jobs can list, sorted as text. */
async function listAll(guildhall: Guildhall, uploads: readonly Upload[]): Promise<string[]> {
  const jobs = new Map(uploads.map(({ job }) => [job.id, job]))
  const lists = await Promise.all(
    [...jobs.values()].map(async job => (await rpc(guildhall, job, 'ListArtifacts', {})).artifacts ?? []),
  )
  return lists
    .flat()
    .map(({ database_id }) => String(database_id))
    .sort()
}

const repository = `/repos/${admin.name}/tools`

async function post(url: string, path: string, body: object): Promise<Json> {
  const init = { method: 'POST', headers: adminHeaders, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  if (response.status !== 201) throw new Error(await response.text())
  return await response.json()
}

/** Creates a run with one job and starts this job. */
async function startJob(url: string): Promise<Job> {
  const workflow = 'on: push\njobs:\n  build:\n    runs-on: any\n    steps:\n      - run: make\n'
  const run = await post(url, `${repository}/actions/runs`, { workflow })
  const path = `/api/v1${repository}/actions/runs/${run.id}/jobs`
  const { jobs } = (await fetch(url + path, { headers: adminHeaders }).then(answer => answer.json())) as {
    jobs: { id: number }[]
  }
  const id = jobs[0]?.id ?? 0
  const { token } = await post(url, `${repository}/actions/jobs/${id}/tasks`, {})
  return { run: run.id, id, token }
}

// Replaces waiting until the upload URLs expire. A job would then delete these rows, and the cleanup job
// their objects.
const abandonPending = (dataDir: string): Promise<unknown> =>
  withDatabase({ dataDir }, async ({ db }) => {
    await db.deleteFrom('artifacts').where('status', '=', 'pending').execute()
    await db
      .updateTable('unused_objects')
      .set({ sweep_after: new Date(0) })
      .execute()
  })

async function keysIn(dataDir: string): Promise<string[]> {
  const rows = await withDatabase({ dataDir }, ({ db }) =>
    db.selectFrom('artifacts').select('storage_key').execute(),
  )
  return rows.map(row => row.storage_key ?? '').sort()
}

/** Returns the keys of all objects, complete or not, except the one that identifies the site. */
async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.flatMap(({ name }) => (/^[0-9a-f]{32}/.test(name) && name !== markKey ? [name] : [])).sort()
}
