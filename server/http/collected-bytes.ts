/** More than a page has. */
const maxBytes = 256 * 1024
const maxSpareBuffers = 16

// Used again, because buffers of each response would become old objects, which V8 collects late, and leave the memory
// in fragments.
const spareBuffers: Buffer[] = []

/** The beginning of a response, in a buffer that later responses use again. */
export class CollectedBytes {
  private buffer: Buffer | undefined
  private size = 0

  get length(): number {
    return this.size
  }

  /** Adds bytes and returns true, or returns false if there is no room for them. */
  add(bytes: Uint8Array): boolean {
    if (this.size + bytes.length > maxBytes) return false
    this.buffer ??= spareBuffers.pop() ?? Buffer.allocUnsafeSlow(maxBytes)
    this.buffer.set(bytes, this.size)
    this.size += bytes.length
    return true
  }

  /** Removes and returns all bytes. When nothing reads them anymore, `giveBack` must be called with them. */
  take(): Buffer {
    const bytes = this.buffer?.subarray(0, this.size) ?? Buffer.alloc(0)
    this.buffer = undefined
    this.size = 0
    return bytes
  }
}

/** Lets other responses use the buffer of bytes that were taken. */
export function giveBack(bytes: Buffer): void {
  if (bytes.buffer.byteLength === maxBytes && spareBuffers.length < maxSpareBuffers)
    spareBuffers.push(Buffer.from(bytes.buffer))
}

/** Frees the buffers that no response uses. */
export function clearSpareBuffers(): void {
  spareBuffers.length = 0
}
