/** A shell script to run, with its arguments and its whole environment. */
export interface Command {
  script: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /**
   * Whether the command communicates with us over its file descriptor 3, in addition to standard input and
   * output.
   */
  socket?: boolean
}

/** Message from the server to the launcher process, which starts commands on the server's behalf. */
export type Order =
  | ({ type: 'start'; id: number } & Command)
  /**
   * The server could not open the command's connections, so the launcher must not start it if it has not done
   * so already.
   */
  | { type: 'drop'; id: number }
  /** The signal is for the command and everything that it has started. */
  | { type: 'signal'; id: number; signal: NodeJS.Signals }

/** Message from the launcher process to the server about a command that it was told to start. */
export type Report =
  | { type: 'ready' }
  | { type: 'stderr'; id: number; text: string }
  | ({ type: 'ended'; id: number } & End)
  | { type: 'failed'; id: number; message: string }

/** How a process ended: its exit code or the signal that stopped it; the other value is null. */
export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/**
 * Returns the file descriptors of a command that are connected to sockets: standard input, standard output
 * and, if requested, 3. Standard error is not among them, because the launcher process sends it in messages.
 */
export const descriptorsOf = ({ socket }: Pick<Command, 'socket'>): readonly number[] =>
  socket ? [0, 1, 3] : [0, 1]
