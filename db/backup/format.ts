/**
 * Format name in the header of a backup. A backup is newline-delimited JSON: a header; for each table, a line
 * that names its columns, followed by its rows as arrays of text or null; the sequences; and a trailer with
 * row counts and a checksum of everything before it.
 */
export const backupFormat = 'guildhall-backup'
export const backupVersion = 1

export interface BackupHeader {
  format: typeof backupFormat
  version: typeof backupVersion
  /**
   * Names of the applied migrations. The backup can be restored only into tables created by the same
   * migrations.
   */
  migrations: string[]
  createdAt: string
  /** Instance key in base64, without which the sealed values in the rows cannot be decrypted. */
  secretKey?: string
}

export interface TableLine {
  table: string
  columns: string[]
}

/**
 * Last value of each sequence, and whether it has been used. Restoring them ensures that no ID is reused, not
 * even that of a deleted row.
 */
export interface SequencesLine {
  sequences: Record<string, [value: string, called: boolean]>
}

export interface Trailer {
  rows: RowCounts
  /** SHA-256 of all bytes before this line, in hexadecimal. */
  sha256: string
}

export type Row = (string | null)[]
export type RowCounts = Record<string, number>
export type Line = BackupHeader | TableLine | Row | SequencesLine | Trailer

/** Maximum number of rows read or written at a time; fewer if the rows are large. */
export const pageRows = 500
export const pageCharacters = 4_000_000

export function damaged(what: string, cause?: unknown): Error {
  return new Error(`the backup is damaged or truncated: ${what}`, { cause })
}
