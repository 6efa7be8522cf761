import type { DiffFile, DiffHunk, DiffLine } from './schema'
import { markWords } from './word-marks'

/** Limits of what is read of a file, and of all files. Bytes are those of lines, after long lines were cut. */
export interface DiffLimits {
  /** Files that are listed. Others are only counted. */
  listed: number
  /** Files with lines. Others are listed only. */
  files: number
  fileLines: number
  fileBytes: number
  lines: number
  bytes: number
}

/** In characters. */
export const maxLineLength = 5000

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/

const kinds: Record<number, DiffLine['kind'] | undefined> = { 32: ' ', 43: '+', 45: '-' }
const backslash = 92

export interface PatchReader {
  /** Takes a line without its line break. */
  take(line: Buffer, isCut: boolean): void
  /** Completes the file that was read last. */
  end(): void
}

/**
 * Reads the lines of a patch into the files that its `diff --git` lines name. Files that are cut beforehand are
 * skipped. A file that exceeds the limits is cut, and keeps its first lines only with `keepsStart`. Calls
 * `onFull` when the limits of all files are reached.
 */
export function patchReader(
  fileOf: (header: string) => DiffFile | undefined,
  { limits, keepsStart, onFull }: { limits: DiffLimits; keepsStart: boolean; onFull: () => void },
): PatchReader {
  const all = { lines: 0, bytes: 0 }
  let file: DiffFile | undefined
  let own = { lines: 0, bytes: 0 }
  let hunk: DiffHunk | undefined
  let [oldNumber, oldLeft, newNumber, newLeft] = [0, 0, 0, 0]

  const end = () => {
    if (hunk) markWords(hunk.lines)
    hunk = undefined
  }
  const isInside = () => oldLeft > 0 || newLeft > 0

  const startHunk = (line: Buffer) => {
    end()
    const text = line.toString('utf8')
    const [whole, oldStart, oldCount = '1', newStart, newCount = '1'] = hunkStart.exec(text) ?? []
    if (whole === undefined) return
    ;[oldNumber, oldLeft, newNumber, newLeft] = [oldStart, oldCount, newStart, newCount].map(Number) as [
      number,
      number,
      number,
      number,
    ]
    if (!file || file.isCut) return
    hunk = {
      header: text.slice(whole.length, whole.length + 200),
      oldStart: oldNumber,
      newStart: newNumber,
      lines: [],
    }
    file.hunks.push(hunk)
  }

  const cut = (current: DiffFile) => {
    end()
    current.isCut = true
    if (keepsStart) return
    current.hunks = []
    all.lines -= own.lines
    all.bytes -= own.bytes
  }

  const keep = (line: Buffer, isCut: boolean, kind: DiffLine['kind']) => {
    if (!file || !hunk) return
    own.lines++
    own.bytes += line.length
    all.lines++
    all.bytes += line.length
    const isFull = all.lines > limits.lines || all.bytes > limits.bytes
    if (isFull || own.lines > limits.fileLines || own.bytes > limits.fileBytes) {
      cut(file)
      if (isFull) onFull()
      return
    }
    hunk.lines.push({
      kind,
      ...lineText(line, isCut),
      ...(kind === '+' ? {} : { oldNumber }),
      ...(kind === '-' ? {} : { newNumber }),
    })
  }

  return {
    end,
    take(line, isCut) {
      if (line[0] === backslash) {
        const last = hunk?.lines.at(-1)
        if (last) last.noNewline = true
        return
      }
      // Only the counts tell a removed line `-- a/x` from a header.
      const kind = isInside() ? kinds[line[0] ?? 0] : undefined
      if (kind) {
        keep(line, isCut, kind)
        if (kind !== '+') [oldNumber, oldLeft] = [oldNumber + 1, oldLeft - 1]
        if (kind !== '-') [newNumber, newLeft] = [newNumber + 1, newLeft - 1]
      } else if (line.subarray(0, 4).equals(atSigns)) startHunk(line)
      else if (line.subarray(0, 11).equals(fileStart)) {
        end()
        const next = fileOf(line.toString('latin1'))
        // A file that became a symbolic link has two sections.
        if (next !== file) own = { lines: 0, bytes: 0 }
        file = next
      }
    },
  }
}

const atSigns = Buffer.from('@@ -')
const fileStart = Buffer.from('diff --git ')

function lineText(line: Buffer, isCut: boolean): Pick<DiffLine, 'text' | 'isCut'> {
  const text = line.toString('utf8', 1)
  if (!isCut && text.length <= maxLineLength) return { text }
  // Without half a character at the end.
  return { text: text.slice(0, maxLineLength).replace(/[\ud800-\udbff\ufffd]$/, ''), isCut: true }
}
