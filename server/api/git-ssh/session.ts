import { type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pace } from '@/server/kernel/http/pace'
import { startGraceTimer } from '../git/pace'
import type { Output } from '../git/reply'

/**
 * SSH session in which a client runs a command. Both the built-in SSH server and OpenSSH's sshd provide it.
 */
export interface GitSession {
  /** The command as sent; undefined for a shell. */
  command: string | undefined
  /** The client's GIT_PROTOCOL variable; empty if it sent none. */
  protocol: string
  input: Readable
  /** Aborted when the client disconnects. */
  disconnected: AbortSignal
  /**
   * Sends output of Git.
   * @returns once the client accepts more.
   * @throws {Error} when it has disconnected.
   */
  write(bytes: Uint8Array): Promise<void>
  /** Shows a line of text to the person. */
  printLine(line: string): void
  /** Ends the session of a client that reads nothing: aborts `disconnected` and closes the channel. */
  end(): void
}

/**
 * Runs `work` with the session as its output, and waits until the client has received everything. Ends the session of a
 * client that reads more slowly than the given pace.
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
