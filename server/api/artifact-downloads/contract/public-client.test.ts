import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestRun, type TestRun } from '@/testing/actions'
import { ArtifactClient, clientVersions, hasArtifactClients } from '@/testing/artifact-clients/client'
import { makeArtifact } from '@/testing/artifacts'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { packZip } from '@/testing/zip'

const site = useSite()
const hasClients = await hasArtifactClients()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-public-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeRun(): Promise<TestRun> {
  const run = await createTestRun(site, { isPrivate: true })
  const made = await makeArtifact(site, run, { name: 'artifact 0' })
  const { id: _, ...copied } = made
  const rows = Array.from({ length: 229 }, (__, index) => ({
    ...copied,
    name: `artifact ${index + 1}`,
    storage_key: createHash('md5').update(`${made.id} ${index}`).digest('hex'),
  }))
  await site.db.insertInto('artifacts').values(rows).execute()
  return run
}

const findByOf = ({ ada, repository, run }: TestRun, token = ada.token) => ({
  findBy: { token, workflowRunId: run.id, repositoryOwner: ada.name, repositoryName: repository.name },
})

describe.skipIf(!hasClients)('the stock client outside a run, with an access token', () => {
  it.concurrent.each(clientVersions)(
    '%s lists more than 100 artifacts, and finds, downloads and deletes one',
    { tags: 'series', timeout: 60_000 },
    async version => {
      const run = await makeRun()
      const bytes = packZip([{ name: 'report.txt', bytes: `of ${version}`, deflated: true }])
      const { id, sha256 } = await makeArtifact(site, run, { name: 'ü 1', bytes })
      const options = findByOf(run)
      // The job's token is for another run.
      const { jobs } = await createTestRun(site)
      const [job] = jobs
      await using client = await ArtifactClient.start(version, { url: site.url, workspace: folder, job })

      const { artifacts } = await client.call('listArtifacts', options)
      const names = new Set(artifacts.map((artifact: { name: string }) => artifact.name))
      // Before 4.0.0, the client never requests the last page.
      expect(names.size).toBe(version >= '4.0.0' ? 231 : 200)

      const { artifact } = await client.call('getArtifact', 'ü 1', options)
      expect(artifact).toMatchObject({ id, name: 'ü 1', size: bytes.length })
      const digest = `sha256:${sha256?.toString('hex')}`
      if (version >= '2.3.0') expect(artifact.digest).toBe(digest)

      const path = await mkdtemp(join(folder, 'download-'))
      await client.call('downloadArtifact', id, { ...options, path })
      expect(await readFile(join(path, 'report.txt'), 'utf8')).toBe(`of ${version}`)

      // The first version cannot delete artifacts.
      if (version === '2.0.0') return
      expect(await client.call('deleteArtifact', 'ü 1', options)).toEqual({ id })
      expect((await call(site, 'GET', `${run.path}/actions/artifacts/${id}`, { as: run.ada })).status).toBe(
        404,
      )
    },
  )

  it('fails within a second if the token may not read the repository', async () => {
    const run = await createTestRun(site, { isPrivate: true })
    const { id } = await makeArtifact(site, run)
    const stranger = await makePerson(site)
    const [job] = run.jobs
    await using client = await ArtifactClient.start('6.2.1', { url: site.url, workspace: folder, job })
    for (const token of [stranger.token, 'wrong']) {
      const { error, ms } = await client.attempt('downloadArtifact', id, {
        ...findByOf(run, token),
        path: folder,
      })
      expect(error).toBeDefined()
      expect(ms).toBeLessThan(3000)
    }
  })
})
