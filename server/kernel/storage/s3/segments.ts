/** Some bytes of a part; `end` is the last one. */
export interface Slice {
  part: number
  start: number
  end: number
}

/** What becomes one part of the composed object: copied by the server, or small ones read, put together and sent. */
export type Segment = { copied: Slice } | { sent: Slice[] }

const mib = 1024 * 1024
/** The least that any part of an object but its last may have. */
const leastBytes = 5 * mib
/** The most that is copied at once; the limit is 5 GiB. */
const mostBytes = 1024 * mib

/** Plans how parts of these sizes become one object with as few bytes moved as may be: all segments but the last have 5 MiB. */
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
      // What would be left must be enough for a segment of its own.
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
