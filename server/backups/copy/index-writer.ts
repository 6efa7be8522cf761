import { type FileHandle, open } from 'node:fs/promises'
import type { IndexLine, StoredFile } from '../index-file'

const maxHeld = 64 * 1024

/** Writes the index of a backup to a local file, from which an interrupted backup can be resumed. */
export class IndexWriter {
  /** Stored sizes of all pieces that the backup names. */
  readonly pieces = new Map<string, number>()
  private held = ''

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<IndexWriter> {
    return new IndexWriter(await open(path, 'w', 0o600))
  }

  async write(line: IndexLine): Promise<void> {
    const file = fileIn(line)
    if (file) this.pieces.set(file[3], file[5])
    this.held += `${JSON.stringify(line)}\n`
    if (this.held.length > maxHeld) await this.flush()
  }

  async close(): Promise<void> {
    await this.flush()
    await this.file.close()
  }

  /** Makes what was written so far survive if the process is killed. */
  async flush(): Promise<void> {
    const text = this.held
    this.held = ''
    await this.file.writeFile(text)
  }
}

function fileIn(line: IndexLine): StoredFile | undefined {
  if (Array.isArray(line)) return line
  return 'database' in line ? line.database : undefined
}
