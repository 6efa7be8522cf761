import { linesFromGit } from '@/server/kernel/git/ref-text'

/** One ref that a push moved, made or deleted, by its full name as `textFromGit` reads it. */
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

/** Reads what git gives its hooks: `<before> <after> <ref>` on each line. */
export function parseUpdates(bytes: Buffer): RefUpdate[] {
  return linesFromGit(bytes).flatMap(line => {
    const [, before, after, ref] = /^([0-9a-f]+) ([0-9a-f]+) (refs\/[^\n]+)$/.exec(line) ?? []
    return before && after && ref ? [{ before, after, ref }] : []
  })
}
