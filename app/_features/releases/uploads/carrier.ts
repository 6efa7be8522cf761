/** Transfers files to the server. */
export interface Carrier {
  /**
   * Starts to send a file. `begun` is the ID of an interrupted upload. It is resumed if this browser started
   * it with the same file, and discarded otherwise.
   */
  send: (
    file: File,
    target: { release: number; name: string; replaces: boolean; begun?: string | undefined },
    events: SendEvents,
  ) => Sending
  /** Discards the part of a file that the server has received. */
  discard: (upload: { file?: File | undefined; id?: string | undefined }) => Promise<void>
}

export interface SendEvents {
  onProgress: (sent: number) => void
  onDone: () => void
  onFailure: (failure: SendFailure) => void
}

/** Error that ended a transfer, and whether a retry can help. */
export interface SendFailure {
  problem: string
  /**
   * `away`: a retry can help, because the server did not respond or asked the client to retry later.
   * `failed`: a retry can help after the user has fixed the cause. `refused`: the server will never accept
   * this file.
   */
  state: 'away' | 'failed' | 'refused'
}

/** Transfer in progress. */
export interface Sending {
  /** Stops the transfer. The server keeps the part that it has received. */
  stop: () => void
}

/** Unfinished upload on the server. `received` is a number of bytes. */
export interface Unfinished {
  id: string
  name: string
  size: number
  received: number
  replaces: boolean
}
