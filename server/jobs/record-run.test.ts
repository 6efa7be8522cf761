import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { describeFailure } from '@/server/kernel/describe-failure'
import { describeResult, recordRun } from './record-run'

let database: OpenDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describe('the record of background job runs', () => {
  it('keeps the last 50 of each job', async () => {
    const { db } = database
    const run = (job: string, message: string) =>
      recordRun(db, { job, started_at: new Date(), ended_at: new Date(), outcome: 'done', message })
    await run('other.run', 'first')
    for (let number = 1; number <= 53; number++) await run('test.run', String(number))
    const rows = await db.selectFrom('job_runs').select(['job', 'message']).orderBy('id').execute()
    expect(rows.filter(({ job }) => job === 'other.run')).toHaveLength(1)
    const kept = rows.filter(({ job }) => job === 'test.run').map(({ message }) => message)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([50, '4', '53'])
  })

  it('describes the result of a run by its counts', () => {
    expect(describeResult({ expired: 3, abandoned: 0, of: ['a'] })).toBe('expired 3, abandoned 0')
    expect([describeResult(7), describeResult(undefined), describeResult('text')]).toEqual(['7', '', ''])
  })

  it('describes a failure in one line, without the secrets in URLs', () => {
    const error = new Error(
      'cannot reach postgres://olga:hunter2@db:5432/hall?sslkey=k\nnor "https://blob.example/a/b?sig=abc#x" today',
    )
    expect(describeFailure(error)).toBe(
      'cannot reach postgres://db:5432/hall nor "https://blob.example/a/b" today',
    )
    expect(describeFailure(new Error('x'.repeat(9_000)))).toHaveLength(500)
    expect(describeFailure('plain')).toBe('plain')
  })
})
