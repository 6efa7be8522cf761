import { RandomAccessReader } from 'yauzl'
import { readRange, type ZipSource } from './source'

const windowBytes = 512 * 1024

/** Reads an archive for yauzl in large windows, because each read of the storage costs a round trip. */
export class WindowReader extends RandomAccessReader {
  #start = 0
  #window: Buffer = Buffer.alloc(0)

  constructor(private readonly source: ZipSource) {
    super()
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (this.#copy(target, offset, length, position)) {
      callback(null)
      return
    }
    this.#load(position, length).then(() => {
      callback(this.#copy(target, offset, length, position) ? null : new Error('unexpected end of file'))
    }, callback)
  }

  #copy(target: Buffer, offset: number, length: number, position: number): boolean {
    const from = position - this.#start
    if (from < 0 || from + length > this.#window.length) return false
    this.#window.copy(target, offset, from, from + length)
    return true
  }

  async #load(position: number, length: number): Promise<void> {
    const { size } = this.source
    if (position < 0 || position + length > size) return
    // Reading starts at the end of the file, so the window there extends backward.
    const start = Math.min(position, Math.max(0, size - windowBytes))
    const end = Math.min(Math.max(start + windowBytes, position + length), size) - 1
    this.#window = await readRange(this.source, { start, end })
    this.#start = start
  }
}
