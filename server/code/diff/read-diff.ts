import { randomBytes } from 'node:crypto'
import { textFromGit } from '@/server/kernel/git/ref-text'
import { GitError, readGit } from '@/server/kernel/git/run'
import { isGenerated } from '@/server/kernel/rendering'
import { diffDeadlineMs, emptyTreeFor, fullId, literalPaths, safeDiffOptions } from './diff-arguments'
import { type DiffLimits, maxLineLength, patchReader } from './patch-reader'
import { type RawChange, recordParser, splitter } from './records'
import type { Diff, DiffFile } from './schema'

export interface DiffWanted {
  /** Full ID of the commit before; undefined for the empty tree, with which a root commit is compared. */
  base: string | undefined
  /** Full ID of the commit after. */
  head: string
  ignoreWhitespace: boolean
  /** Reads only these paths, with higher limits. A renamed file needs both of its paths. */
  paths?: readonly string[] | undefined
  limits?: Partial<DiffLimits> | undefined
}

const mib = 1024 * 1024

const overviewLimits: DiffLimits = {
  listed: 3000,
  files: 300,
  fileLines: 3000,
  fileBytes: mib,
  lines: 20_000,
  bytes: 5 * mib,
}

const aloneLimits: DiffLimits = { ...overviewLimits, fileLines: 20_000, fileBytes: 5 * mib }

// A character takes up to four bytes, and a header has two quoted paths of up to 4,096 bytes each.
const maxPart = Math.max(4 * maxLineLength, 8 * 4096 + 100)

const nul = 0
const lineFeed = 10

/**
 * Reads what differs between two commits, with one process of Git. For a merge commit, `base` is its first
 * parent. Beyond the limits, files have numbers but no lines. After ten seconds, or if Git cannot read a file,
 * returns what has been read until then.
 * @throws {GitError} if nothing could be read
 */
export async function readDiff(repository: string, wanted: DiffWanted, signal?: AbortSignal): Promise<Diff> {
  const { base, head, ignoreWhitespace, paths } = wanted
  const limits = { ...(paths ? aloneLimits : overviewLimits), ...wanted.limits }
  // Nobody can name a file so that it looks like the start of another file's section.
  const prefix = `${randomBytes(9).toString('hex')}/`
  const args = [
    ...['diff-tree', '-r', '-p', '--raw', '--numstat', '-z', '--full-index', ...safeDiffOptions],
    ...['--src-prefix=a/', `--dst-prefix=${prefix}`, ...(ignoreWhitespace ? ['-w'] : [])],
    ...[base ? fullId(base) : emptyTreeFor(head), fullId(head), '--', ...new Set(paths?.map(argumentOf))],
  ]
  const reading = startReading(limits, prefix, paths)
  const options = { repository, environment: literalPaths, timeoutMs: diffDeadlineMs, signal }
  try {
    await readGit(args, options, reading.take)
    return reading.diff(true)
  } catch (error) {
    if (error === enough) return reading.diff(true)
    const hasSome = error instanceof GitError && reading.hasSome()
    if (!hasSome || signal?.aborted) throw error
    return reading.diff(false)
  }
}

const enough = new Error('enough was read')

function startReading(limits: DiffLimits, prefix: string, paths: readonly string[] | undefined) {
  const total = { additions: 0, deletions: 0, filesChanged: 0 }
  const byPath = new Map<string, DiffFile>()
  const byHeader = new Map<string, DiffFile>()
  const numbered = new Set<DiffFile>()
  const read = new Set<DiffFile>()
  const records = recordParser({
    onChange: change => {
      const file = fileFrom(change)
      if (paths && !paths.includes(file.path)) return
      total.filesChanged++
      if (byPath.size >= limits.listed) return
      byPath.set(change.path.toString('latin1'), file)
      const { oldPath = change.path } = change
      byHeader.set(`diff --git ${quoted('a/', oldPath)} ${quoted(prefix, change.path)}`, file)
    },
    onNumbers: ({ path, lines }) => {
      const file = byPath.get(path.toString('latin1'))
      if (paths && !file) return
      total.additions += lines?.additions ?? 0
      total.deletions += lines?.deletions ?? 0
      if (!file) return
      numbered.add(file)
      file.isBinary = lines === undefined
      Object.assign(file, lines)
    },
    onOther: () => undefined,
  })
  const patch = patchReader(
    header => {
      const file = byHeader.get(header)
      if (file) read.add(file)
      return file
    },
    {
      limits,
      keepsStart: paths !== undefined,
      onFull: () => {
        throw enough
      },
    },
  )
  const startPatch = () => {
    for (const [index, file] of [...byPath.values()].entries()) {
      const isLarge = !paths && file.additions + file.deletions > limits.fileLines
      file.isCut = hasLines(file) && (index >= limits.files || isLarge)
    }
  }
  let ends = nul
  const take = splitter(nul, maxPart, (part, isCut) => {
    if (ends === lineFeed) patch.take(part, isCut)
    else if (part.length > 0) records(part)
    else {
      // An empty record separates the numbers from the patch.
      ends = lineFeed
      startPatch()
    }
    return ends
  })
  return {
    take,
    hasSome: () => byPath.size > 0,
    diff: (isComplete: boolean): Diff => {
      patch.end()
      const files = [...byPath.values()]
      for (const file of files) {
        const isMissing = hasLines(file) && !read.has(file)
        if (isMissing || (!isComplete && !numbered.has(file))) file.isCut = true
      }
      return { files, ...total, isTruncated: !isComplete || total.filesChanged > files.length }
    },
  }
}

const hasLines = (file: DiffFile): boolean => file.additions + file.deletions > 0

const submodule = '160000'

function fileFrom({ path, oldPath, status, ...change }: RawChange): DiffFile {
  const name = textFromGit(path)
  const present = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return {
    path: name,
    ...(oldPath ? { oldPath: textFromGit(oldPath) } : {}),
    status,
    ...present,
    isBinary: false,
    isSubmodule: change.oldMode === submodule || change.newMode === submodule,
    isGenerated: isGenerated(name),
    additions: 0,
    deletions: 0,
    hunks: [],
    isCut: false,
  }
}

const escapes: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

/** Quotes a path as Git does in the headers of a patch. */
function quoted(prefix: string, path: Buffer): string {
  const name = prefix + path.toString('latin1')
  const inside = name.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that Git quotes.
    /[\x00-\x1f\x7f-\xff"\\]/g,
    letter => escapes[letter] ?? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return inside === name ? name : `"${inside}"`
}

// A path that is not valid UTF-8 cannot be an argument, but a folder above it can.
function argumentOf(path: string): string {
  if (path.isWellFormed()) return path
  const valid = path.slice(0, path.search(/[\udc80-\udcff]/u))
  return valid.slice(0, valid.lastIndexOf('/') + 1) || '.'
}
