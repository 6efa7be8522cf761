import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { type Reach, selectCandidates } from './store'

const many = 10_000

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let owner: number
let quiet: { owner: number; repository: number }

// A queue of jobs in 20 repositories that wait for labels that no runner has.
beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  owner = (await makeUser(db)).id
  for (let count = 0; count < 20; count++) {
    const labels = count < 10 ? '["self-hosted", "gpu"]' : '["gpu", "self-hosted"]'
    await queueIn(owner, (await makeRepository(db, owner)).id, many / 20, labels)
  }
  const other = await makeUser(db)
  const { id } = await makeRepository(db, other.id)
  await queueIn(other.id, id, 1, '["linux"]')
  quiet = { owner: other.id, repository: id }
}, 120_000)
afterAll(() => database.close())

async function queueIn(owner: number, repository: number, count: number, labels: string): Promise<void> {
  const { db } = database
  const run = await db
    .insertInto('workflow_runs')
    .values({
      repository_id: repository,
      owner_id: owner,
      number: 1,
      title: 'title',
      workflow_path: 'ci.yml',
      workflow_name: 'ci',
      document: '',
      event: 'push',
      status: 'queued',
      conclusion: null,
      started_at: null,
      completed_at: null,
      actor_id: null,
      ref: '',
      sha: '',
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into workflow_jobs (run_id, repository_id, attempt, job_key, position, name, labels, status, queued_at)
    select ${run.id}, ${repository}, 1, 'build', n, 'build', ${labels}::jsonb, 'queued', now() - n * interval '1 second'
    from generate_series(1, ${count}::int) n`.execute(db)
}

const labels = ['self-hosted', 'linux']

describe.each(['before', 'after'])('%s PostgreSQL has statistics', when => {
  beforeAll(async () => {
    if (when === 'after') await sql`analyze`.execute(database.db)
  })

  it.each<[string, () => Reach, number]>([
    ['of the site', () => ({ owner_id: null, repository_id: null, labels }), 1],
    ['of a person', () => ({ owner_id: quiet.owner, repository_id: null, labels }), 1],
    ['of a repository', () => ({ owner_id: null, repository_id: quiet.repository, labels }), 1],
    [
      'that can take every job',
      () => ({ owner_id: null, repository_id: null, labels: [...labels, 'gpu'] }),
      5,
    ],
  ])('a runner %s finds its job without reading other jobs in the queue', async (_, reach, found) => {
    sent = []
    expect(await selectCandidates(recording, reach(), [], 'few')).toHaveLength(found)
    const plans = await Promise.all(sent.map(query => explainQuery(database, unprepared(query))))
    for (const table of ['workflow_jobs', 'workflow_runs'])
      expect(rowsReadBy(plans.flat().filter(node => node['Relation Name'] === table)), table).toBeLessThan(
        150,
      )
  })

  // EXPLAIN must run as a separate statement.
  const unprepared = (query: CompiledQuery): CompiledQuery => ({
    ...query,
    sql: query.sql.replace('/* prepared */', ''),
  })
})
