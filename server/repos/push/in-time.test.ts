import { expect, it } from 'vitest'
import { GitError } from '@/server/kernel/git/run'
import { inTime, startBudget } from './in-time'

it('gives a look what is left of the time, and none when there is none', async () => {
  const left = await inTime(startBudget(1000), 0, async timeoutMs => timeoutMs)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(1000)
  const never = () => Promise.reject(new Error('looked up'))
  expect(await inTime(startBudget(0), 'unknown', never)).toBe('unknown')
})

it('falls back when git fails, and for nothing else', async () => {
  const fail = (error: Error) => inTime(startBudget(1000), 'unknown', () => Promise.reject(error))
  expect(await fail(new GitError('rev-list', 'took too long', ''))).toBe('unknown')
  await expect(fail(new RangeError('meant to'))).rejects.toThrow(RangeError)
})
