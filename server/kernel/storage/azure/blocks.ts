/**
 * Every block of an unfinished blob has a name, from which its part can be read. A part that is sent again is a later attempt. One
 * that all has come of ends with a block of a single byte, which says how many there were and never gets into the blob.
 */
export interface Block {
  part: number
  attempt: number
  /** Of the last one: how many came before it. */
  number: number
  isLast: boolean
}

const digits = (number: number): string => String(number).padStart(6, '0')

/** Names of blocks are base64, and of one length within a blob. */
export function blockName({ part, attempt, number, isLast }: Block): string {
  const text = [digits(part), digits(attempt), digits(number), isLast ? 'last' : 'some'].join('.')
  return Buffer.from(text).toString('base64')
}

/** Reads a name; undefined for one that was not made here. */
export function blockOf(name: string): Block | undefined {
  const text = Buffer.from(name, 'base64').toString()
  const match = /^(\d{6})\.(\d{6})\.(\d{6})\.(last|some)$/.exec(text)
  if (!match) return undefined
  const [part = 0, attempt = 0, number = 0] = match.slice(1, 4).map(Number)
  return { part, attempt, number, isLast: match[4] === 'last' }
}

/** The attempt that a part to be sent is. */
export function nextAttempt(blocks: readonly Block[], part: number): number {
  return Math.max(-1, ...blocks.filter(block => block.part === part).map(block => block.attempt)) + 1
}

/** The names of the blocks that the first parts are made of; undefined when not all of a part has come. */
export function namesOfParts(blocks: readonly Block[], parts: number): string[] | undefined {
  const ends = new Map<number, Block>()
  for (const block of blocks) {
    const other = ends.get(block.part)
    if (block.isLast && !(other && other.attempt > block.attempt)) ends.set(block.part, block)
  }
  const names: string[] = []
  for (let part = 0; part < parts; part++) {
    const end = ends.get(part)
    if (!end) return undefined
    for (let number = 0; number < end.number; number++)
      names.push(blockName({ ...end, number, isLast: false }))
  }
  return names
}
