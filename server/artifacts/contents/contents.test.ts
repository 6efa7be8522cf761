import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loadRun } from '@/server/actions/load'
import { showRunPage } from '@/server/actions/runs/browse'
import { contextOf, createTestRun, endTestJob, type TestRun } from '@/testing/actions'
import { makeArtifact } from '@/testing/artifacts'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { packZip } from '@/testing/zip'
import { browseArtifacts, showArtifactPage } from './browse'
import { getMember, listMembers } from './members'
import { removeArtifacts } from './remove'

const site = useSite()
const past = new Date(Date.now() - 1000)

const pathTo = ({ ada, repository, run }: TestRun) => ({
  owner: ada.name,
  repo: repository.name,
  run: run.id,
})

async function browse(run: TestRun, wanted: { q?: string; page?: number; attempt?: number } = {}) {
  const input = { ...pathTo(run), page: 1, limit: 50, attempt: 1, ...wanted }
  const { items, ...rest } = await browseArtifacts(contextOf(site, run.ada), input)
  return { shown: items.map(({ name, state }) => `${name} ${state}`), ...rest }
}

/** Makes a job of an attempt that runs again what is in the first place. */
async function runAgain({ run, jobs: [{ job }] }: TestRun) {
  await site.db
    .insertInto('workflow_run_attempts')
    .values({ run_id: run.id, number: 2, status: 'queued', actor_id: null })
    .execute()
  await site.db.updateTable('workflow_runs').set({ attempt: 2 }).where('id', '=', run.id).execute()
  const again = await site.db
    .insertInto('workflow_jobs')
    .values({
      run_id: run.id,
      repository_id: run.repository_id,
      attempt: 2,
      job_key: job.job_key,
      position: job.position,
      name: job.name,
      needs: '[]',
      labels: '[]',
      status: 'queued',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { run: { ...run, attempt: 2 }, jobs: [{ job: again }] as const }
}

describe('the list of artifacts', () => {
  it('is sorted by name, shows expired artifacts as soon as they expire, and totals the others', async () => {
    const run = await createTestRun(site)
    await makeArtifact(site, run, { name: 'b', bytes: '12345' })
    await makeArtifact(site, run, { name: 'a', bytes: '123' })
    await makeArtifact(site, run, { name: 'late', expiresAt: past })
    await makeArtifact(site, run, { name: 'gone', status: 'expired' })
    expect(await browse(run)).toMatchObject({
      shown: ['a available', 'b available', 'gone expired', 'late expired'],
      total: 4,
      available_size: 8,
      may_write: true,
    })
    expect(await browse(run, { q: 'A' })).toMatchObject({
      shown: ['a available', 'late expired'],
      total: 2,
    })
    expect(await browse(run, { page: 7 })).toMatchObject({ shown: [], total: 4 })
  })

  it('shows how much of an upload has arrived, and no abandoned uploads', async () => {
    const run = await createTestRun(site)
    for (const [name, seconds] of [
      ['new', 60],
      ['old', -60],
    ] as const) {
      const { id } = await makeArtifact(site, run, { name, status: 'pending' })
      await site.db
        .insertInto('artifact_uploads')
        .values({
          artifact_id: id,
          task_id: run.jobs[0].task.id,
          received: 77,
          expires_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
        })
        .execute()
    }
    const path = pathTo(run)
    const { items } = await browseArtifacts(contextOf(site, run.ada), {
      ...path,
      page: 1,
      limit: 50,
      attempt: 1,
    })
    expect(items).toMatchObject([{ name: 'new', state: 'uploading', size: 77 }])
    await endTestJob(site, run, run.jobs[0])
    expect(await browse(run)).toMatchObject({ shown: [], total: 0 })
  })

  it('includes the artifacts of jobs that the attempt did not rerun', async () => {
    const run = await createTestRun(site, { jobs: ['test', 'build'] })
    const [, build] = run.jobs
    await makeArtifact(site, run, { name: 'logs' })
    await makeArtifact(site, { ...run, jobs: [build ?? run.jobs[0]] }, { name: 'binary' })
    const second = await runAgain(run)
    await makeArtifact(site, second, { name: 'new logs' })
    expect((await browse(run, { attempt: 1 })).shown).toEqual(['binary available', 'logs available'])
    expect((await browse(run, { attempt: 2 })).shown).toEqual(['binary available', 'new logs available'])
    const { attempts, jobs } = await showRunPage(contextOf(site, run.ada), pathTo(run))
    expect([attempts.map(({ number }) => number), jobs.map(({ attempt }) => attempt)]).toEqual([
      [2, 1],
      [2, 1],
    ])
  })

  it('responds with 404 to people without access to a private repository', async () => {
    const run = await createTestRun(site, { isPrivate: true })
    const stranger = await makePerson(site)
    const input = { ...pathTo(run), page: 1, limit: 50, attempt: 1 }
    await expect(browseArtifacts(contextOf(site, stranger), input)).rejects.toMatchObject({
      kind: 'notFound',
    })
  })
})

describe('the page of an artifact', () => {
  it('is found by ID first, then by name, and prefers an artifact that has not expired', async () => {
    const run = await createTestRun(site)
    const idOf = async (artifact: string) =>
      (await showArtifactPage(contextOf(site, run.ada), { ...pathTo(run), artifact })).artifact.id
    const deleted = await makeArtifact(site, run, { name: 'dist', status: 'expired' })
    expect(await idOf('dist')).toBe(deleted.id)
    const dist = await makeArtifact(site, run, { name: 'dist' })
    const confusing = await makeArtifact(site, run, { name: String(dist.id) })
    await makeArtifact(site, run, { name: 'dist', status: 'expired' })
    expect(await idOf('dist')).toBe(dist.id)
    expect(await idOf(String(dist.id))).toBe(dist.id)
    expect(await idOf(String(confusing.id))).toBe(confusing.id)
    await expect(idOf('nothing')).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('lists the folders and files of a zip with their kinds, and searches files', async () => {
    const run = await createTestRun(site)
    const bytes = packZip([
      { name: 'docs/a.md', bytes: '# A' },
      { name: 'docs/deep/b.png', bytes: 'b' },
      { name: 'c.json', bytes: '{}' },
    ])
    const { id: artifact_id } = await makeArtifact(site, run, { name: 'dist', bytes })
    const { run: _, ...path } = pathTo(run)
    const ctx = contextOf(site, run.ada)
    const list = async (wanted: { folder?: string; q?: string; page?: number; limit?: number } = {}) => {
      const input = { ...path, artifact_id, folder: '', page: 1, limit: 200, ...wanted }
      const { items, total, all } = await listMembers(ctx, input)
      return { items: items.map(({ name, kind, files }) => `${name} ${kind} ${files}`), total, all }
    }
    expect(await list()).toEqual({
      items: ['docs none 2', 'c.json json 1'],
      total: 2,
      all: { files: 3, size: 6 },
    })
    expect((await list({ folder: 'docs' })).items).toEqual(['deep none 1', 'a.md text 1'])
    expect((await list({ q: 'B.' })).items).toEqual(['docs/deep/b.png image 1'])
    expect((await list({ page: 2, limit: 1 })).items).toEqual(['c.json json 1'])
    await expect(list({ folder: 'x' })).rejects.toMatchObject({ kind: 'unprocessable' })
    const member = await getMember(ctx, { ...path, artifact_id, member: 'docs/deep/b.png' })
    expect(member).toMatchObject({ name: 'b.png', size: 1, kind: 'image' })
    await expect(getMember(ctx, { ...path, artifact_id, member: 'docs' })).rejects.toMatchObject({
      kind: 'unprocessable',
    })
  })
})

describe('deleting several artifacts', () => {
  it('deletes only those of the run, and returns how many bytes it freed', async () => {
    const run = await createTestRun(site)
    const other = await createTestRun(site, { alongside: run })
    const [a, b, deleted, elsewhere] = [
      await makeArtifact(site, run, { name: 'a', bytes: '123' }),
      await makeArtifact(site, run, { name: 'b', bytes: '12345' }),
      await makeArtifact(site, run, { name: 'gone', bytes: '1234567', status: 'expired' }),
      await makeArtifact(site, other, { name: 'elsewhere' }),
    ]
    const ctx = contextOf(site, run.ada)
    const remove = async (ids: number[]) =>
      await removeArtifacts(ctx, await loadRun(ctx, pathTo(run), 'write'), { ids })
    expect(await remove([a.id, deleted.id, elsewhere.id])).toEqual({ removed: 2, freed: 3 })
    expect(await remove([a.id, b.id])).toEqual({ removed: 1, freed: 5 })
    expect((await browse(run)).shown).toEqual([])
    expect((await browse(other)).shown).toEqual(['elsewhere available'])
  })

  it('responds with 403 in an archived repository', async () => {
    const run = await createTestRun(site)
    const { id } = await makeArtifact(site, run, { name: 'a' })
    await site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', run.repository.id)
      .execute()
    const ctx = contextOf(site, run.ada)
    const removal = removeArtifacts(ctx, await loadRun(ctx, pathTo(run), 'write'), { ids: [id] })
    await expect(removal).rejects.toMatchObject({ kind: 'forbidden' })
    expect(await browse(run)).toMatchObject({ shown: ['a available'], may_write: false })
  })
})
