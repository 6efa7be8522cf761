import type { ListedBlock } from '@/server/artifacts/uploads/block-order'
import { BlobError } from './errors'

const space = /[ \t\r\n]*/y
const declaration = /\uFEFF?(?:<\?xml[^<>]*\?>)?/y
const opening = /<BlockList[ \t\r\n]*(\/)?>/y
// The ID must not be empty, because two adjacent runs of white space would take quadratic time to match.
const entry =
  /<(Latest|Committed|Uncommitted)>[ \t\r\n]*([A-Za-z0-9+/]+={0,2})[ \t\r\n]*<\/(Latest|Committed|Uncommitted)[ \t\r\n]*>/y
const closing = /<\/BlockList[ \t\r\n]*>/y

/**
 * Parses a block list. Accepts only the elements that a block list can have and interprets nothing else.
 * @throws {BlobError} InvalidXmlDocument; InvalidBlockList if there are more than `mostBlocks`.
 */
export function parseBlockList(xml: string, mostBlocks: number): ListedBlock[] {
  let at = 0
  const read = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(xml) ?? undefined
    if (match) at = pattern.lastIndex
    return match
  }
  const blocks: ListedBlock[] = []
  read(declaration)
  read(space)
  const root = read(opening) ?? refuse(at)
  while (!root[1]) {
    read(space)
    const block = read(entry)
    if (!block) {
      if (!read(closing)) refuse(at)
      break
    }
    const [, from = '', name = '', end] = block
    if (from !== end || !isBlockId(name)) refuse(at)
    if (blocks.length === mostBlocks) {
      throw new BlobError(400, 'InvalidBlockList', `a block list can have at most ${mostBlocks} blocks`)
    }
    blocks.push({ from: from.toLowerCase() as ListedBlock['from'], name })
  }
  read(space)
  if (at < xml.length) refuse(at)
  return blocks
}

function refuse(at: number): never {
  throw new BlobError(400, 'InvalidXmlDocument', `the block list is not valid at character ${at + 1}`)
}

/** Whether a string can be a block id: base64 of 1 to 64 bytes. */
export function isBlockId(text: string): boolean {
  return text.length > 0 && text.length <= 88 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
    ? Buffer.from(text, 'base64').length <= 64
    : false
}
