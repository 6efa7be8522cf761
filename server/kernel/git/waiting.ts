import { Readable } from 'node:stream'
import { type GitOptions, readGit } from './run'

/** A Git command that has been started, and waits for its input. */
export interface WaitingGit {
  /**
   * Sends the input, and waits until Git has ended.
   * @throws {GitError} if it fails
   */
  finish(input: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void>
  /** Returns the standard output so far. */
  printed(): string
  /** Ends the command without input, unless it has got some already. */
  close(): Promise<void>
}

/** Starts a Git command whose input is not known yet, because starting takes as long as the work itself. */
export function startWaiting(args: readonly string[], options: Omit<GitOptions, 'input'>): WaitingGit {
  let send: (input: Iterable<Buffer> | AsyncIterable<Buffer> | undefined) => void = () => undefined
  const sent = new Promise<Iterable<Buffer> | AsyncIterable<Buffer> | undefined>(resolve => {
    send = resolve
  })
  async function* input(): AsyncGenerator<Buffer> {
    yield* (await sent) ?? []
  }
  let printed = ''
  const ended = readGit(args, { ...options, input: Readable.from(input()) }, chunk => {
    printed += chunk
  })
  // It can fail before anything waits for it.
  ended.catch(() => undefined)
  return {
    async finish(input) {
      send(input)
      await ended
    },
    printed: () => printed,
    async close() {
      send(undefined)
      await ended.catch(() => undefined)
    },
  }
}
