import { describe, expect, it } from 'vitest'
import { countProcesses } from './count'

const gib = 1024 ** 3
const onServer = { DATABASE_URL: 'postgres://localhost/forge' }
const large = { processors: 16, memoryBytes: 64 * gib }

describe('the number of server processes', () => {
  it.each([
    [1, 64, 1],
    [2, 64, 2],
    [16, 64, 4],
    [16, 1, 1],
    [16, 2, 1],
    [16, 4, 2],
    [16, 8, 4],
  ])('is by default, with %i processors and %i GiB of memory: %#', (processors, memory, expected) => {
    const machine = { processors, memoryBytes: memory * gib }
    expect(countProcesses(onServer, machine)).toBe(expected)
    expect(countProcesses({ ...onServer, GUILDHALL_PROCESSES: 'auto' }, machine)).toBe(expected)
  })

  it('is the one that was set, on a PostgreSQL server', () => {
    expect(countProcesses({ ...onServer, GUILDHALL_PROCESSES: '7' }, large)).toBe(7)
    const file = { DATABASE_URL_FILE: '/run/secrets/url', GUILDHALL_PROCESSES: '3' }
    expect(countProcesses(file, large)).toBe(3)
  })

  it('is 1 with the embedded database, and with an invalid setting, which the process then reports', () => {
    expect(countProcesses({}, large)).toBe(1)
    expect(countProcesses({ GUILDHALL_PROCESSES: '4' }, large)).toBe(1)
    for (const text of ['0', '65', '-1', '1.5', 'all']) {
      expect(countProcesses({ ...onServer, GUILDHALL_PROCESSES: text }, large), text).toBe(1)
    }
  })
})
