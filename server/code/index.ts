/** The code of repositories: files, trees, commits, and what they have in common with the Git objects behind them. */

export { findCommit, knownCommit } from '@/server/kernel/git/revision'
export { type Archive, findArchive } from './archive'
export { countCommitsSince } from './commits/since'
export { type DiffForm, type DiffTarget, findDiffText } from './diff-text'
export { findRawFile, findRenamedRaw, type RawFile, type RawTarget } from './raw'
export { readBlob } from './tree/blob'
