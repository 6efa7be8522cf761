import { type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Output } from '../git/reply'

/** A client that asked for a command over SSH, whoever took its connection. */
export interface GitSession {
  /** As sent; undefined where a shell is asked for. */
  command: string | undefined
  /** What the client says in GIT_PROTOCOL; empty for nothing. */
  protocol: string
  input: Readable
  /** Aborted when the client is gone. */
  gone: AbortSignal
  /**
   * Sends what git says.
   * @returns once the client takes more.
   * @throws {Error} when it is gone.
   */
  write(bytes: Uint8Array): Promise<void>
  /** Shows a line to the person. */
  tell(line: string): void
}

/** Lets `work` answer a session, and waits until the client has taken everything. */
export async function answering(session: GitSession, work: (output: Output) => Promise<void>): Promise<void> {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      session.write(chunk).then(() => done(), done)
    },
  })
  const isSent = finished(sink)
  // What fails of it is the session's end, which `gone` tells of.
  isSent.catch(() => undefined)
  await work({ gone: session.gone, begin: () => sink })
  sink.end()
  await isSent.catch(() => undefined)
}
