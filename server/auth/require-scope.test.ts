import { describe, expect, it } from 'vitest'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { everyJobScope, type JobAccess } from '@/server/kernel/job-permissions'
import { jobCaller } from '@/testing/job-caller'
import { requireScope } from './require-scope'

const needed = { level: 'read', categories: ['repository'] } as const
const ask = (caller: Caller) => () => requireScope(caller, needed)

describe('requireScope', () => {
  it('accepts anonymous callers, whom the access rules check later', () => {
    expect(ask(anonymous)).not.toThrow()
  })

  it('lets workflow jobs read data that is not private to a person, and refuses changes that no job can make', () => {
    const job = jobCaller({ permissions: everyJobScope('write') })
    expect(ask(job)).not.toThrow()
    for (const asked of [{ ...needed, level: 'write' } as const, { ...needed, isPrivate: true }]) {
      expect(() => requireScope(job, asked)).toThrow(expect.objectContaining({ kind: 'forbidden' }))
    }
  })

  it('lets workflow jobs make a change for which they have the permission, and names it to others', () => {
    const change = { ...needed, level: 'write', job: 'contents' } as const
    const holding = (access: JobAccess) =>
      jobCaller({ permissions: { ...everyJobScope('write'), contents: access } })
    expect(() => requireScope(holding('write'), change)).not.toThrow()
    for (const access of ['none', 'read'] as const) {
      expect(() => requireScope(holding(access), change)).toThrow(/needs contents: write/)
    }
  })

  it.each<Caller>([
    { kind: 'runner', runnerId: 1, ownerId: null, repositoryId: null },
    { kind: 'system', job: 'test.run' },
  ])('refuses callers of kind $kind', caller => {
    expect(ask(caller)).toThrow(expect.objectContaining({ kind: 'forbidden' }))
  })
})
