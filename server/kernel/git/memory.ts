/** What a git may take of memory, in KiB; what exceeds it, git refuses to do. */
export interface GitMemory {
  /** The largest object it may hold whole. Larger files are streamed. */
  objectKib: number
  /** Altogether, besides pack files that it maps. Kept on Linux. */
  totalKib: number
}

const mib = 1024

// In the longest of git's lists.
const bytesPerObject = 96

// More come in several pushes: what a pack announces may not be true.
const mostAnnounced = 8_000_000

/** Enough for every small command, whatever is in the repository. */
export const usualMemory: GitMemory = { objectKib: 24 * mib, totalKib: 128 * mib }

/**
 * The memory of a git that goes through a whole repository of this size, into which a pack of so many objects comes:
 * its lists grow with the number of objects, and a new version of a large file may be a delta of the old one. A few
 * times what was really pushed, so that the few bytes of a delta never become gigabytes.
 */
export function memoryFor(storedKib: number, newObjects = 0): GitMemory {
  const listKib = Math.ceil((Math.min(newObjects, mostAnnounced) * bytesPerObject) / 1024)
  return {
    objectKib: usualMemory.objectKib + 2 * storedKib + listKib,
    totalKib: usualMemory.totalKib + 6 * storedKib + 4 * listKib,
  }
}
