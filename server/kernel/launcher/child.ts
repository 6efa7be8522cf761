import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { type Command, descriptorsOf, type End } from './messages'

/** How a child process ended: its exit code or signal, or the error if it could not be started. */
export type Outcome = End & { error?: Error }

/**
 * A child process with the streams and events of Node's `ChildProcess` that are used here. Its streams can be
 * used immediately: data written before the process has started is sent once it has.
 */
export class Child extends EventEmitter {
  /** Process ID; undefined until the process has started. */
  pid: number | undefined
  readonly stdin = new Connection()
  readonly stdout = new Connection()
  readonly stderr = new Readable({ read: () => undefined })
  /** Streams by file descriptor. The fourth is descriptor 3, if requested. */
  readonly stdio: readonly [Connection, Connection, Readable, ...Connection[]]
  hasEnded = false
  /**
   * Whether the process is being started. A signal then waits until it has started; before that, a signal ends
   * it immediately.
   */
  isStarting = false
  /** Signal that is delivered as soon as the process has started. */
  pendingSignal: NodeJS.Signals | undefined
  #deliver: ((signal: NodeJS.Signals) => void) | undefined
  readonly #descriptors: readonly number[]

  constructor(command: Pick<Command, 'socket'>) {
    super()
    this.#descriptors = descriptorsOf(command)
    this.stdio = [this.stdin, this.stdout, this.stderr, ...(command.socket ? [new Connection()] : [])]
  }

  /**
   * Sends a signal to the process and everything that it has started, as soon as it is running. Returns false
   * if it has already ended.
   */
  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.hasEnded) return false
    this.pendingSignal = signal
    if (this.#deliver) this.#deliver(signal)
    else if (!this.isStarting) this.end({ code: null, signal })
    return true
  }

  /**
   * Called once the process runs. Connects its streams to these sockets and delivers signals through
   * `deliver`.
   */
  connect(pid: number, sockets: readonly Socket[], deliver: (signal: NodeJS.Signals) => void): void {
    this.pid = pid
    this.#descriptors.forEach((descriptor, index) => {
      const stream = this.stdio[descriptor]
      if (stream instanceof Connection) stream.open(sockets[index])
    })
    this.#deliver = deliver
    if (this.pendingSignal) deliver(this.pendingSignal)
  }

  /** Called when the process has ended or could not be started. */
  end({ code, signal, error }: Outcome): void {
    if (this.hasEnded) return
    this.hasEnded = true
    if (this.pid === undefined) {
      for (const stream of this.stdio) if (stream instanceof Connection) stream.open(undefined)
    }
    this.stdin.destroy()
    this.stderr.push(null)
    let open = this.stdio.length
    for (const stream of this.stdio) {
      if (stream.closed) open--
      else stream.once('close', () => --open === 0 && this.emit('close', code, signal))
      // Unread data must not keep the stream open.
      stream.resume()
    }
    if (error) this.emit('error', error)
    else this.emit('exit', code, signal)
    if (open === 0) this.emit('close', code, signal)
  }
}

/**
 * A stream whose connection is established later. Until then it buffers what is written and has nothing to
 * read.
 */
class Connection extends Duplex {
  #socket: Socket | undefined
  #ready: (() => void) | undefined
  #isOpen = false

  constructor() {
    super({ allowHalfOpen: false })
  }

  /** Connects the stream to a socket. Without a socket, the stream ends. */
  open(socket: Socket | undefined): void {
    this.#socket = socket
    this.#isOpen = true
    const end = (): void => void this.push(null)
    socket?.on('data', (chunk: Buffer) => this.push(chunk) || socket.pause())
    socket?.once('end', end).once('close', end)
    socket?.on('error', error => this.destroy(error))
    socket?.pause()
    if (!socket || socket.readableEnded || socket.destroyed) end()
    this.#ready?.()
  }

  // Node writes, ends and destroys a stream only after this callback.
  override _construct(ready: () => void): void {
    this.#ready = ready
    if (this.#isOpen) ready()
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#socket) this.#socket.write(chunk, done)
    else done()
  }

  override _final(done: () => void): void {
    // Ending a socket that the other side has closed fails, which can be ignored.
    if (this.#socket) this.#socket.end(() => done())
    else done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }
}
