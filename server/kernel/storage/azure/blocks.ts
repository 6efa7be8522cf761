/**
 * A block of an Azure blob that is not committed yet. Block names contain the part of the object and the
 * upload attempt, which increases each time the part is uploaded again. A complete part ends with a one-byte
 * block whose name contains the number of blocks before it; this block is never committed.
 */
export interface Block {
  part: number
  attempt: number
  /** Number of the block within the attempt. For the last block: the number of blocks before it. */
  number: number
  isLast: boolean
}

const digits = (number: number): string => String(number).padStart(6, '0')

/**
 * Returns the name of a block of an Azure blob. Azure requires base64 names of equal length within a blob.
 */
export function blockName({ part, attempt, number, isLast }: Block): string {
  const text = [digits(part), digits(attempt), digits(number), isLast ? 'last' : 'some'].join('.')
  return Buffer.from(text).toString('base64')
}

/** Parses the name of a block of an Azure blob; undefined if the name has another format. */
export function blockOf(name: string): Block | undefined {
  const text = Buffer.from(name, 'base64').toString()
  const match = /^(\d{6})\.(\d{6})\.(\d{6})\.(last|some)$/.exec(text)
  if (!match) return undefined
  const [part = 0, attempt = 0, number = 0] = match.slice(1, 4).map(Number)
  return { part, attempt, number, isLast: match[4] === 'last' }
}

/** Returns the number of the next attempt to upload a part of an object. */
export function nextAttempt(blocks: readonly Block[], part: number): number {
  return Math.max(-1, ...blocks.filter(block => block.part === part).map(block => block.attempt)) + 1
}

/**
 * Returns the names of the Azure blocks that contain the given parts of an object, in order; undefined if a
 * part is incomplete.
 */
export function namesOfParts(blocks: readonly Block[], parts: readonly number[]): string[] | undefined {
  const ends = new Map<number, Block>()
  for (const block of blocks) {
    const other = ends.get(block.part)
    if (block.isLast && !(other && other.attempt > block.attempt)) ends.set(block.part, block)
  }
  const names: string[] = []
  for (const part of parts) {
    const end = ends.get(part)
    if (!end) return undefined
    for (let number = 0; number < end.number; number++)
      names.push(blockName({ ...end, number, isLast: false }))
  }
  return names
}
