import { readGit } from './run'

/** An object as git keeps it, its text cut off at a limit. */
export interface GitObject {
  sha: string
  type: string
  text: Buffer
}

const mostText = 64 * 1024
// Larger ones are files that a tag names: reading through them would take as long as they are.
const mostRead = 1024 * 1024

/**
 * Reads objects, in order; undefined stands for one that does not exist. Of each no more than its first 64 KiB are
 * kept, and of one above a mebibyte nothing. `names` must be ids, or ids with a suffix such as `^{}`.
 */
export async function readObjects(
  repository: string,
  names: readonly string[],
): Promise<(GitObject | undefined)[]> {
  const objects: (GitObject | undefined)[] = []
  // One process for all, and another to go on after an object that is passed over.
  while (objects.length < names.length) {
    const input = names.slice(objects.length).map(name => `${name}\n`)
    await readGit(['cat-file', '--batch'], { repository, input: input.join('') }, reader(objects)).catch(
      error => {
        if (error !== passedOver) throw error
      },
    )
  }
  return objects
}

const passedOver = new Error('an object is passed over')

// The output is `<id> <type> <size>` on a line, the bytes and a line end, or `<name> missing` on a line.
function reader(objects: (GitObject | undefined)[]): (chunk: Buffer) => void {
  let head = ''
  let current: GitObject | undefined
  let left = 0

  function begin(line: string): void {
    const [sha = '', type = '', size] = line.split(' ')
    current = size === undefined ? undefined : { sha, type, text: Buffer.alloc(0) }
    objects.push(current)
    if (Number(size) > mostRead) throw passedOver
    left = Number(size) + 1
  }

  function gather(part: Buffer, object: GitObject): void {
    const wanted = Math.min(left - 1, mostText - object.text.length, part.length)
    if (wanted > 0) object.text = Buffer.concat([object.text, part.subarray(0, wanted)])
    left -= part.length
    if (left === 0) current = undefined
  }

  return chunk => {
    let at = 0
    while (at < chunk.length) {
      if (current) {
        const part = chunk.subarray(at, at + left)
        gather(part, current)
        at += part.length
        continue
      }
      const end = chunk.indexOf(10, at)
      head += chunk.toString('latin1', at, end < 0 ? undefined : end)
      at = end < 0 ? chunk.length : end + 1
      if (end < 0) continue
      begin(head)
      head = ''
    }
  }
}
