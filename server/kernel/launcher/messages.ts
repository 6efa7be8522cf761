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
  /** The server could not open the command's connections: the launcher must not start it if it has not done so already. */
  | { type: 'drop'; id: number }
  /** To the command and everything that it has started. */
  | { type: 'signal'; id: number; signal: NodeJS.Signals }

/** What the launcher tells the server. */
export type Report =
  | { type: 'ready' }
  | { type: 'stderr'; id: number; text: string }
  | ({ type: 'ended'; id: number } & End)
  | { type: 'failed'; id: number; message: string }

/** How a command ended: one of the two is null. */
export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The file descriptors of a command that are connections. Its standard error comes in reports. */
export const descriptorsOf = ({ socket }: Pick<Command, 'socket'>): readonly number[] =>
  socket ? [0, 1, 3] : [0, 1]
