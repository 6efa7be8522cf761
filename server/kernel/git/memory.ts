/** The memory one git may take, in KiB; git refuses what would exceed it. */
export interface GitMemory {
  /** The largest object it may hold whole. Larger files are streamed. */
  objectKib: number
  /** Altogether, besides pack files that it maps. Kept on Linux. */
  totalKib: number
}

const mib = 1024

// In the longest of git's lists; a clone of small objects takes three times that.
const bytesPerObject = 96

// A file of this size besides what every git may hold: whoever has larger ones pushes them whole.
const maxDeltaKib = 128 * mib

/** Enough for every small command, whatever is in the repository. */
export const defaultMemory: GitMemory = { objectKib: 24 * mib, totalKib: 128 * mib }

/**
 * The memory of a git that goes through a whole repository of this size, with so many objects in it or coming: its lists
 * grow with the number of objects, and a new version of a large file may be a delta of the old one. That may become a few
 * times what was really pushed, so that the few bytes of a delta never become gigabytes.
 */
export function memoryFor({ storedKib, objects }: { storedKib: number; objects: number }): GitMemory {
  const moreKib = Math.min(2 * storedKib, maxDeltaKib) + Math.ceil((objects * bytesPerObject) / 1024)
  return { objectKib: defaultMemory.objectKib + moreKib, totalKib: defaultMemory.totalKib + 3 * moreKib }
}
