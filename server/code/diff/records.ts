import type { DiffStatus } from './schema'

/** A changed file as `--raw` prints it. Modes and IDs are absent on the side where there is no file. */
export interface RawChange {
  status: DiffStatus
  path: Buffer
  oldPath: Buffer | undefined
  oldMode: string | undefined
  newMode: string | undefined
  oldId: string | undefined
  newId: string | undefined
  similarity: number | undefined
}

/** Numbers of changed lines as `--numstat` prints them; undefined for a binary file. */
export interface LineNumbers {
  path: Buffer
  lines: { additions: number; deletions: number } | undefined
}

export interface RecordReader {
  onChange(change: RawChange): void
  onNumbers(numbers: LineNumbers): void
  /** Called with any other record, such as the ID of the commit to which the next ones belong. */
  onOther(record: Buffer): void
}

const statuses: Record<string, DiffStatus> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}

const tab = 9
const colon = 58

/**
 * Returns a function that takes the records of `git diff-tree --raw --numstat -z`, one by one and without
 * their NUL.
 */
export function recordParser({ onChange, onNumbers, onOther }: RecordReader): (record: Buffer) => void {
  let paths: Buffer[] = []
  let missing = 0
  let complete: (paths: Buffer[]) => void = () => undefined
  const expect = (count: number, then: (paths: Buffer[]) => void) => {
    paths = []
    missing = count
    complete = then
  }
  return record => {
    if (missing > 0) {
      paths.push(record)
      if (--missing === 0) complete(paths)
    } else if (record[0] === colon) {
      const change = rawFields(record)
      const isPair = change.similarity !== undefined
      expect(isPair ? 2 : 1, ([first = record, second]) =>
        onChange({ ...change, path: second ?? first, oldPath: second && first }),
      )
    } else if (record.includes(tab)) {
      const start = record.indexOf(tab, record.indexOf(tab) + 1) + 1
      const [additions = '', deletions] = record.toString('latin1', 0, start).split('\t')
      const lines =
        additions === '-' ? undefined : { additions: Number(additions), deletions: Number(deletions) }
      const path = record.subarray(start)
      if (path.length > 0) onNumbers({ path, lines })
      else expect(2, ([, second = record]) => onNumbers({ path: second, lines }))
    } else onOther(record)
  }
}

function rawFields(record: Buffer): Omit<RawChange, 'path' | 'oldPath'> {
  const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = record
    .toString('latin1', 1)
    .split(' ')
  return {
    status: statuses[status[0] ?? ''] ?? 'modified',
    oldMode: present(oldMode),
    newMode: present(newMode),
    oldId: present(oldId),
    newId: present(newId),
    similarity: /^[RC]/.test(status) ? Number(status.slice(1)) : undefined,
  }
}

const present = (field: string): string | undefined => (/^0*$/.test(field) ? undefined : field)

/**
 * Returns a function that takes output of Git in chunks and passes on its parts without their separator. Of a
 * part that is longer than `maxBytes`, only so many bytes are kept, and `isCut` is true. `take` returns the
 * byte that ends the next part.
 */
export function splitter(
  separator: number,
  maxBytes: number,
  take: (part: Buffer, isCut: boolean) => number,
): (chunk: Buffer) => void {
  let kept: Buffer[] = []
  let size = 0
  let isCut = false
  let ends = separator
  const keep = (bytes: Buffer) => {
    if (bytes.length > maxBytes - size) isCut = true
    const fitting = bytes.subarray(0, maxBytes - size)
    if (fitting.length === 0) return
    kept.push(fitting)
    size += fitting.length
  }
  return chunk => {
    let start = 0
    for (let end = chunk.indexOf(ends); end >= 0; end = chunk.indexOf(ends, start)) {
      keep(chunk.subarray(start, end))
      const part = kept.length === 1 ? kept[0]! : Buffer.concat(kept)
      const wasCut = isCut
      kept = []
      size = 0
      isCut = false
      start = end + 1
      ends = take(part, wasCut)
    }
    // A copy, because a few bytes would otherwise keep the whole chunk in memory.
    if (start < chunk.length) keep(Buffer.from(chunk.subarray(start, start + maxBytes + 1)))
  }
}
