/** A byte range of one uploaded part of an object; `end` is inclusive. */
export interface Slice {
  part: number
  start: number
  end: number
}

/**
 * A part of the S3 multipart upload that composes an object: either a byte range that the S3 server copies,
 * or small byte ranges that are downloaded and uploaded together.
 */
export type Segment = { copied: Slice } | { sent: Slice[] }

const mib = 1024 * 1024
/** Minimum size of every segment except the last, in bytes. */
const leastBytes = 5 * mib
/** Maximum number of bytes to copy in one request; S3's limit is 5 GiB. */
const mostBytes = 1024 * mib

/**
 * Plans an S3 multipart upload that composes parts of these sizes, in bytes, into one object while
 * transferring as few bytes as possible. Every segment except the last has at least 5 MiB, which S3 requires.
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
      // The remainder must be large enough for a segment of its own.
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
