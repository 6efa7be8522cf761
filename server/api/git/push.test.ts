import { expect, it } from 'vitest'
import { defaultMemory, memoryFor } from '@/server/kernel/git/memory'
import { memoryOfPush } from './push'

const most = 2 ** 32 - 1
const nothing = { storedKib: 0, present: 0 }

it('memoryOfPush counts no more announced objects than the bytes of the push can contain', () => {
  const { totalKib } = memoryOfPush({ ...nothing, announced: most, bytes: 120_000 })
  expect(totalKib).toBeLessThan(defaultMemory.totalKib + 4 * 1024)
  expect(memoryOfPush({ ...nothing, announced: 10_000, bytes: 120_000 }).totalKib).toBe(totalKib)
  expect(memoryOfPush({ ...nothing, announced: 9000, bytes: 120_000 }).totalKib).toBeLessThan(totalKib)
})

it('memoryOfPush adds up the objects of the repository and those of the push', () => {
  const push = { storedKib: 5000, present: 100_000, announced: 1_000_000, bytes: 2 ** 32 }
  expect(memoryOfPush(push)).toEqual(memoryFor({ storedKib: 5000, objects: 1_100_000 }))
})
