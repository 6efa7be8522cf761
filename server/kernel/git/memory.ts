/** Memory limits of one Git command, in KiB. Git fails if it would exceed them. */
export interface GitMemory {
  /** Size of the largest object that is kept in memory as a whole. Larger files are streamed. */
  objectKib: number
  /** Total memory, not counting memory-mapped pack files. Only enforced on Linux. */
  totalKib: number
}

const mib = 1024

// Size of an entry in Git's longest list; cloning small objects takes three times as much.
const bytesPerObject = 96

// Limits how much larger than the default the objects can be. Larger files are pushed whole instead of as
// deltas.
const maxDeltaKib = 128 * mib

/** Memory that is sufficient for every small command, regardless of the repository's content. */
export const defaultMemory: GitMemory = { objectKib: 24 * mib, totalKib: 128 * mib }

/**
 * Returns the memory limits of a Git command that processes a whole repository, based on the repository's
 * size and its number of existing or incoming objects. Git's memory use grows with the number of objects and
 * with the size of large files stored as deltas. The allowance for deltas is limited to a few times the size
 * of the repository, so that a delta of a few bytes cannot expand to gigabytes.
 */
export function memoryFor({ storedKib, objects }: { storedKib: number; objects: number }): GitMemory {
  const moreKib = Math.min(2 * storedKib, maxDeltaKib) + Math.ceil((objects * bytesPerObject) / 1024)
  return { objectKib: defaultMemory.objectKib + moreKib, totalKib: defaultMemory.totalKib + 3 * moreKib }
}
