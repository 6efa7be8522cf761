import { type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pace } from '@/server/kernel/http/pace'
import { startGraceTimer } from '../git/pace'
import type { Output } from '../git/reply'

/** A client that asked for a command over SSH, whoever took its connection. */
export interface GitSession {
  /** As sent; undefined where a shell is asked for. */
  command: string | undefined
  /** What the client says in GIT_PROTOCOL; empty for nothing. */
  protocol: string
  input: Readable
  /** Aborted when the client is gone. */
  disconnected: AbortSignal
  /**
   * Sends what git says.
   * @returns once the client takes more.
   * @throws {Error} when it is gone.
   */
  write(bytes: Uint8Array): Promise<void>
  /** Shows a line to the person. */
  printLine(line: string): void
  /** Ends the session of a client that takes nothing: aborts `gone` and closes the channel. */
  end(): void
}

/**
 * Lets `work` answer a session, and waits until the client has taken everything. Ends the session of a client that takes it
 * more slowly than this pace.
 */
export async function answering(
  session: GitSession,
  pace: Pace,
  work: (output: Output) => Promise<void>,
): Promise<void> {
  const grace = startGraceTimer(pace)
  const take = async (bytes: Buffer): Promise<void> => {
    await grace.waitFor(session.write(bytes))
    grace.gained(bytes.length)
  }
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => void take(chunk).then(() => done(), done),
  })
  const isSent = finished(sink).catch(() => session.end())
  await work({ disconnected: session.disconnected, begin: () => sink })
  sink.end()
  await isSent
}
