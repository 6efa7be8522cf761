import { readGit } from './run'

/** An object as git keeps it, its text cut off at a limit. */
export interface GitObject {
  sha: string
  type: string
  text: Buffer
}

const mostText = 64 * 1024

/**
 * Reads objects, in order, with one process; undefined stands for one that does not exist.
 * Of each no more than its first 64 KiB are kept. `names` must be ids, or ids with a suffix such as `^{}`.
 */
export async function readObjects(
  repository: string,
  names: readonly string[],
): Promise<(GitObject | undefined)[]> {
  if (names.length === 0) return []
  const reader = objectReader()
  const input = names.map(name => `${name}\n`).join('')
  await readGit(['cat-file', '--batch'], { repository, input }, reader.take)
  return reader.objects
}

// The output is `<id> <type> <size>` on a line, the bytes and a line end, or `<name> missing` on a line.
function objectReader(): { objects: (GitObject | undefined)[]; take(chunk: Buffer): void } {
  const objects: (GitObject | undefined)[] = []
  let head = ''
  let current: GitObject | undefined
  let left = 0
  const begin = (line: string) => {
    const [sha = '', type = '', size] = line.split(' ')
    if (size === undefined) return void objects.push(undefined)
    current = { sha, type, text: Buffer.alloc(0) }
    objects.push(current)
    left = Number(size) + 1
  }
  const take = (chunk: Buffer): void => {
    let at = 0
    while (at < chunk.length) {
      if (current) {
        const part = chunk.subarray(at, at + left)
        const wanted = Math.min(left - 1, mostText - current.text.length, part.length)
        if (wanted > 0) current.text = Buffer.concat([current.text, part.subarray(0, wanted)])
        at += part.length
        left -= part.length
        if (left === 0) current = undefined
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
  return { objects, take }
}
