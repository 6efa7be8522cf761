import type { GitOptions } from '@/server/kernel/git/run'

const emptyTrees: Record<number, string> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * Returns a full commit ID, so that nothing else becomes an argument of Git.
 * @throws {TypeError} if it is anything else
 */
export function fullId(id: string): string {
  if (!commitId.test(id)) throw new TypeError('not a full commit ID')
  return id
}

/** Returns the ID of the tree without files, in the same object format as the commit. Git need not store it. */
export const emptyTreeFor = (id: string): string => emptyTrees[id.length] ?? ''

/** Options for everything that compares: no programs of the repository's attributes, and bounded rename detection. */
export const safeDiffOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames=50%',
  '-l1000',
] as const

/** Time for one comparison. */
export const diffDeadlineMs = 10_000

/** Environment for commands with paths as arguments: they are names, not patterns. */
export const literalPaths: NonNullable<GitOptions['environment']> = { GIT_LITERAL_PATHSPECS: '1' }
