import { Duplex } from 'node:stream'
import { joined } from './execute'
import type { Turns } from './turns'

// AuthenticationOk and ReadyForQuery outside of a transaction.
const welcome = Uint8Array.of(0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49)

// The only message without a letter as its type.
const startup = 0
const terminate = 'X'.charCodeAt(0)

type Done = (error?: Error | null) => void

/**
 * Takes the place of a socket between a `pg.Client` and an engine. What the client sends together, such as all
 * messages of a statement, the engine executes in one call.
 */
export class Connection extends Duplex {
  constructor(private readonly turns: Turns) {
    super({ allowHalfOpen: false })
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  // `pg` sets these options of sockets.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    this.send([chunk], done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.send(
      chunks.map(({ chunk }) => chunk),
      done,
    )
  }

  override _read(): void {}

  override _final(done: Done): void {
    this.push(null)
    done()
  }

  override _destroy(error: Error | null, done: Done): void {
    this.turns.leave(this)
    done(error)
  }

  private send(chunks: Buffer[], done: Done): void {
    const [type] = chunks[0] ?? []
    if (type === startup) this.push(welcome)
    if (type === startup || type === terminate) {
      done()
      return
    }
    this.turns.execute(this, joined(chunks)).then(response => {
      this.push(response)
      done()
    }, done)
  }
}
