import type { Server } from 'node:http'
import { freeMemory } from '@/server/kernel/free-memory'

const checkMs = 5_000
const minQuietChecks = 4
// Health checks and runners that wait for jobs keep asking.
const maxQuietRequests = 5
// Freeing less is not worth the pause.
const minGrowthBytes = 24 * 1024 * 1024

const ownHeap = {
  bytes: () => process.memoryUsage().heapTotal,
  free: freeMemory,
}

/**
 * Frees memory when a server has had almost no requests for 20 seconds since it started or was busy, unless V8
 * has done so itself by then. Calls `clearCaches` first. Goes on until the process ends.
 */
export function freeAtRest(server: Server, clearCaches: () => void, heap: typeof ownHeap = ownHeap): void {
  let requests = 0
  let quietChecks = 0
  let keptBytes = 0
  server.on('request', () => {
    requests += 1
  })
  const check = (): void => {
    quietChecks = requests <= maxQuietRequests ? quietChecks + 1 : 0
    requests = 0
    if (quietChecks < minQuietChecks || heap.bytes() < keptBytes + minGrowthBytes) return
    // Pages that are freed later would leave the memory in fragments.
    clearCaches()
    heap.free()
    keptBytes = heap.bytes()
  }
  setInterval(check, checkMs).unref()
}
