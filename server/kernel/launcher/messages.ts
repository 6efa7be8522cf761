/** A shell script to run, with its arguments and its whole environment. */
export interface Command {
  script: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Whether it talks to us over its file descriptor 3, besides its standard input and output. */
  socket?: boolean
}

/** What the server tells the launcher. */
export type Order =
  | ({ type: 'start'; id: number } & Command)
  /** Its connections cannot be made: unless it has started, it is not to be. */
  | { type: 'drop'; id: number }
  /** To the command and everything that it has started. */
  | { type: 'signal'; id: number; signal: NodeJS.Signals }

/** What the launcher tells the server. */
export type Report =
  | { type: 'ready'; path: string }
  | { type: 'said'; id: number; text: string }
  | ({ type: 'ended'; id: number } & End)
  | { type: 'failed'; id: number; message: string }

/** How a command ended: one of the two is null. */
export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The file descriptors of a command that are connections to the launcher. Its standard error is told in reports. */
export const descriptorsOf = ({ socket }: Pick<Command, 'socket'>): readonly number[] =>
  socket ? [0, 1, 3] : [0, 1]

/** How long a command has to end after a polite signal. */
export const graceMs = 2_000

/** Sends a signal to a command and everything it has started; false when none of it is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  // Others mean every process there is, or this one's own group.
  if (!(pid > 1)) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
