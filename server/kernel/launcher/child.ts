import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { type Command, descriptorsOf, type End } from './messages'

/** What became of a process; one that could not be started has neither code nor signal. */
export type Outcome = End & { error?: Error }

/**
 * A process with the streams and events of Node's own `ChildProcess`, as far as they are used here. Its streams can be used at
 * once: what is written is sent when it has started.
 */
export class Child extends EventEmitter {
  /** Absent until it has started. */
  pid: number | undefined
  readonly stdin = new Connection()
  readonly stdout = new Connection()
  readonly stderr = new Readable({ read: () => undefined })
  /** The fourth is its file descriptor 3, where that was asked for. */
  readonly stdio: readonly [Connection, Connection, Readable, ...Connection[]]
  hasEnded = false
  /** While it is being started, a signal waits; before that, a signal ends it at once. */
  isStarting = false
  /** A signal that it gets as soon as it has started. */
  pendingSignal: NodeJS.Signals | undefined
  #deliver: ((signal: NodeJS.Signals) => void) | undefined
  readonly #descriptors: readonly number[]

  constructor(command: Pick<Command, 'socket'>) {
    super()
    this.#descriptors = descriptorsOf(command)
    this.stdio = [this.stdin, this.stdout, this.stderr, ...(command.socket ? [new Connection()] : [])]
  }

  /** Sends a signal to it and everything it has started, as soon as there is something to send it to. */
  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.hasEnded) return false
    this.pendingSignal = signal
    if (this.#deliver) this.#deliver(signal)
    else if (!this.isStarting) this.end({ code: null, signal })
    return true
  }

  /** Called once the process runs: connects its streams to these sockets and delivers signals through `deliver`. */
  connect(pid: number, sockets: readonly Socket[], deliver: (signal: NodeJS.Signals) => void): void {
    this.pid = pid
    this.#descriptors.forEach((descriptor, index) => {
      const stream = this.stdio[descriptor]
      if (stream instanceof Connection) stream.open(sockets[index])
    })
    this.#deliver = deliver
    if (this.pendingSignal) deliver(this.pendingSignal)
  }

  /** It has ended, or was never started. */
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
      // What nobody reads must not keep it open.
      stream.resume()
    }
    if (error) this.emit('error', error)
    else this.emit('exit', code, signal)
    if (open === 0) this.emit('close', code, signal)
  }
}

/** One end of a connection that is there later: until then it takes what is written and has nothing to read. */
class Connection extends Duplex {
  #socket: Socket | undefined
  #ready: (() => void) | undefined
  #isOpen = false

  constructor() {
    super({ allowHalfOpen: false })
  }

  /** Without a socket there is nothing at the other end. */
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

  // Node writes, ends and destroys a stream only once this has called back.
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
    // One that the other side has closed cannot be ended, which is nobody's concern.
    if (this.#socket) this.#socket.end(() => done())
    else done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }
}
