import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { canonicalAddress } from '@/server/kernel/ip-address'

// RFC 4253, section 4.2.
const maxIdentificationBytes = 255

// Maximum number of written but unsent bytes. The SSH library does not wait for slow clients, so above this
// limit nothing more is read from them.
const maxUnsentBytes = 128 * 1024

/**
 * Socket that protects the SSH library: it passes on a client's first line only once it is complete, and
 * reads nothing from a client that does not read the server's responses.
 */
export class GuardedSocket extends Duplex {
  /** Client's IP address in the canonical form used everywhere in the product. */
  readonly remoteAddress: string
  readonly remoteFamily: string | undefined
  readonly remotePort: number | undefined
  #identification: Buffer | undefined = Buffer.alloc(0)

  constructor(private readonly socket: Socket) {
    super({ allowHalfOpen: false, writableHighWaterMark: maxUnsentBytes })
    this.remoteAddress = canonicalAddress(socket.remoteAddress)
    this.remoteFamily = socket.remoteFamily
    this.remotePort = socket.remotePort
    socket.setNoDelay(true)
    socket.pause()
    socket.on('data', chunk => this.#receive(chunk))
    socket.on('drain', () => this.#readOn())
    socket.once('end', () => this.push(null))
    socket.once('error', error => this.destroy(error))
    socket.once('close', () => this.destroy())
    this.on('drain', () => this.#readOn())
  }

  /** Number of bytes waiting to be sent. */
  get unsentBytes(): number {
    return this.writableLength + this.socket.writableLength
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#identification ? this.#identify(this.#identification, chunk) : chunk
    if (bytes && (!this.push(bytes) || this.writableNeedDrain)) this.socket.pause()
  }

  /** Returns everything received so far once the first line is complete; undefined before that. */
  #identify(before: Buffer, chunk: Buffer): Buffer | undefined {
    const bytes = Buffer.concat([before, chunk])
    const lineEnd = bytes.subarray(0, maxIdentificationBytes).indexOf('\n')
    if (lineEnd < 0 && bytes.length < maxIdentificationBytes) {
      this.#identification = bytes
      return undefined
    }
    if (lineEnd < 0 || !bytes.subarray(0, lineEnd).toString('latin1').startsWith('SSH-2.0-')) {
      this.destroy()
      return undefined
    }
    this.#identification = undefined
    return bytes
  }

  #readOn(): void {
    if (!this.writableNeedDrain) this.socket.resume()
  }

  override _read(): void {
    this.#readOn()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.socket.write(chunk)) done()
    else this.socket.once('drain', done)
  }

  override _final(done: () => void): void {
    this.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy()
    done(error)
  }
}
