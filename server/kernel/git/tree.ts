import type { GitObject } from './objects'
import { textFromGit } from './ref-text'

/** An entry of a Git tree. */
export interface TreeEntry {
  /** Six octal digits, such as `100644`, `120000` for a symbolic link, or `160000` for a submodule. */
  mode: string
  type: 'blob' | 'tree' | 'commit'
  /** Name, decoded by `textFromGit`. A hostile tree can contain any name, such as `..` or `a/b`. */
  name: string
  id: string
}

const space = 32

// Longest mode that Git writes is six digits.
const maxMode = 8

/**
 * Parses a Git tree object, in Git's order. `isWhole` is false if the object is malformed, truncated, or no
 * tree; the entries before that are returned.
 */
export function parseTree({ sha, type, text, isWhole }: GitObject): {
  entries: TreeEntry[]
  isWhole: boolean
} {
  const entries: TreeEntry[] = []
  if (type !== 'tree') return { entries, isWhole: false }
  // The IDs in a tree are as long as its own: 20 bytes, or 32 with SHA-256.
  const idLength = sha.length / 2
  for (let at = 0; at < text.length; ) {
    const gap = text.subarray(at, at + maxMode).indexOf(space)
    const mode = gap < 0 ? '' : text.toString('latin1', at, at + gap)
    const end = text.indexOf(0, at + gap)
    if (!isMode.test(mode) || end < 0 || end + 1 + idLength > text.length) return { entries, isWhole: false }
    const name = textFromGit(text.subarray(at + gap + 1, end))
    const id = text.toString('hex', end + 1, end + 1 + idLength)
    entries.push({ mode: mode.padStart(6, '0'), type: typeOf(mode), name, id })
    at = end + 1 + idLength
  }
  return { entries, isWhole }
}

const isMode = /^[0-7]{1,6}$/

const format = 0o170000

// Like Git, which takes every other mode for a submodule.
function typeOf(mode: string): TreeEntry['type'] {
  const kind = Number.parseInt(mode, 8) & format
  if (kind === 0o040000) return 'tree'
  return kind === 0o100000 || kind === 0o120000 ? 'blob' : 'commit'
}
