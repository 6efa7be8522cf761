import { z } from 'zod'

/** A line of a diff. `text` has no line break, and at most 5,000 characters. */
export interface DiffLine {
  kind: ' ' | '+' | '-'
  text: string
  /** Line number in the old file; absent for an added line. */
  oldNumber?: number
  /** Line number in the new file; absent for a removed line. */
  newNumber?: number
  /** Whether it is the last line of its file, and has no line break. */
  noNewline?: true
  /** Whether the line is longer than `text`. */
  isCut?: true
  /** Start and end of the part of `text` that differs from the line with which it was replaced. */
  mark?: [start: number, end: number]
}

/** Lines that changed, with those around them. `header` is the function or section in which Git found them. */
export interface DiffHunk {
  header: string
  oldStart: number
  newStart: number
  lines: DiffLine[]
}

export type DiffStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type changed'

/** A changed file. Paths are decoded as by `textFromGit`, modes are Git's, such as `100644`. */
export interface DiffFile {
  path: string
  /** Previous path of a renamed or copied file. */
  oldPath?: string
  status: DiffStatus
  /** Absent for an added file. */
  oldMode?: string
  /** Absent for a deleted file. */
  newMode?: string
  /** Object ID; absent for an added file. */
  oldId?: string
  /** Object ID; absent for a deleted file. */
  newId?: string
  isBinary: boolean
  isSubmodule: boolean
  /** Whether the name is one that programs write, such as that of a lock file. */
  isGenerated: boolean
  additions: number
  deletions: number
  hunks: DiffHunk[]
  /** Whether lines are missing from `hunks`, because a limit was reached. */
  isCut: boolean
  /** How much of a renamed or copied file is unchanged, in percent. */
  similarity?: number
}

/** What differs between two commits. */
export interface Diff {
  /** The changed files, at most 3,000. */
  files: DiffFile[]
  additions: number
  deletions: number
  filesChanged: number
  /** Whether `files` lacks some, or numbers are too small, because a limit was reached. */
  isTruncated: boolean
}

/** A changed file as the REST API names it: a renamed file is one that was removed and one that was added. */
export const ChangedFile = z
  .object({ filename: z.string(), status: z.enum(['added', 'removed', 'modified']) })
  .meta({ id: 'CommitAffectedFiles' })
export type ChangedFile = z.output<typeof ChangedFile>

/** How many lines a commit changes. `total` is the sum of the others. */
export const CommitStats = z
  .object({ additions: z.int(), deletions: z.int(), total: z.int() })
  .meta({ id: 'CommitStats' })
export type CommitStats = z.output<typeof CommitStats>
