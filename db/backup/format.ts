/**
 * A backup is newline-delimited JSON: a header; for each table a line that names its columns, followed by its
 * rows as arrays of text or null; the sequences; and a trailer that proves that everything before it is whole.
 */
export const backupFormat = 'guildhall-backup'
export const backupVersion = 1

export interface BackupHeader {
  format: typeof backupFormat
  version: typeof backupVersion
  /** Rows fit only the tables that exactly these migrations make. */
  migrations: string[]
  createdAt: string
  /** The instance key in base64, without which the sealed values in the rows cannot be read. */
  secretKey?: string
}

export interface TableLine {
  table: string
  columns: string[]
}

/** Last value, and whether it was handed out already: an id is never given twice, not even a deleted row's. */
export interface SequencesLine {
  sequences: Record<string, [value: string, called: boolean]>
}

export interface Trailer {
  rows: RowCounts
  /** Over every byte before this line, in hexadecimal. */
  sha256: string
}

export type Row = (string | null)[]
export type RowCounts = Record<string, number>
export type Line = BackupHeader | TableLine | Row | SequencesLine | Trailer

/** How many rows are read and written at a time; fewer when they are large. */
export const pageRows = 500
export const pageCharacters = 4_000_000

export function damaged(what: string, cause?: unknown): Error {
  return new Error(`the backup is damaged or cut short: ${what}`, { cause })
}
