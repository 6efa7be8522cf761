import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { parseLine } from './line'
import { findLog, type Log, readableRows, selectChunks } from './store'

type ReadCtx = Pick<ServiceCtx, 'db' | 'storage'>

/** Row of a log as pages show it. */
export interface ReadRow {
  time: string
  content: string
}

const maxBytes = 1024 * 1024

/**
 * Reads up to `limit` rows starting at row `from`. Returns fewer at the end of the log, or once the rows
 * exceed 1 MiB.
 */
export async function readRows(
  ctx: ReadCtx,
  log: Log,
  { from, limit }: { from: number; limit: number },
): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  const to = Math.min(from + limit, readableRows(log))
  let size = 0
  for await (const line of linesOf(readBytes(ctx, log, from, to))) {
    rows.push(parseLine(line))
    size += line.length
    if (rows.length >= to - from || size > maxBytes) break
  }
  return rows
}

/**
 * Opens a log as a text stream of exactly `log_bytes`, even if rows are added or the log is moved to the
 * storage while it is read. If the log is deleted, the stream fails. The caller must read or destroy it.
 */
export function openLog(ctx: ReadCtx, log: Log): Readable {
  const source = readBytes(ctx, log, 0, readableRows(log))
  return Readable.from(exactly(log.log_bytes, source), { objectMode: false })
}

// A response that is shorter or longer than announced would be mixed up with the next one on its connection.
async function* exactly(length: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = length
  for await (const bytes of source) {
    yield bytes.subarray(0, left)
    left -= bytes.length
    if (left <= 0) return
  }
  if (left > 0) throw new Error('the log was deleted while it was being read')
}

/** Reads whole lines from row `from` to at least row `to`. */
async function* readBytes(ctx: ReadCtx, log: Log, from: number, to: number): AsyncGenerator<Buffer> {
  let at = from
  while (at < to && log.storage_key === null) {
    const chunks = await selectChunks(ctx.db, log.id, at, to)
    if (chunks.length === 0) break
    for (const { first_row, row_count, content } of chunks) {
      yield withoutLines(content, at - first_row)
      at = first_row + row_count
    }
  }
  if (at >= to) return
  // The log may have been moved to the storage since it was loaded.
  const stored = log.storage_key === null ? await findLog(ctx.db, log.id) : log
  if (stored) yield* readStored(ctx, stored, at, to)
}

async function* readStored(
  { storage }: ReadCtx,
  { storage_key, log_index }: Log,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  if (storage_key === null || !log_index) return
  const start = log_index.findLast(({ row }) => row <= from)
  const end = log_index.find(({ row }) => row >= to)
  if (!start || !end) return
  const range = { start: start.byte, end: end.byte - 1 }
  const unzipped = createGunzip()
  // Also stops the download if the reader stops early.
  pipeline(await storage.get(storage_key, range), unzipped, () => undefined)
  let skipped = from - start.row
  for await (const bytes of unzipped as AsyncIterable<Buffer>) {
    const lines = skipped > 0 ? countLines(bytes) : 0
    if (skipped > 0 && lines < skipped) {
      skipped -= lines
      continue
    }
    const rest = withoutLines(bytes, skipped)
    skipped = 0
    if (rest.length > 0) yield rest
  }
}

const lineFeed = 0x0a

function withoutLines(bytes: Buffer, count: number): Buffer {
  let at = 0
  for (let left = count; left > 0; left--) at = bytes.indexOf(lineFeed, at) + 1
  return bytes.subarray(at)
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const bytes of source) {
    let at = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, at)) {
      yield Buffer.concat([...begun, bytes.subarray(at, end + 1)])
      begun = []
      at = end + 1
    }
    if (at < bytes.length) begun.push(bytes.subarray(at))
  }
}
