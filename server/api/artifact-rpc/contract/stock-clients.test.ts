import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findArtifact } from '@/server/artifacts/store'
import { unavailable } from '@/server/kernel/errors'
import { derivedKey } from '@/server/kernel/signature'
import { createTestRun, endTestJob, type TestJob, type TestRun } from '@/testing/actions'
import {
  ArtifactClient,
  type ClientVersion,
  clientVersions,
  hasArtifactClients,
  type Outcome,
} from '@/testing/artifact-clients/client'
import { startRelay } from '@/testing/artifact-clients/relay'
import { rpc } from '@/testing/artifact-rpc'
import { openSite, useSite } from '@/testing/site'
import { packZip } from '@/testing/zip'

const hasClients = await hasArtifactClients()
const site = useSite()
const newest = clientVersions[clientVersions.length - 1] ?? '6.2.1'
// Three blocks of the client.
const large = randomBytes(17 * 1024 * 1024)

// This takes a fraction of a second, unless the machine is busy.
const firstRetryMs = 3000

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-artifacts-'))
  await write('small/hello.txt', 'hello')
  await write('large/random.bin', large)
  for (let index = 0; index < 300; index++) await write(`many/${index % 7}/${index}.txt`, `file ${index}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

/** The digests of all files below a folder, by their path there. */
async function filesIn(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const digests = files.map(
    async file => [file.slice(path.length + 1), digestOf(await readFile(file))] as const,
  )
  return Object.fromEntries(await Promise.all(digests))
}

const start = (version: ClientVersion, job: TestJob, url = site.url): Promise<ArtifactClient> =>
  ArtifactClient.start(version, { url, workspace: folder, job })

async function upload(client: ArtifactClient, name: string, of: string, options = {}): Promise<Outcome> {
  const files = Object.keys(await filesIn(join(folder, of))).map(file => join(folder, of, file))
  return await client.attempt('uploadArtifact', name, files, join(folder, of), options)
}

/** Whether a version has a feature that came with another one. */
const since = (version: ClientVersion, feature: '2.1.0' | '2.3.0'): boolean => version >= feature

const sortByName = (list: { name: string }[]) => list.sort((a, b) => (a.name < b.name ? -1 : 1))

describe.skipIf(!hasClients)('the stock client of artifacts', () => {
  describe.concurrent.each(clientVersions)('%s', { tags: 'series' }, version => {
    it('uploads small, large and many files, and lists, downloads, verifies, replaces and deletes them', async ({
      expect,
    }) => {
      const run = await createTestRun(site, { jobs: ['build', 'test'] })
      const [build, test = build] = run.jobs
      await using client = await start(version, build)
      const names = { large: 'large', many: "ü 中 100%;it's", small: 'small' }
      for (const [of, name] of Object.entries(names)) {
        const { value, error } = await upload(client, name, of, { compressionLevel: of === 'large' ? 0 : 6 })
        expect(error).toBeUndefined()
        expect(value).toMatchObject({ id: expect.any(Number), size: expect.any(Number) })
      }

      client.workFor({ url: site.url, job: test })
      const { artifacts } = await client.call('listArtifacts')
      expect(sortByName(artifacts).map(({ name }: { name: string }) => name)).toEqual(
        Object.values(names).sort(),
      )
      for (const [of, name] of Object.entries(names)) {
        const { artifact } = await client.call('getArtifact', name)
        expect(artifact).toMatchObject({ name, size: expect.any(Number) })
        const path = join(folder, `${version}-${of}`)
        const options = { path, expectedHash: artifact.digest }
        const downloaded = await client.call('downloadArtifact', artifact.id, options)
        expect(await filesIn(path)).toEqual(await filesIn(join(folder, of)))
        if (!since(version, '2.3.0')) continue
        expect(artifact.digest).toMatch(/^sha256:[\da-f]{64}$/)
        expect(downloaded.digestMismatch).toBeFalsy()
      }

      client.workFor({ url: site.url, job: build })
      const refused = await upload(client, 'small', 'small')
      expect(refused.error).toContain('an artifact with this name already exists on the workflow run')
      expect(refused.ms).toBeLessThan(firstRetryMs)
      if (!since(version, '2.1.0')) return
      for (let round = 0; round < 3; round++) {
        const { id } = await client.call('deleteArtifact', 'small')
        const { value } = await upload(client, 'small', 'small')
        expect(value.id).toBeGreaterThan(id)
      }
      await client.call('deleteArtifact', 'small')
      expect((await client.attempt('getArtifact', 'small')).error).toMatch(/not ?found/i)
    })

    it('sends the query of a signed URL unchanged and only appends to it', async ({ expect }) => {
      const { jobs } = await createTestRun(site)
      const sent: string[] = []
      await using relay = await startRelay(site, ({ method, url }) => {
        if (method === 'PUT') sent.push(url?.split('?')[1] ?? '')
      })
      await using client = await start(version, jobs[0], relay.url)
      expect((await upload(client, 'small', 'small')).error).toBeUndefined()
      expect(sent).toHaveLength(2)
      const signature = /^sig=[\w-]{43}/.exec(sent[0] ?? '')?.[0]
      expect(sent[0]).toMatch(new RegExp(`^${signature}&comp=block&blockid=[\\w%]+$`))
      expect(sent[1]).toBe(`${signature}&comp=blocklist`)
    })

    it('fails immediately if a retry would not help', async ({ expect }) => {
      const run = await createTestRun(site, { jobs: ['ended', 'wrong', 'deleted'] })
      const [ended, wrong = ended, deleted = ended] = run.jobs
      await endTestJob(site, run, ended)
      await using client = await start(version, ended)
      const expectFailure = async (job: TestJob, message: RegExp, url = site.url) => {
        client.workFor({ url, job })
        const { error, ms } = await upload(client, 'a', 'small')
        expect(error).toMatch(message)
        expect(ms).toBeLessThan(firstRetryMs)
      }
      await expectFailure(ended, /401.*the job for this token has ended/)
      await expectFailure({ ...wrong, token: await withScope(wrong, run) }, /403.*another workflow run/)
      await using relay = await startRelay(site, async ({ url }) => {
        if (url?.endsWith('/FinalizeArtifact')) await rpc(site, deleted, 'DeleteArtifact', { name: 'a' })
      })
      await expectFailure(deleted, /404.*no artifact with this name/, relay.url)
    })
  })

  it.concurrent.each(['2.3.2', newest] as const)(
    '%s continues after the server was briefly unavailable',
    { tags: 'slow' },
    async version => {
      const away = await openSite({ serveDirect: true })
      try {
        const url = vi.spyOn(away.services.storage, 'signedUploadUrl').mockResolvedValue(undefined)
        for (let failure = 0; failure < 2; failure++) url.mockRejectedValueOnce(unavailable('away'))
        const { jobs } = await createTestRun(away)
        await using client = await start(version, jobs[0], away.url)
        const { error, ms } = await upload(client, 'small', 'small')
        expect(error).toBeUndefined()
        expect(url).toHaveBeenCalledTimes(3)
        expect(ms).toBeGreaterThan(3000)
      } finally {
        await away.close()
      }
    },
  )

  it('uploads single files as they are, under any name, and downloads them unchanged', async () => {
    const run = await createTestRun(site)
    await using client = await start(newest, run.jobs[0])
    const bytes = randomBytes(100_000)
    const types = [
      ['data.json', '{"a":1}', 'application/json'],
      ['notes.txt', 'ü', 'text/plain'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
      ['page.html', '<script>alert(1)</script>', 'text/html'],
      ['random.bin', bytes, 'application/octet-stream'],
      ['empty.txt', '', 'text/plain'],
      ['empty', '', 'application/octet-stream'],
      ['100%.txt', 'a', 'text/plain'],
      ["it's.txt", 'b', 'text/plain'],
      ['a;b.txt', 'c', 'text/plain'],
      ['ü 中.txt', 'd', 'text/plain'],
      ['%2e%2e.txt', 'e', 'text/plain'],
      ['#1 & 2+3 =.txt', 'f', 'text/plain'],
    ] as const
    for (const [name, content, type] of types) {
      const file = await write(`raw/${name}`, content)
      const uploaded = await client.call('uploadArtifact', 'ignored', [file], folder, { skipArchive: true })
      expect(uploaded.size, name).toBe(Buffer.byteLength(content))
      const { artifact } = await client.call('getArtifact', name)
      expect(artifact.digest, name).toBe(digestOf(content))
      const path = join(folder, 'downloaded', String(artifact.id))
      const result = await client.call('downloadArtifact', artifact.id, {
        path,
        expectedHash: artifact.digest,
      })
      expect(result.digestMismatch, name).toBeFalsy()
      expect(await filesIn(path)).toEqual({ [name]: digestOf(content) })
      expect((await findArtifact(site.db, artifact.id))?.content_type, name).toBe(type)
    }
  })

  it('uploads a zip as it is, and downloads its files', async () => {
    const run = await createTestRun(site)
    await using client = await start(newest, run.jobs[0])
    const file = await write('raw/packed.zip', packZip([{ name: 'inside.txt', bytes: 'hello' }]))
    const { id } = await client.call('uploadArtifact', 'ignored', [file], folder, { skipArchive: true })
    const path = join(folder, 'unpacked')
    await client.call('downloadArtifact', id, { path })
    expect(await filesIn(path)).toEqual({ 'inside.txt': digestOf('hello') })
  })
})

/** A token of a job with another run in its scope, from which clients read the IDs that they send. */
function withScope({ task, job }: TestJob, run: TestRun): Promise<string> {
  const expiry = Math.floor(task.expires_at.getTime() / 1000)
  return new SignJWT({
    scp: `Actions.Results:${run.run.id + 1}:${job.id}`,
    TaskID: task.id,
    RunID: job.run_id,
    JobID: job.id,
    ac: '[]',
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('guildhall')
    .setAudience('guildhall')
    .setNotBefore(expiry - 4 * 3600)
    .setExpirationTime(expiry)
    .sign(derivedKey(site.services.config, 'job token'))
}

const digestOf = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
