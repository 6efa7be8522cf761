import { emptyTreeFor, fullId } from './diff-arguments'

// `git diff` and not `git diff-tree`: the text is then what Gitea answers, with index lines of seven digits,
// or more where seven would be ambiguous. Programs named by attributes are not run.
const diff = ['diff', '-M', '--no-ext-diff', '--no-textconv', '--no-color']

// Without the signature, the text does not depend on the version of Git.
const formatPatch = [
  'format-patch',
  '--stdout',
  '--no-signature',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
]

/**
 * Returns the arguments of Git for the text of a commit's diff: `.diff`. A merge is compared with its first
 * parent, a root commit with the empty tree.
 */
export const diffArguments = (commit: string, firstParent: string | undefined): string[] => [
  ...diff,
  firstParent ? fullId(firstParent) : emptyTreeFor(commit),
  fullId(commit),
  '--',
]

/**
 * Returns the arguments of Git for the text of a commit as `git am` reads it: `.patch`. For a merge, these are
 * the commits that it brought, because a merge itself has no such form.
 */
export const patchArguments = (commit: string, firstParent: string | undefined): string[] =>
  // Not `-1`: for a merge, that is another commit.
  firstParent
    ? [...formatPatch, `${fullId(firstParent)}..${fullId(commit)}`, '--']
    : [...formatPatch, '--root', fullId(commit), '--']

/** Returns the arguments of Git for the commits of `base...head` as `git am` reads them, oldest first. */
export const comparedPatchArguments = (base: string, head: string): string[] => [
  ...formatPatch,
  `${fullId(base)}..${fullId(head)}`,
  '--',
]
