import { linesFromGit } from '@/server/kernel/git/ref-text'

/**
 * A ref that a push moved, created or deleted: the full ref name, such as `refs/heads/main`, and the object
 * IDs before and after the push. All zeros mean that the ref does not exist.
 */
export interface RefUpdate {
  ref: string
  before: string
  after: string
}

export const isAbsent = (id: string): boolean => /^0+$/.test(id)

export function isBranch(ref: string): boolean {
  return ref.startsWith('refs/heads/')
}

export function isTag(ref: string): boolean {
  return ref.startsWith('refs/tags/')
}

/** Parses the input that Git passes to its hooks: one line of `<before> <after> <ref>` per ref. */
export function parseUpdates(bytes: Buffer): RefUpdate[] {
  return linesFromGit(bytes).flatMap(line => {
    const [, before, after, ref] = /^([0-9a-f]+) ([0-9a-f]+) (refs\/[^\n]+)$/.exec(line) ?? []
    return before && after && ref ? [{ before, after, ref }] : []
  })
}
