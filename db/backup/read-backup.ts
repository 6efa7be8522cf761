import { createHash } from 'node:crypto'
import {
  type BackupHeader,
  backupFormat,
  backupVersion,
  damaged,
  type Line,
  type Row,
  type SequencesLine,
  type TableLine,
  type Trailer,
} from './format'
import { readLines } from './read-lines'

/** Receives the parts of a backup in the order in which they are read. */
export interface BackupReader {
  header(header: BackupHeader): Promise<void>
  table(line: TableLine): Promise<void>
  row(row: Row): Promise<void>
  sequences(line: SequencesLine): Promise<void>
}

/**
 * Reads a backup to its end, verifies its checksum and returns the trailer.
 * @throws {Error} if the backup is incomplete or damaged; the reader may already have received parts of it.
 */
export async function readBackup(
  source: AsyncIterable<string | Buffer>,
  reader: BackupReader,
): Promise<Trailer> {
  const hash = createHash('sha256')
  let begun = false
  let trailer: Trailer | undefined
  for await (const text of readLines(source)) {
    const line = parseLine(text, begun)
    if (trailer) throw damaged('there is data after the trailer')
    if (!Array.isArray(line) && 'sha256' in line) {
      if (line.sha256 !== hash.digest('hex')) throw damaged('the checksum does not match')
      trailer = line
      continue
    }
    hash.update(text).update('\n')
    if (!begun) await reader.header(checkHeader(line))
    else if (Array.isArray(line)) await reader.row(line)
    else if ('table' in line) await reader.table(line)
    else if ('sequences' in line) await reader.sequences(line)
    else throw damaged('it contains a line of an unknown type')
    begun = true
  }
  if (!trailer) throw damaged('the trailer is missing')
  return trailer
}

/** @throws {Error} if the first line of a backup is not one, or in another format. */
export const parseHeader = (text: string): BackupHeader => checkHeader(parseLine(text, false))

function parseLine(text: string, begun: boolean): Line {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return line as Line
  } catch {}
  throw begun ? damaged('it contains a line that cannot be parsed') : notABackup()
}

function checkHeader(line: Line): BackupHeader {
  if (Array.isArray(line) || !('format' in line) || line.format !== backupFormat) throw notABackup()
  if (line.version === backupVersion) return line
  throw new Error(
    `the backup has format version ${line.version}, but this program reads only version ${backupVersion}`,
  )
}

export function notABackup(cause?: unknown): Error {
  return new Error('this is not a Guildhall backup', { cause })
}
