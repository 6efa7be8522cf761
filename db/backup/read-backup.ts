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

/** What the one who reads a backup does with its parts, in the order they come. */
export interface BackupReader {
  header(header: BackupHeader): Promise<void>
  table(line: TableLine): Promise<void>
  row(row: Row): Promise<void>
  sequences(line: SequencesLine): Promise<void>
}

/**
 * Reads a backup to its end and gives the trailer, whose hash it has checked.
 * @throws {Error} on anything that is not a whole backup; by then the reader may have seen a part of it.
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
    if (trailer) throw damaged('something follows its end')
    if (!Array.isArray(line) && 'sha256' in line) {
      if (line.sha256 !== hash.digest('hex')) throw damaged('its checksum does not fit')
      trailer = line
      continue
    }
    hash.update(text).update('\n')
    if (!begun) await reader.header(checkHeader(line))
    else if (Array.isArray(line)) await reader.row(line)
    else if ('table' in line) await reader.table(line)
    else if ('sequences' in line) await reader.sequences(line)
    else throw damaged('it has a line of an unknown kind')
    begun = true
  }
  if (!trailer) throw damaged('its end is missing')
  return trailer
}

function parseLine(text: string, begun: boolean): Line {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return line as Line
  } catch {}
  throw begun ? damaged('it has a line that cannot be read') : notABackup()
}

function checkHeader(line: Line): BackupHeader {
  if (Array.isArray(line) || !('format' in line) || line.format !== backupFormat) throw notABackup()
  if (line.version === backupVersion) return line
  throw new Error(`the backup has format version ${line.version}, this program reads ${backupVersion}`)
}

export function notABackup(cause?: unknown): Error {
  return new Error('this is not a Guildhall backup', { cause })
}
