/** A byte range of a part; `end` is inclusive. */
export interface Slice {
  part: number
  start: number
  end: number
}

/** One part of the composed object: copied by the server, or read from small parts and uploaded. */
export type Segment = { copied: Slice } | { sent: Slice[] }

const mib = 1024 * 1024
/** The minimum size of every part except the last. */
const leastBytes = 5 * mib
/** The most to copy at once; the limit is 5 GiB. */
const mostBytes = 1024 * mib

/**
 * Plans how to compose parts of these sizes while moving as few bytes as possible. Every segment except the last has
 * at least 5 MiB.
 */
export function planSegments(sizes: readonly number[]): Segment[] {
  const segments: Segment[] = []
  let small: Slice[] = []
  let smallBytes = 0
  const add = (part: number, start: number, count: number) => {
    if (count > 0) small.push({ part, start, end: start + count - 1 })
    smallBytes += count
  }
  const sendSmall = () => {
    if (small.length > 0) segments.push({ sent: small })
    small = []
    smallBytes = 0
  }
  for (const [part, size] of sizes.entries()) {
    let start = 0
    if (smallBytes > 0) {
      const lacking = leastBytes - smallBytes
      // The remainder must be large enough for its own segment.
      start = size >= lacking + leastBytes ? lacking : size
      add(part, 0, start)
      if (smallBytes >= leastBytes) sendSmall()
    }
    while (size - start >= leastBytes) {
      const left = size - start
      const count = left < mostBytes + leastBytes ? left : mostBytes
      segments.push({ copied: { part, start, end: start + count - 1 } })
      start += count
    }
    add(part, start, size - start)
  }
  sendSmall()
  return segments
}
