import { describe, expect, it } from 'vitest'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { requireScope } from './require-scope'

const needed = { level: 'read', categories: ['repository'] } as const
const ask = (caller: Caller) => () => requireScope(caller, needed)

describe('requireScope', () => {
  it('accepts anonymous callers, whom the access rules check later', () => {
    expect(ask(anonymous)).not.toThrow()
  })

  it('lets workflow jobs read data that is not private to a person, and refuses their changes', () => {
    const job: Caller = { kind: 'job', repositoryId: 1, runId: 1, attempt: 1, jobId: 1, taskId: 1 }
    expect(ask(job)).not.toThrow()
    for (const asked of [{ ...needed, level: 'write' } as const, { ...needed, isPrivate: true }]) {
      expect(() => requireScope(job, asked)).toThrow(expect.objectContaining({ kind: 'forbidden' }))
    }
  })

  it.each<Caller>([
    { kind: 'runner', runnerId: 1, ownerId: null, repositoryId: null },
    { kind: 'system', job: 'test.run' },
  ])('refuses callers of kind $kind', caller => {
    expect(ask(caller)).toThrow(expect.objectContaining({ kind: 'forbidden' }))
  })
})
